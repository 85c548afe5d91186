import { homedir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findLedgerPlace, parseLedgerPlace } from './open-ledger.ts';

test('the server that is named wins over the file, and the file over the folder', () => {
  const environment = {
    AGON_DATABASE_URL: 'postgres://agon@db/agon',
    AGON_LEDGER: 'my.sqlite',
    AGON_HOME: '/srv/agon',
  };
  expect(findLedgerPlace(environment)).toEqual({ url: 'postgres://agon@db/agon' });
  expect(findLedgerPlace({ ...environment, AGON_DATABASE_URL: '' })).toEqual({ file: 'my.sqlite' });
  expect(findLedgerPlace({ AGON_HOME: '/srv/agon' })).toEqual({ file: path.join('/srv/agon', 'ledger.sqlite') });
  expect(findLedgerPlace({ AGON_HOME: '/srv/agon', AGON_LEDGER: 'false' })).toEqual({
    file: path.join('/srv/agon', 'ledger.sqlite'),
  });
  expect(findLedgerPlace(environment, true)).toEqual(findLedgerPlace(environment));
  expect(findLedgerPlace(environment, 'other.sqlite')).toEqual({ file: 'other.sqlite' });
  expect(findLedgerPlace({})).toEqual({ file: path.join(homedir(), '.agon', 'ledger.sqlite') });
});

test('a place is read as people write it', () => {
  expect(parseLedgerPlace('postgresql://db/agon')).toEqual({ url: 'postgresql://db/agon' });
  expect(parseLedgerPlace('postgres-notes.sqlite')).toEqual({ file: 'postgres-notes.sqlite' });
  expect(findLedgerPlace({ AGON_LEDGER: 'postgres://db/agon' })).toEqual({ url: 'postgres://db/agon' });
});
