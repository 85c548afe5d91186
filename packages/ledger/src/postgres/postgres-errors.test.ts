import { expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import { namePostgresError } from './postgres-errors.ts';

const place = 'db.example.org:5432/agon';
const named = (error: unknown) => {
  const ours = namePostgresError(error, place);
  return AgonError.is(ours) ? ours.code : ours;
};
const failure = (code: string) => Object.assign(new Error('password=hunter2'), { code });

test.each([
  ['ledger-unreachable', 'ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ['ledger-unreachable', 'ETIMEDOUT', 'ENOENT', 'EPIPE', '25P03', '57P01', '57P02', '57P03', '3D000', '53300'],
  ['ledger-refused', '28P01', '28000', '42501', '3F000'],
  // What was taken back may be tried again, and what waits for a lock or a disk may wait.
  ['ledger-conflict', '40001', '40P01'],
  ['locked-ledger', '55P03'],
  ['full-disk', '53100'],
  ['read-only-ledger', '25006'],
  ['ledger-constraint', '23502', '23503', '23505'],
])('PostgreSQL says %s by %s and others of its codes', (code, ...theirs) => {
  for (const one of theirs) {
    expect([one, named(failure(one))]).toEqual([one, code]);
    expect((namePostgresError(failure(one), place) as AgonError).message).toContain(place);
    expect((namePostgresError(failure(one), place) as AgonError).message).not.toContain('hunter2');
  }
});

test('a connection that was lost is told in words alone', () => {
  for (const words of [
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])
    expect(named(new Error(words))).toBe('ledger-unreachable');
});

test('what nobody knows stays what it is', () => {
  for (const error of [new Error('A Connection terminated'), failure('XX000'), failure('')])
    expect(named(error)).toBe(error);
});
