import { afterAll, beforeAll, describe } from 'vitest';
import { ledgerContract } from '../../../test/support/ledger-contract.ts';
import { startPostgres, type PostgresServer } from '../../../test/support/postgres.ts';
import { openLedger } from '../index.ts';

let server: PostgresServer;
let database: string;

beforeAll(async () => {
  server = await startPostgres();
  database = await server.newDatabase();
}, 60_000);
afterAll(() => server.stop(), 60_000);

describe('a ledger on a server of PostgreSQL', () => {
  ledgerContract({ make: async () => openLedger({ url: await server.newSchema(database) }) });
});
