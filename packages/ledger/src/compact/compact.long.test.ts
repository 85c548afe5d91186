import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { compactContract, type OpenedLedger } from '@agonhq/test/support/compact-contract.ts';
import { singleContextContract } from '@agonhq/test/support/single-context-contract.ts';
import { restoreInto } from '@agonhq/test/support/backup-stage.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { openLedger, type Ledger, type LedgerPlace } from '../index.ts';
import { namePart } from '../postgres/partitions.ts';

let server: PostgresServer;

beforeAll(async () => void (server = await startPostgres()), 60_000);
afterAll(() => server.stop(), 60_000);

const open: Ledger[] = [];

async function openForTest(place: LedgerPlace): Promise<Ledger> {
  const ledger = await openLedger(place);
  open.push(ledger);
  return ledger;
}

// A server has only so many connections. One that a test has closed itself may complain.
afterEach(() => Promise.allSettled(open.splice(0).map((ledger) => ledger.close())));

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
      restoreBackup: async () => {
        const copy = { url: await server.newDatabase() };
        await restoreInto(copy, { url });
        return openForTest(copy);
      },
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
