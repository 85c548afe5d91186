import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { openLedger } from '@agonhq/ledger';
import { openKeys } from './keys.ts';

const crypto = vi.hoisted(() => ({ compared: [] as (readonly [number, number])[] }));
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof import('node:crypto')>();
  return {
    ...real,
    timingSafeEqual(one: Uint8Array, other: Uint8Array) {
      crypto.compared.push([one.byteLength, other.byteLength]);
      return real.timingSafeEqual(one, other);
    },
  };
});

test('secrets are compared by timingSafeEqual alone, on hashes of one length, whether the id is known or not', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-keys-'));
  const ledger = await openLedger({ file: path.join(folder, 'ledger.sqlite') });
  const keys = await openKeys({ ledger, environment: {} });
  const { key, row } = await keys.create({ name: 'one', scopes: ['read'] });
  const ask = async (presented: string) => {
    crypto.compared.length = 0;
    await keys.identify(presented).catch(() => undefined);
    return [...crypto.compared];
  };
  const comparisons = [
    await ask(key),
    await ask(`agon_${row.id}_${'x'.repeat(43)}`),
    await ask(`agon_${'0'.repeat(12)}_${'x'.repeat(43)}`),
    await ask('x'),
  ];
  expect(comparisons).toEqual(Array.from({ length: 4 }, () => [[32, 32]]));
  await keys.close();
  await ledger.close();
  await rm(folder, { recursive: true });
});
