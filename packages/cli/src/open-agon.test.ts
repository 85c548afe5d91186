import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openedCase, turnAt } from '@agonhq/test/support/ledger-cases.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { tolerateOutages } from './open-agon.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-own-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A real ledger whose journal fails from now on. */
async function failing(name: string, error: unknown) {
  const ledger = await openLedger({ file: path.join(folder, `${name}.sqlite`) });
  const told: string[] = [];
  const broken: Ledger = { ...ledger, journal: { ...ledger.journal, insert: () => Promise.reject(error) } };
  return { ledger, told, own: tolerateOutages(broken, ({ code }) => told.push(code)) };
}

test('a disk that fills up amid a debate is told once, and the debate goes on without a record', async () => {
  const { ledger, told, own } = await failing(
    'full',
    new AgonError('full-disk', 'There is no room left.', 'Free space.'),
  );
  await own.cases.openCase(openedCase('before'));
  const entries = [turnAt('strict'), turnAt('loose')];
  expect(await Promise.all(entries.map((entry) => own.journal.insert('before', entry)))).toEqual(entries);
  await own.cases.openCase(openedCase('after'));
  expect(await own.journal.find('before', 'strict', entries[0]!.inputHash)).toBeUndefined();
  expect(told).toEqual(['full-disk']);
  expect(await ledger.cases.findCase('before')).toBeDefined();
  expect(await ledger.cases.findCase('after')).toBeUndefined();
  await ledger.close();
});

test('what is no failure of the disk stops the debate as ever', async () => {
  const { ledger, told, own } = await failing(
    'unknown',
    new AgonError('unknown-case', 'There is no such case.', 'List them.'),
  );
  await expect(own.journal.insert('nobody', turnAt('strict'))).rejects.toMatchObject({ code: 'unknown-case' });
  expect(told).toEqual([]);
  await ledger.close();
});
