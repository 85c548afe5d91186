import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { agonHome } from '@agonhq/engine/agon-home';
import { findInstallationSecret, installationSecret, installSecret, sharedSecret } from './installation-secret.ts';

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

test('machines that share a ledger share its secret, unless AGON_SECRET names one', async () => {
  const ledger = { readSecret: async () => 'the secret of the ledger' };
  const none = { readSecret: async () => undefined };
  expect(await sharedSecret(ledger, { AGON_HOME: home })).toBe('the secret of the ledger');
  expect(await sharedSecret(ledger, { AGON_HOME: home, AGON_SECRET: 'named' })).toBe('named');
  expect(await findInstallationSecret({ AGON_HOME: home })).toBeNull();
  const own = await sharedSecret(none, { AGON_HOME: home });
  expect(own).toBe(await installationSecret({ AGON_HOME: home }));
});

test('the secret of a backup is put where there is none, for its owner alone, and replaces no other', async () => {
  const kept = 'b'.repeat(64);
  await installSecret({ AGON_HOME: home }, kept);
  expect(await findInstallationSecret({ AGON_HOME: home })).toBe(kept);
  expect((await stat(path.join(home, 'secret'))).mode & 0o777).toBe(0o600);
  await installSecret({ AGON_HOME: home }, 'c'.repeat(64));
  expect(await installationSecret({ AGON_HOME: home })).toBe(kept);
});

test('a secret that was cut short is none', async () => {
  await installSecret({ AGON_HOME: home }, 'short');
  expect(await findInstallationSecret({ AGON_HOME: home })).toBeNull();
  expect(await installationSecret({ AGON_HOME: home })).toMatch(/^[0-9a-f]{64}$/);
});
