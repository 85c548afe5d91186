export { auditLedger, type LedgerAudit } from './audit-ledger.ts';
export { readKeys, sealEnvelope, type Signer } from './envelope.ts';
export { makeCheckpoint, type MadeCheckpoint } from './make-checkpoint.ts';
export { proveCase } from './prove-case.ts';
export { readProof, verifyProof, type ProofReport } from './verify-proof.ts';
