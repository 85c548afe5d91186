import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe } from 'vitest';
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
import { recordsContract } from '@agonhq/test/support/records-contract.ts';
import { withAudit } from '@agonhq/test/support/with-audit.ts';
import { serverRecordsContract } from '@agonhq/test/support/server-records-contract.ts';
import { watchingContract } from '@agonhq/test/support/watching-contract.ts';
import { openNewLedger } from '@agonhq/test/support/new-ledger.ts';
import { openLedger } from '../index.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-ledger-'));
let made = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const make = async () => withAudit(await openNewLedger(path.join(folder, `ledger-${(made += 1)}.sqlite`)));
const makeTampered = async () => {
  const file = path.join(folder, `ledger-${(made += 1)}.sqlite`);
  return {
    ledger: await openNewLedger(file),
    openAgain: () => openLedger({ file }),
    async execute(statement: string) {
      const database = new DatabaseSync(file);
      database.exec(statement);
      database.close();
    },
  };
};

describe('a ledger in a file of SQLite', () => ledgerContract({ make }));
describe('a bench in a file of SQLite', () => benchContract({ make }));
describe('figures of many cases in a file of SQLite', () => figuresContract({ make }));
describe('what a server keeps in a file of SQLite', () => serverRecordsContract({ make }));
describe('an annotation project in a file of SQLite', () => annotationContract({ make }));
describe('what people say of claims in a file of SQLite', () => correctionsContract({ make }));
describe('what is watched in a file of SQLite', () => watchingContract({ make }));
describe('what people make of findings in a file of SQLite', () => findingEditsContract({ make }));
describe('actions and contexts in a file of SQLite', () => actionsContract({ make }));
describe('what models were sent and said, in a file of SQLite', () => callsContract({ make }));
describe('queues of reviewers in a file of SQLite', () => queuesContract({ make }));
describe('the trees of a file of SQLite', () => recordsContract({ make: makeTampered }));
describe('legal holds in a file of SQLite', () => holdsContract({ make: makeTampered }));
