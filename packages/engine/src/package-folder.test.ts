import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageFolder } from './package-folder.ts';
import { npmName } from './version.ts';

describe("the package's folder", () => {
  it('is found from sources and bundles at any depth, past the manifests of others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agon-package-'));
    try {
      const agon = join(folder, 'node_modules', npmName);
      const chunks = join(agon, 'dist', 'chunks');
      await mkdir(chunks, { recursive: true });
      await writeFile(join(folder, 'package.json'), '{"name":"somebody-else"}');
      await writeFile(join(agon, 'package.json'), JSON.stringify({ name: npmName }));
      await writeFile(join(agon, 'dist', 'package.json'), '{"type":"module"}');
      await writeFile(join(chunks, 'package.json'), 'not json');
      expect(packageFolder(chunks)).toBe(agon);
      expect(packageFolder(join(agon, 'dist'))).toBe(agon);
      expect(() => packageFolder(folder)).toThrow(expect.objectContaining({ code: 'missing-package-folder' }));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
