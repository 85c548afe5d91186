import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newHome } from '@agonhq/test/support/bundled-case.ts';
import { listPublicKeys, openSigningKey, rotateSigningKey } from './signing-key.ts';

test('a key is made on first use, for its owner’s eyes only, and stays', async () => {
  const home = newHome();
  const { id, publicKey } = await openSigningKey(home);
  expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(await openSigningKey(home)).toMatchObject({ id, publicKey });
  expect(statSync(path.join(home.AGON_HOME, 'signing-key.pem')).mode & 0o777).toBe(0o600);
});

test('many who need it at once end with one key, in one process and in several', async () => {
  const home = newHome();
  const module = path.join(import.meta.dirname, 'signing-key.ts');
  const script = `const { openSigningKey } = await import(${JSON.stringify(module)}); console.log((await openSigningKey(process.env)).id)`;
  const say = () =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, ...home },
      });
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      child.on('close', () => resolve(said.trim()));
    });
  const ids = await Promise.all([
    ...Array.from({ length: 3 }, say),
    ...Array.from({ length: 8 }, async () => (await openSigningKey(home)).id),
  ]);
  expect(new Set(ids)).toEqual(new Set([(await openSigningKey(home)).id]));
  expect(readdirSync(home.AGON_HOME).toSorted()).toEqual(['public-keys', 'signing-key.pem']);
});

test('a rotation makes another key and keeps the public part of the old one', async () => {
  const home = newHome();
  const first = await openSigningKey(home);
  const second = await rotateSigningKey(home);
  expect(second.id).not.toBe(first.id);
  expect((await openSigningKey(home)).id).toBe(second.id);
  expect(await listPublicKeys(home)).toEqual([
    { id: second.id, pem: second.publicKey, signs: true },
    { id: first.id, pem: first.publicKey, signs: false },
  ]);
  const kept = readdirSync(home.AGON_HOME, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.pem'))
    .filter((name) => readFileSync(path.join(home.AGON_HOME, name), 'utf8').includes('PRIVATE'));
  expect(kept).toEqual(['signing-key.pem']);
});

test('AGON_SIGNING_KEY names a key that several machines share, and Agon does not replace it', async () => {
  const home = newHome();
  const { id } = await openSigningKey(home);
  const shared = { ...newHome(), AGON_SIGNING_KEY: path.join(home.AGON_HOME, 'signing-key.pem') };
  expect((await openSigningKey(shared)).id).toBe(id);
  expect(readdirSync(shared.AGON_HOME)).toEqual([]);
  await expect(rotateSigningKey(shared)).rejects.toMatchObject({ code: 'foreign-signing-key' });
});

test('a key that is none is said to be so, and never replaced by another', async () => {
  const home = newHome();
  mkdirSync(home.AGON_HOME, { recursive: true });
  writeFileSync(path.join(home.AGON_HOME, 'signing-key.pem'), 'nonsense');
  await expect(openSigningKey(home)).rejects.toMatchObject({ code: 'unreadable-signing-key' });
  expect(readFileSync(path.join(home.AGON_HOME, 'signing-key.pem'), 'utf8')).toBe('nonsense');
});
