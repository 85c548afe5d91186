import { cacheStore } from './cache-store.ts';
import { caseStore } from './case-store.ts';
import type { Database } from './database.ts';
import { decisionStore } from './decision-store.ts';
import { exportLines } from './export.ts';
import { importLines } from './import.ts';
import { journalStore } from './journal-store.ts';
import type { Ledger } from './ledger.ts';
import { precedentStore } from './precedent-store.ts';
import { pruneLedger } from './prune.ts';
import { runStore } from './run-store.ts';
import { ledgerStats } from './stats.ts';

/** The stores on a database that is open. */
export function ledgerOn(database: Database): Ledger {
  return {
    kind: database.kind,
    place: database.place,
    journal: journalStore(database),
    cases: caseStore(database),
    decisions: decisionStore(database),
    precedents: precedentStore(database),
    runs: runStore(database),
    cache: cacheStore(database),
    stats: () => ledgerStats(database),
    export: () => exportLines(database),
    import: (lines) => importLines(database, lines),
    prune: (options) => pruneLedger(database, options),
    close: () => database.close(),
  };
}
