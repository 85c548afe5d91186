import type { Check } from '@agonhq/engine/debate';
import type { KeptCheckpoint, KnownRoot } from '../index.ts';
import { readCheckpoint, type Checkpoint, type ReadCheckpoint } from './checkpoint.ts';
import type { PublicKeys } from './envelope.ts';

export interface CheckedChain {
  check: Check;
  /** What each vouches for. */
  roots: KnownRoot[];
  /** By their numbers, those that could be read. */
  read: ReadonlyMap<number, ReadCheckpoint>;
}

/** Whether the checkpoints in a ledger follow one another, and were signed by somebody who may. */
export function checkChain(ledger: string, kept: readonly KeptCheckpoint[], keys: PublicKeys): CheckedChain {
  const problems: string[] = [];
  const roots = new Map<string, KnownRoot>();
  const read = new Map<number, ReadCheckpoint>();
  let before: ReadCheckpoint | null = null;
  for (const [index, { number, envelope }] of kept.entries()) {
    const one = readCheckpoint(envelope, keys);
    const problem = number !== index + 1 ? 'the one before it is missing' : findProblem(ledger, number, one, before);
    if (problem) problems.push(`checkpoint ${number}: ${problem}`);
    if (!one) continue;
    before = one;
    read.set(number, one);
    for (const tree of one.checkpoint.trees) {
      const key = JSON.stringify([tree.month, tree.size, tree.root]);
      if (!roots.has(key)) roots.set(key, { ...tree, source: `checkpoint ${number}` });
    }
  }
  const last = kept.at(-1);
  return {
    check: {
      name: 'checkpoints',
      outcome: problems.length > 0 ? 'wrong' : last ? 'ok' : 'not-checked',
      detail:
        problems.length > 0
          ? describeProblems(problems)
          : last
            ? `${kept.length} in a row, each signed; the last is of ${last.madeAt.toISOString()}`
            : 'none was made yet: `agon ledger checkpoint` makes one',
    },
    roots: [...roots.values()],
    read,
  };
}

function findProblem(
  ledger: string,
  number: number,
  one: ReadCheckpoint | undefined,
  before: ReadCheckpoint | null,
): string | null {
  if (!one) return 'it is damaged';
  if (one.signature !== 'valid') return describeSignature(one);
  if (one.checkpoint.ledger !== ledger) return 'it is of another ledger';
  if (one.checkpoint.number !== number) return `it was signed as checkpoint ${one.checkpoint.number}`;
  if (one.checkpoint.previous !== (before?.hash ?? null)) return 'it does not follow the one before it';
  return before && findShrunken(before.checkpoint, one.checkpoint);
}

function findShrunken(before: Checkpoint, after: Checkpoint): string | null {
  const sizes = new Map(after.trees.map(({ month, size }) => [month, size]));
  const less = before.trees.find(({ month, size }) => (sizes.get(month) ?? 0) < size);
  return less ? `it has less of ${less.month} than the one before it` : null;
}

export function describeSignature({ signature, keyId }: ReadCheckpoint): string {
  return signature === 'wrong'
    ? 'its signature does not hold'
    : `it was signed with ${keyId.slice(0, 19)}…, which is none of the keys that are known (--key names others)`;
}

const mostReported = 3;

function describeProblems(problems: readonly string[]): string {
  const more = problems.length - mostReported;
  return problems.slice(0, mostReported).join('; ') + (more > 0 ? `; and ${more} more` : '');
}
