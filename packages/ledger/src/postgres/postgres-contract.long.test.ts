import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { actionsContract } from '@agonhq/test/support/actions-contract.ts';
import { annotationContract } from '@agonhq/test/support/annotation-contract.ts';
import { benchContract } from '@agonhq/test/support/bench-contract.ts';
import { queuesContract } from '@agonhq/test/support/queues-contract.ts';
import { callsContract } from '@agonhq/test/support/calls-contract.ts';
import { correctionsContract } from '@agonhq/test/support/corrections-contract.ts';
import { findingEditsContract } from '@agonhq/test/support/finding-edits-contract.ts';
import { figuresContract } from '@agonhq/test/support/figures-contract.ts';
import { holdsContract } from '@agonhq/test/support/holds-contract.ts';
import { ledgerContract } from '@agonhq/test/support/ledger-contract.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { recordsContract } from '@agonhq/test/support/records-contract.ts';
import { withAudit } from '@agonhq/test/support/with-audit.ts';
import { serverRecordsContract } from '@agonhq/test/support/server-records-contract.ts';
import { watchingContract } from '@agonhq/test/support/watching-contract.ts';
import { openLedger } from '../index.ts';

let server: PostgresServer;

beforeAll(async () => void (server = await startPostgres()), 60_000);
afterAll(() => server.stop(), 60_000);

const make = async () => withAudit(await openLedger({ url: await server.newLedger() }));
const makeTampered = async () => {
  const url = await server.newLedger();
  return {
    ledger: await openLedger({ url }),
    openAgain: () => openLedger({ url }),
    async execute(statement: string) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(statement);
      await client.end();
    },
  };
};

describe('a ledger on a server of PostgreSQL', () => ledgerContract({ make }));
describe('a bench on a server of PostgreSQL', () => benchContract({ make }));
describe('figures of many cases on a server of PostgreSQL', () => figuresContract({ make }));
describe('what a server keeps on a server of PostgreSQL', () => serverRecordsContract({ make }));
describe('an annotation project on a server of PostgreSQL', () => annotationContract({ make }));
describe('what people say of claims on a server of PostgreSQL', () => correctionsContract({ make }));
describe('what is watched on a server of PostgreSQL', () => watchingContract({ make }));
describe('what people make of findings on a server of PostgreSQL', () => findingEditsContract({ make }));
describe('actions and contexts on a server of PostgreSQL', () => actionsContract({ make }));
describe('what models were sent and said, on a server of PostgreSQL', () => callsContract({ make }));
describe('queues of reviewers on a server of PostgreSQL', () => queuesContract({ make }));
describe('the trees on a server of PostgreSQL', () => recordsContract({ make: makeTampered }));
describe('legal holds on a server of PostgreSQL', () => holdsContract({ make: makeTampered }));
