import { ledgerCache, type AgonParts } from '../../app/index.ts';
import { resultOf, findTurns, type Usage } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import type { ItemError, Ledger } from '../../ledger/index.ts';
import type { Policy } from '../../policy/index.ts';
import { createLlmPool } from '../../reasoners/index.ts';
import { replay, type Outcome, type Retrial } from '../../retrials/index.ts';
import { llmSettingsOf, type Settings } from '../../settings/index.ts';
import { impactTally, type ClauseImpact } from './impact-tally.ts';
import { isMistake } from '../mistakes.ts';
import { pastCases, type PastCases } from './past-cases.ts';
import type { Progress } from '../progress.ts';
import { runItems } from '../run-items.ts';

export interface ImpactOptions {
  policy: Policy;
  /** Which cases are judged again; all of them by default. */
  cases?: PastCases;
  /** How models are reached, and what all of it together may cost. */
  settings?: Settings;
  parts?: Pick<AgonParts, 'environment' | 'reasoners' | 'secret'>;
  concurrency?: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress, spent: Usage) => void;
  /** Each case whose verdict or clauses changed, as it is found. */
  onChange?: (change: ChangedCase) => Promise<void> | void;
  onFailure?: (id: string, error: ItemError) => void;
}

/** A case that comes out otherwise under the new policy. */
export interface ChangedCase {
  case: string;
  /** The case that holds it again. */
  again: string;
  flipped: boolean;
  before: ImpactOutcome;
  after: ImpactOutcome;
  /** How it begins. */
  excerpt: string;
}

type ImpactOutcome = Pick<Outcome, 'label' | 'score' | 'escalate'> & { rule: string; clauses: readonly string[] };

/** What a policy would have changed. */
export interface ImpactReport {
  version: 1;
  policy: { name: string; version: string; hash: string };
  /** How many were judged again. */
  cases: number;
  /** Same label and same clauses. */
  unchanged: number;
  /** `safe → unsafe`: how many, the most frequent first. */
  flips: Record<string, number>;
  /** Same label, other clauses. */
  otherClauses: number;
  /** What changed, by the clause that was named before or after; the most flips first. */
  byClause: readonly ClauseImpact[];
  /** How many a person should look at. */
  escalated: { before: number; after: number };
  /** Judged again with a seat that gave no answer: they may have flipped for that alone. */
  degraded: number;
  /** Decided by the embedded reasoner, whose score follows no policy's words: only their clauses can change. */
  embedded: number;
  failed: Record<string, number>;
  /** Forgotten meanwhile, or not judged to the end. */
  skipped: number;
  /** Entries of the trials that were recalled from the record, and that were argued anew. */
  recalled: number;
  argued: number;
  usage: Usage;
  /** Why it ended before its end; null when all cases were judged again. */
  stopped: ItemError | null;
}

const notThere = new Set(['forgotten-case', 'unfinished-case', 'unknown-case']);

/**
 * Judges past cases again under another policy, recalling what the change does not touch, and says what it would have
 * changed. The replays stay on record: asked again, it goes on where it stopped. It ends early with what it has when
 * it is aborted or its budget is spent.
 *
 * @example const { flips, byClause } = await impactOf(ledger, { policy: await loadPolicy('new.yaml') })
 */
export async function impactOf(ledger: Ledger, options: ImpactOptions): Promise<ImpactReport> {
  const { policy, cases = {}, settings = {}, parts = {}, concurrency = 8, signal } = options;
  const pool = createLlmPool(llmSettingsOf(settings), parts.environment ?? process.env, ledgerCache(ledger));
  const tally = impactTally();
  const failed: Record<string, number> = {};
  let skipped = 0;
  let stopped: ImpactReport['stopped'] = null;
  try {
    await runItems<string, Retrial>({
      items: numbered(pastCases(ledger, cases)),
      judge: async (id, abort) =>
        paidFor(await resultOf(replay(ledger, id, { policy }, { settings, parts: { ...parts, pool }, signal: abort }))),
      write: async ({ key, result, error }) => {
        if (error) {
          if (notThere.has(error.code)) skipped += 1;
          else {
            failed[error.code] = (failed[error.code] ?? 0) + 1;
            options.onFailure?.(key, error);
          }
          return;
        }
        const change = tally.add(key, result as Retrial);
        if (change) await options.onChange?.(change);
      },
      concurrency,
      order: 'as-done',
      total: await numberOf(pastCases(ledger, cases)),
      isFatal: isMistake,
      onProgress: (progress) => options.onProgress?.(progress, pool.spent()),
      signal,
    });
  } catch (error) {
    if (!AgonError.is(error) || !(isMistake(error) || error.code === 'cancelled')) throw error;
    stopped = { code: error.code, message: error.message, hint: error.hint };
  }
  const { name, version, hash } = policy;
  return {
    version: 1,
    policy: { name, version, hash },
    ...tally.report(),
    failed,
    skipped,
    usage: pool.spent(),
    stopped,
  };
}

async function* numbered(ids: AsyncIterable<string>) {
  let line = 0;
  for await (const id of ids) yield { line: (line += 1), key: id, item: id };
}

async function numberOf(ids: AsyncIterable<string>): Promise<number> {
  let number = 0;
  for await (const _ of ids) number += 1;
  return number;
}

/** A verdict that lacks a voice for want of money would pass for a flip. */
function paidFor(retrial: Retrial): Retrial {
  const unpaid = findTurns(retrial.answer.transcript ?? []).some(({ fallback }) => fallback?.reason === 'budget');
  if (!unpaid) return retrial;
  throw new AgonError('budget-spent', 'The budget does not cover another case.', {
    library: 'Raise the budget and run it again: finished turns are recalled.',
    cli: 'Raise it (--run-budget-usd, --budget-usd) and run the same command again: finished turns are recalled.',
    api: 'Raise `budget` in the settings of the server, and ask again: finished turns are recalled.',
  });
}
