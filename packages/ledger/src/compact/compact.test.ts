import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe } from 'vitest';
import { compactContract, type OpenedLedger } from '@agonhq/test/support/compact-contract.ts';
import { singleContextContract } from '@agonhq/test/support/single-context-contract.ts';
import { restoreInto } from '@agonhq/test/support/backup-stage.ts';
import { openLedger, type Ledger, type LedgerPlace } from '../index.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-compact-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

const open: Ledger[] = [];

async function openForTest(place: LedgerPlace): Promise<Ledger> {
  const ledger = await openLedger(place);
  open.push(ledger);
  return ledger;
}

// One that a test has closed itself may complain.
afterEach(() => Promise.allSettled(open.splice(0).map((ledger) => ledger.close())));

describe('in a file of SQLite', () => {
  const make = async (): Promise<OpenedLedger> => {
    const file = path.join(folder, `ledger-${(made += 1)}.sqlite`);
    return {
      ledger: await openForTest({ file }),
      openAgain: () => openForTest({ file }),
      restoreBackup: async () => {
        await restoreInto({ file: `${file}.copy` }, { file });
        return openForTest({ file: `${file}.copy` });
      },
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
