import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { cachedMs, openKeys } from './keys.ts';
import { sessionSeconds, openSessions } from './sessions.ts';

let folder: string;
let ledger: Ledger;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-sessions-'));
  ledger = await openLedger({ file: path.join(folder, 'ledger.db') });
});
afterAll(async () => {
  await ledger.close();
  await rm(folder, { recursive: true });
});

/** A server on the one ledger, at a time of its own. */
async function opened({ secret = 'shared by all', environmentKey }: { secret?: string; environmentKey?: string } = {}) {
  const clock = { now: Date.parse('2026-11-15T12:00:00Z') };
  const now = () => clock.now;
  const keys = await openKeys({ ledger, environment: { AGON_API_KEY: environmentKey }, now });
  return { clock, keys, sessions: openSessions({ keys, secret, now }) };
}

const environmentKey = 'the key of the environment, long enough';

describe('a session', () => {
  test('opens what its key opens, on every server of the installation, for twelve hours', async () => {
    const { keys, sessions, clock } = await opened();
    const { key, row } = await keys.create({ name: 'desk', scopes: ['review'], reviewer: 'mara' });
    const { principal, token } = await sessions.signIn(key);
    expect(principal).toEqual({ key: { id: row.id, name: 'desk', reviewer: 'mara' }, scopes: new Set(['review']) });
    expect(await sessions.identify(token)).toEqual(principal);
    expect(await (await opened()).sessions.identify(token)).toEqual(principal);
    expect(await (await opened({ secret: 'of another installation' })).sessions.identify(token)).toBeNull();
    clock.now += sessionSeconds * 1000 - 1_000;
    expect(await sessions.identify(token)).toEqual(principal);
    clock.now += 1_000;
    expect(await sessions.identify(token)).toBeNull();
  });

  test('ends with its key: revoked here, revoked elsewhere, or expired', async () => {
    const { keys, sessions, clock } = await opened();
    const [here, elsewhere, expiring] = [
      await keys.create({ name: 'a', scopes: ['read'] }),
      await keys.create({ name: 'b', scopes: ['read'] }),
      await keys.create({ name: 'c', scopes: ['read'], expiresAt: new Date(clock.now + 60_000) }),
    ];
    const tokens = await Promise.all(
      [here, elsewhere, expiring].map(async ({ key }) => (await sessions.signIn(key)).token),
    );
    await keys.revoke(here.row.id);
    await ledger.keys.revokeKey(elsewhere.row.id);
    expect(await sessions.identify(tokens[0]!)).toBeNull();
    clock.now += cachedMs;
    expect(await sessions.identify(tokens[1]!)).toBeNull();
    expect(await sessions.identify(tokens[2]!)).not.toBeNull();
    clock.now += 60_000;
    expect(await sessions.identify(tokens[2]!)).toBeNull();
  });

  test('ends when somebody signs out, and no other of the same key does', async () => {
    const { keys, sessions } = await opened();
    const { key } = await keys.create({ name: 'desk', scopes: ['read'] });
    const [here, there] = [(await sessions.signIn(key)).token, (await sessions.signIn(key)).token];
    await sessions.signOut(here);
    await sessions.signOut('no.session');
    expect(await sessions.identify(here)).toBeNull();
    expect(await sessions.identify(there)).not.toBeNull();
    expect(await sessions.identify((await sessions.signIn(key)).token)).not.toBeNull();
  });

  test('of the key of the environment ends when that is another, or none', async () => {
    const { token } = await (await opened({ environmentKey })).sessions.signIn(environmentKey);
    expect((await (await opened({ environmentKey })).sessions.identify(token))!.key!.id).toBe('environment');
    expect(await (await opened({ environmentKey: `${environmentKey}, changed` })).sessions.identify(token)).toBeNull();
    expect(await (await opened()).sessions.identify(token)).toBeNull();
  });

  test('holds nothing of the key', async () => {
    const { keys, sessions } = await opened();
    const { key, row } = await keys.create({ name: 'desk', scopes: ['read'] });
    const { token } = await sessions.signIn(key);
    expect(token).not.toContain(key.slice(18));
    expect(token).not.toContain(row.secretHash.slice(7));
  });
});

describe('wrong keys', () => {
  test('are told so ten times a minute, and then that they are too many; a right one is let in all the same', async () => {
    const { keys, sessions, clock } = await opened();
    const { key } = await keys.create({ name: 'desk', scopes: ['read'] });
    const guess = () =>
      sessions
        .signIn('agon_guess')
        .catch((error: { code: string; retryAfter?: number }) => [error.code, error.retryAfter]);
    for (let tried = 0; tried < 10; tried += 1) expect(await guess()).toEqual(['wrong-api-key', undefined]);
    expect(await guess()).toEqual(['rate-limited', 6]);
    await expect(sessions.signIn(key)).resolves.toMatchObject({ principal: { key: { name: 'desk' } } });
    clock.now += 6_000;
    expect(await guess()).toEqual(['wrong-api-key', undefined]);
    expect(await guess()).toEqual(['rate-limited', 6]);
  });

  test('are not what a ledger is that cannot be read', async () => {
    const sessions = openSessions({
      keys: { identify: () => Promise.reject(new Error('locked')), findHolder: () => Promise.resolve(null) },
      secret: 's',
    });
    for (let tried = 0; tried < 20; tried += 1) await expect(sessions.signIn('x')).rejects.toThrow('locked');
  });
});
