export { auditLedger, type LedgerAudit } from './audit-ledger.ts';
export { readKeys } from './envelope.ts';
export { makeCheckpoint, type MadeCheckpoint } from './make-checkpoint.ts';
