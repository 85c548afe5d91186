import type { Check } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { KeptCheckpoint, KnownRoot, Ledger, RecordProblem, RecordsReport } from '../index.ts';
import { checkChain, describeSignature, type CheckedChain } from './check-chain.ts';
import { readCheckpoint } from './checkpoint.ts';
import type { PublicKeys } from './envelope.ts';
import { verifyTimeStamp } from './time-stamp/verify.ts';

export interface LedgerAuditOptions {
  /** Of those who may sign checkpoints. */
  keys: PublicKeys;
  /** Checkpoints that were kept elsewhere. */
  kept?: readonly { name: string; text: string }[];
  onProgress?(checked: number, all: number): void;
}

export interface LedgerAudit {
  holds: boolean;
  checks: Check[];
  records: RecordsReport;
}

/**
 * Compares a ledger with its trees, its trees with its checkpoints, and those with the ones that were kept elsewhere.
 */
export async function auditLedger(
  { records }: Pick<Ledger, 'records'>,
  { keys, kept = [], onProgress }: LedgerAuditOptions,
): Promise<LedgerAudit> {
  const stored = await records.listCheckpoints();
  const { ledger } = await records.readState();
  const chain = checkChain(ledger, stored, keys);
  const elsewhere = kept.map((file) => checkKept(ledger, file, chain, keys));
  const known = [...elsewhere.flatMap(({ roots }) => roots), ...chain.roots];
  const report = await records.audit({ known, ...(onProgress && { onProgress }) });
  const checks = [
    ...checkReport(report),
    chain.check,
    ...elsewhere.map(({ check }) => check),
    ...checkTimeStamps(stored),
  ];
  return { holds: checks.every(({ outcome }) => outcome !== 'wrong'), checks, records: report };
}

const ofTrees = new Set<RecordProblem['what']>(['rewritten', 'rolled-back']);

function checkReport(report: RecordsReport): Check[] {
  const inTrees = report.problems.filter(({ what }) => ofTrees.has(what));
  const inRecords = report.problemCount - inTrees.length;
  const { leaves, waiting, superseded, forgotten } = report;
  const apart = [
    superseded > 0 && `${format(superseded)} of them written over since`,
    forgotten > 0 && `${format(forgotten)} forgotten`,
    waiting > 0 && `${format(waiting)} without a place in a tree yet`,
  ].filter((part) => part !== false);
  const rest = apart.length === 0 ? '' : ` (${apart.join(', ')})`;
  return [
    {
      name: 'records',
      outcome: inRecords === 0 ? 'ok' : 'wrong',
      detail:
        inRecords === 0
          ? `${format(leaves)} entries are as they were written${rest}`
          : `${format(inRecords)} of ${format(leaves)} are not as they were written${rest}`,
    },
    {
      name: 'trees',
      outcome: inTrees.length === 0 ? 'ok' : 'wrong',
      detail:
        inTrees.length === 0
          ? report.trees.map(({ month, size }) => `${month}: ${format(size)}`).join(', ') || 'none yet'
          : `${format(inTrees.length)} of them do not hold`,
    },
  ];
}

function checkKept(
  ledger: string,
  { name, text }: { name: string; text: string },
  chain: CheckedChain,
  keys: PublicKeys,
): { check: Check; roots: KnownRoot[] } {
  const one = readCheckpoint(text, keys);
  if (!one)
    throw new AgonError(
      'unreadable-checkpoint',
      `${name} is not a checkpoint of a ledger.`,
      'Pass a file that `agon ledger checkpoint --out FILE` wrote.',
    );
  const { number, trees } = one.checkpoint;
  const here = chain.read.get(number);
  const problem =
    one.signature !== 'valid'
      ? describeSignature(one)
      : one.checkpoint.ledger !== ledger
        ? 'it is of another ledger'
        : here === undefined
          ? `the ledger has no checkpoint ${number}: it was rolled back to an earlier state, or checkpoints were ` +
            'removed'
          : here.hash !== one.hash
            ? `the ledger has another checkpoint ${number}: it was rewritten`
            : null;
  return {
    check: {
      name,
      outcome: problem === null ? 'ok' : 'wrong',
      detail: problem ?? `checkpoint ${number} of ${one.checkpoint.madeAt} is in the ledger as it was made`,
    },
    roots: one.checkpoint.ledger === ledger ? trees.map((tree) => ({ ...tree, source: name })) : [],
  };
}

/** Nothing where no authority was ever asked. */
function checkTimeStamps(stored: readonly KeptCheckpoint[]): Check[] {
  const asked = stored.filter(({ timeStamp, timeStampProblem }) => timeStamp !== null || timeStampProblem !== null);
  if (asked.length === 0) return [];
  const problems: string[] = [];
  let last = '';
  let stamped = 0;
  for (const { number, envelope, timeStamp } of asked) {
    if (!timeStamp) continue;
    try {
      const { at, authority } = verifyTimeStamp(timeStamp, Buffer.from(envelope));
      last = `; the last of ${at.toISOString()} by ${authority}`;
      stamped += 1;
    } catch (error) {
      problems.push(`checkpoint ${number}: ${(error as Error).message}`);
    }
  }
  const without = asked.find(({ timeStamp }) => timeStamp === null);
  const lacking = without ? `. Checkpoint ${without.number} has none: ${without.timeStampProblem}` : '';
  const detail = `${stamped} of ${asked.length} have one${last}${lacking}`;
  return [
    {
      name: 'time stamps',
      outcome: problems.length > 0 ? 'wrong' : stamped > 0 ? 'ok' : 'not-checked',
      detail: problems.length > 0 ? problems.join('; ') : detail,
    },
  ];
}

function format(count: number): string {
  return count.toLocaleString('en');
}
