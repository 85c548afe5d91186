import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { agonHome } from '@agonhq/engine/agon-home';
import { installationSecret } from './installation-secret.ts';

let home: string;
beforeEach(async () => {
  home = path.join(await mkdtemp(path.join(tmpdir(), 'agon-home-')), 'agon');
});

test('the secret is made on first use, readable by its owner alone, and stays', async () => {
  const secret = await installationSecret({ AGON_HOME: home });
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect((await stat(path.join(home, 'secret'))).mode & 0o777).toBe(0o600);
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  expect(await installationSecret({ AGON_HOME: home })).toBe(secret);
});

test('many that start at once agree on it', async () => {
  const secrets = await Promise.all(Array.from({ length: 8 }, () => installationSecret({ AGON_HOME: home })));
  const kept = await readFile(path.join(home, 'secret'), 'utf8');
  expect(secrets.filter((secret) => secret === kept).length).toBeGreaterThan(0);
  expect(await installationSecret({ AGON_HOME: home })).toBe(kept);
});

test('AGON_SECRET is stronger than the file', async () => {
  expect(await installationSecret({ AGON_HOME: home, AGON_SECRET: 'shared by the fleet' })).toBe('shared by the fleet');
});

test('where nothing can be written, the secret lives as long as the process', async () => {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'agon-home-')), 'a-file');
  await writeFile(file, '');
  const secret = await installationSecret({ AGON_HOME: path.join(file, 'agon') });
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(await installationSecret({ AGON_HOME: path.join(file, 'agon') })).toBe(secret);
});

test('without AGON_HOME it is in the home folder', () => {
  expect(path.basename(agonHome({}))).toBe('.agon');
  expect(agonHome({ AGON_HOME: home })).toBe(home);
});
