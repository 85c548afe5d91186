import { annotationStore } from './annotation-store.ts';
import { attachmentStore } from './attachment-store.ts';
import { benchStore } from './bench-store.ts';
import { cacheStore } from './cache-store.ts';
import { caseStore } from './case-store.ts';
import type { Database } from './database.ts';
import { decisionStore } from './decision-store.ts';
import { exportLines } from './export.ts';
import { figuresStore } from './figures-store.ts';
import { idempotencyStore } from './idempotency-store.ts';
import { importLines } from './import.ts';
import { journalStore } from './journal-store.ts';
import { keyStore } from './key-store.ts';
import type { Ledger } from './ledger.ts';
import { policyStore } from './policy-store.ts';
import { precedentStore } from './precedent-store.ts';
import { pruneLedger } from './prune.ts';
import { reviewStore } from './review-store.ts';
import { runStore } from './run-store.ts';
import { sharedSecret } from './shared-secret.ts';
import { fileParts } from './sqlite/item-queue.ts';
import { ledgerStats } from './stats.ts';
import { webhookStore } from './webhook-store.ts';

/** The stores on a database that is open. */
export function ledgerOn(database: Database): Ledger {
  const { fleet, hooks, queue } = database.fleetParts ?? fileParts(database);
  return {
    kind: database.kind,
    place: database.place,
    journal: journalStore(database),
    cases: caseStore(database),
    decisions: decisionStore(database),
    reviews: reviewStore(database),
    precedents: precedentStore(database),
    runs: runStore(database, hooks),
    benches: benchStore(database),
    annotations: annotationStore(database),
    figures: figuresStore(database),
    policies: policyStore(database),
    keys: keyStore(database),
    idempotency: idempotencyStore(database),
    webhooks: webhookStore(database),
    fleet,
    queue,
    attachments: attachmentStore(database),
    cache: cacheStore(database),
    secret: () => sharedSecret(database),
    stats: () => ledgerStats(database),
    export: () => exportLines(database),
    import: (lines) => importLines(database, lines),
    prune: (options) => pruneLedger(database, options),
    close: () => database.close(),
  };
}
