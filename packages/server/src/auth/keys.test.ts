import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sha256 } from '@agonhq/engine/hash';
import { openLedger, type Ledger } from '@agonhq/ledger';
import type { LogLine } from '../log.ts';
import { makeKeyText, readKey, writeKey } from './key-text.ts';
import { cachedMs, openKeys, type Keys } from './keys.ts';

let folder: string;
let ledger: Ledger;
let keys: Keys;
let now: number;
const log: LogLine[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-keys-'));
  ledger = await openLedger({ file: path.join(folder, 'ledger.db') });
  now = Date.parse('2026-11-15T12:00:00Z');
  keys = await openKeys({ ledger, environment: {}, now: () => now, log: (line) => log.push(line) });
});

afterEach(async () => {
  await keys.close();
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
  log.length = 0;
});

const wrong = { code: 'wrong-api-key', message: 'This key is not valid on this server.' };

describe('a key', () => {
  test('says who presents it, and what they may do', async () => {
    const { key, row } = await keys.create({ name: 'desk', scopes: ['review', 'read'], reviewer: 'mara' });
    expect(key).toMatch(/^agon_[0-9a-f]{12}_[\w-]{43}$/);
    expect(await keys.identify(key)).toEqual({
      key: { id: row.id, name: 'desk', reviewer: 'mara' },
      scopes: new Set(['read', 'review']),
    });
  });

  test('is nowhere in the ledger: only a hash of its secret is', async () => {
    const { key, row } = await keys.create({ name: 'desk', scopes: ['read'] });
    const { secret } = readKey(key)!;
    expect(row.secretHash).toBe(sha256(secret));
    await keys.identify(key);
    await keys.close();
    for (const file of await readdir(folder))
      expect((await readFile(path.join(folder, file))).includes(secret)).toBe(false);
  });

  test('is not taken when it is changed by one letter, cut, or of another key', async () => {
    const { key } = await keys.create({ name: 'one', scopes: ['read'] });
    const other = await keys.create({ name: 'other', scopes: ['admin'] });
    const last = key.at(-1) === 'A' ? 'B' : 'A';
    for (const presented of [
      key.slice(0, -1) + last,
      key.slice(0, -1),
      `${key} `,
      key.toUpperCase(),
      `agon_${other.row.id}_${readKey(key)!.secret}`,
      readKey(key)!.secret,
      other.row.secretHash,
    ]) {
      await expect(keys.identify(presented), presented).rejects.toMatchObject(wrong);
    }
  });

  test('that is unknown, wrong, revoked or expired is answered with the very same words', async () => {
    const revoked = await keys.create({ name: 'revoked', scopes: ['read'] });
    await keys.revoke(revoked.row.id);
    const expired = await keys.create({ name: 'expired', scopes: ['read'], expiresAt: new Date(now + 1000) });
    now += 1000;
    const answers = await Promise.all(
      [
        revoked.key,
        expired.key,
        `agon_${'0'.repeat(12)}_${'x'.repeat(43)}`,
        `agon_${expired.row.id}_${'x'.repeat(43)}`,
        'anything',
      ].map((key) =>
        keys.identify(key).then(
          () => 'let in',
          ({ code, message, hint }: typeof wrong & { hint: string }) => ({ code, message, hint }),
        ),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject(wrong);
  });

  test('is taken until the moment that it expires', async () => {
    const { key } = await keys.create({ name: 'short', scopes: ['read'], expiresAt: new Date(now + 60_000) });
    now += 59_999;
    await expect(keys.identify(key)).resolves.toMatchObject({ key: { name: 'short' } });
    now += 1;
    await expect(keys.identify(key)).rejects.toMatchObject(wrong);
  });

  test('that would have expired already is not made', async () => {
    await expect(keys.create({ name: 'late', scopes: ['read'], expiresAt: new Date(now) })).rejects.toMatchObject({
      code: 'bad-expiry',
    });
    expect(await keys.list()).toEqual([]);
  });

  test('whatever is presented, it is turned away and nothing breaks', async () => {
    await keys.create({ name: 'one', scopes: ['admin'] });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: 'binary' }).map((text) => `agon_${text}`),
          fc.stringMatching(/^agon_[0-9a-f]{12}_[\w-]{43}$/),
        ),
        async (presented) => {
          await expect(keys.identify(presented)).rejects.toMatchObject(wrong);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('revoking', () => {
  test('counts at once through the same server, also for a look that is under way', async () => {
    const { key, row } = await keys.create({ name: 'one', scopes: ['read'] });
    await keys.identify(key);
    const underWay = keys.identify(key).catch(() => undefined);
    await keys.revoke(row.id);
    await underWay;
    await expect(keys.identify(key)).rejects.toMatchObject(wrong);
  });

  test('counts within five seconds when another process does it', async () => {
    const elsewhere = await openLedger({ file: path.join(folder, 'ledger.db') });
    try {
      const { key, row } = await keys.create({ name: 'one', scopes: ['read'] });
      await keys.identify(key);
      await elsewhere.keys.revokeKey(row.id);
      now += cachedMs;
      await expect(keys.identify(key)).rejects.toMatchObject(wrong);
      expect(cachedMs).toBeLessThanOrEqual(5_000);
    } finally {
      await elsewhere.close();
    }
  });

  test('a second time changes nothing; an unknown id is told', async () => {
    const { row } = await keys.create({ name: 'one', scopes: ['read'] });
    const first = await keys.revoke(row.id);
    expect(await keys.revoke(row.id)).toEqual(first);
    await expect(keys.revoke('ffffffffffff')).rejects.toMatchObject({ code: 'unknown-key' });
    await expect(keys.revoke('environment')).rejects.toMatchObject({
      code: 'unknown-key',
      message: expect.stringContaining('AGON_API_KEY') as string,
    });
  });
});

test('a key that another process made is taken at once, although it was just turned away', async () => {
  const elsewhere = await openLedger({ file: path.join(folder, 'ledger.db') });
  try {
    const text = makeKeyText();
    await expect(keys.identify(writeKey(text))).rejects.toMatchObject(wrong);
    await elsewhere.keys.keepKey({
      id: text.id,
      name: 'new',
      secretHash: sha256(text.secret),
      scopes: ['judge'],
      reviewer: null,
      createdAt: new Date(now),
      expiresAt: null,
    });
    await expect(keys.identify(writeKey(text))).resolves.toMatchObject({ key: { id: text.id } });
  } finally {
    await elsewhere.close();
  }
});

test('the ledger is not read for every request', async () => {
  const { key } = await keys.create({ name: 'one', scopes: ['read'] });
  const find = vi.spyOn(ledger.keys, 'findKey');
  await Promise.all(Array.from({ length: 50 }, () => keys.identify(key)));
  now += cachedMs - 1;
  await keys.identify(key);
  expect(find).toHaveBeenCalledTimes(1);
});

test('a ledger that fails is not believed to have no such key', async () => {
  const { key } = await keys.create({ name: 'one', scopes: ['read'] });
  vi.spyOn(ledger.keys, 'findKey').mockRejectedValueOnce(new Error('the disk is gone'));
  await expect(keys.identify(key)).rejects.toThrow('the disk is gone');
  await expect(keys.identify(key)).resolves.toMatchObject({ key: { name: 'one' } });
});

describe('when a key was used', () => {
  const usedAt = async () => (await ledger.keys.listKeys())[0]!.lastUsedAt;

  test('is written down at most once a minute, and what is left at the close', async () => {
    const { key } = await keys.create({ name: 'one', scopes: ['read'] });
    const touch = vi.spyOn(ledger.keys, 'markKeysUsed');
    const first = new Date(now);
    await keys.identify(key);
    await vi.waitFor(async () => expect(await usedAt()).toEqual(first), 10_000);
    now += 59_999;
    await keys.identify(key);
    expect(touch).toHaveBeenCalledTimes(1);
    await keys.close();
    expect(await usedAt()).toEqual(new Date(now));
    expect(touch).toHaveBeenCalledTimes(2);
  });

  test('a ledger that takes nothing keeps nobody out; it is written later', async () => {
    const { key } = await keys.create({ name: 'one', scopes: ['read'] });
    vi.spyOn(ledger.keys, 'markKeysUsed').mockRejectedValueOnce(new Error('read only'));
    await expect(keys.identify(key)).resolves.toMatchObject({ key: { name: 'one' } });
    await vi.waitFor(
      () => expect(log).toEqual([expect.objectContaining({ level: 'warn', event: 'keys-used' })]),
      10_000,
    );
    await keys.close();
    expect(await usedAt()).toEqual(new Date(now));
  });
});

describe('AGON_API_KEY', () => {
  const value = 'correct horse battery staple';

  test('is a key with every scope, of any text', async () => {
    const { identify } = await openKeys({ ledger, environment: { AGON_API_KEY: `${value}\n` } });
    expect(await identify(value)).toEqual({
      key: { id: 'environment', name: 'AGON_API_KEY', reviewer: null },
      scopes: new Set(['read', 'judge', 'review', 'care', 'admin']),
    });
    for (const other of ['', value.slice(1), `${value}.`, value.toUpperCase()])
      await expect(identify(other)).rejects.toMatchObject(wrong);
  });

  test('that is too short is refused at the start, and not repeated', async () => {
    const refusal = await openKeys({ ledger, environment: { AGON_API_KEY: 'hunter2hunter2hunte' } }).catch(
      (error: unknown) => error as Error,
    );
    expect(refusal).toMatchObject({ code: 'short-api-key' });
    expect((refusal as Error).message).not.toContain('hunter2');
  });
});

describe('whether there is any key', () => {
  test('not without one, nor with those that are revoked or expired', async () => {
    expect(await keys.hasUsableKey()).toBe(false);
    const { row } = await keys.create({ name: 'revoked', scopes: ['admin'] });
    await keys.create({ name: 'expired', scopes: ['admin'], expiresAt: new Date(now + 1) });
    expect(await keys.hasUsableKey()).toBe(true);
    now += 1;
    await keys.revoke(row.id);
    expect(await keys.hasUsableKey()).toBe(false);
  });

  test('with one in the environment; an empty one is none', async () => {
    expect(await (await openKeys({ ledger, environment: { AGON_API_KEY: 'x'.repeat(20) } })).hasUsableKey()).toBe(true);
    expect(await (await openKeys({ ledger, environment: { AGON_API_KEY: '' } })).hasUsableKey()).toBe(false);
  });
});
