import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { compactContract, type OpenedLedger } from '@agonhq/test/support/compact-contract.ts';
import { singleContextContract } from '@agonhq/test/support/single-context-contract.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { careForLedger, openLedger, type Ledger, type LedgerPlace } from '../index.ts';
import { namePart } from '../postgres/partitions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-compact-'));
let server: PostgresServer;
let made = 0;

beforeAll(async () => void (server = await startPostgres()), 60_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const open: Ledger[] = [];

async function openForTest(place: LedgerPlace): Promise<Ledger> {
  const ledger = await openLedger(place);
  open.push(ledger);
  return ledger;
}

// A server has only so many connections. One that a test has closed itself may complain.
afterEach(() => Promise.allSettled(open.splice(0).map((ledger) => ledger.close())));

async function restoreInto(to: LedgerPlace, from: LedgerPlace): Promise<Ledger> {
  await using source = await careForLedger(from);
  await using snapshot = await source.openSnapshot();
  {
    await using target = await careForLedger(to);
    const { fill } = target;
    await fill({ ...snapshot.head, madeAt: new Date().toISOString() }, snapshot.parts);
  }
  return openForTest(to);
}

describe('in a file of SQLite', () => {
  const make = async (): Promise<OpenedLedger> => {
    const file = path.join(folder, `ledger-${(made += 1)}.sqlite`);
    return {
      ledger: await openForTest({ file }),
      openAgain: () => openForTest({ file }),
      restoreBackup: () => restoreInto({ file: `${file}.copy` }, { file }),
      async query(statement) {
        const database = new DatabaseSync(file);
        const rows = database.prepare(statement).all();
        database.close();
        return rows;
      },
    };
  };
  compactContract(make);
  singleContextContract(make);
});

describe('on a server of PostgreSQL', () => {
  const make = async (): Promise<OpenedLedger> => {
    const url = await server.newLedger();
    const query: OpenedLedger['query'] = async (statement) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(statement);
      await client.end();
      return rows;
    };
    return {
      ledger: await openForTest({ url }),
      openAgain: () => openForTest({ url }),
      restoreBackup: async () => restoreInto({ url: await server.newDatabase() }, { url }),
      query,
      async hasPart(date) {
        const [row] = await query(`select to_regclass('${namePart(date)}') is not null as present`);
        return row!['present'] === true;
      },
    };
  };
  compactContract(make);
  singleContextContract(make);
});
