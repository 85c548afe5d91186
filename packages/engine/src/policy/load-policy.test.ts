import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPolicy } from './index.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agon-policy-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a policy that cannot be read is named with the reason', () => {
  it.each([
    ['a missing file', async () => {}, 'there is no such file'],
    ['a folder', (path: string) => mkdir(path), 'it is a folder'],
    [
      'a binary',
      (path: string) => writeFile(path, Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1)),
      'it is binary, not a text',
    ],
    [
      'another encoding',
      (path: string) => writeFile(path, Buffer.from('name: Règles', 'latin1')),
      'it is not text in UTF-8',
    ],
    ['a huge file', (path: string) => writeFile(path, `# ${'x'.repeat(1_000_000)}`), 'it is larger than 1 MB'],
  ])('%s', async (what, make, reason) => {
    const path = join(folder, `${what}.yaml`);
    await make(path);
    await expect(loadPolicy(path)).rejects.toMatchObject({
      code: 'unreadable-policy',
      message: `The policy ${path} cannot be read: ${reason}.`,
    });
  });

  it('a readable file with a broken policy is refused with its path, line and column', async () => {
    const path = join(folder, 'broken.yaml');
    await writeFile(path, 'name: x\nversion: 1\ncategories: none\n');
    await expect(loadPolicy(path)).rejects.toMatchObject({
      code: 'broken-policy',
      message: `${path}:3:13: "categories" must be a list of categories, not "none"`,
    });
  });
});
