import { openLedgerCache, type AgonParts } from '../../app/index.ts';
import { resultOf, findTurns, type Usage, isObservation, type Answer } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { readPages } from '../../async-items.ts';
import type { Jobs } from '@agonhq/judges/job';
import type { ItemError, Ledger, CaseFilter } from '@agonhq/ledger';
import type { Policy } from '@agonhq/engine/policy';
import { createLlmPool } from '@agonhq/models/reasoners';
import { replay, type Outcome, type Retrial } from '../../retrials/index.ts';
import { llmSettingsOf, type Settings } from '../../settings/index.ts';
import { isMistake } from '../mistakes.ts';
import { type Progress, runItems } from '../run-items.ts';
import { sha256 } from '@agonhq/engine/hash';
import { readItemPages } from '../results/export-results.ts';
import { toOneLine } from '@agonhq/engine/text';

/** What a clause had to do with the changes. */
export interface ClauseImpact {
  /** Null where no clause was named before or after. */
  clause: string | null;
  /** `safe → unsafe`: how many flips of cases that named it, before or after. */
  flips: Record<string, number>;
  /** Cases that name it now and did not, and those that did and do not. */
  entered: number;
  left: number;
  /** Some of these cases. */
  examples: readonly string[];
}

type Counted = Pick<
  ImpactReport,
  'cases' | 'unchanged' | 'flips' | 'otherClauses' | 'byClause' | 'escalated' | 'degraded' | 'recalled' | 'argued'
>;

const examplesKept = 5;

/** Counts retrials under another policy. */
function impactTally() {
  const counts = { cases: 0, unchanged: 0, otherClauses: 0, degraded: 0, recalled: 0, argued: 0 };
  const escalated = { before: 0, after: 0 };
  const flips = new Map<string, number>();
  const clauses = new Map<
    string | null,
    { flips: Map<string, number>; entered: number; left: number; examples: string[] }
  >();

  return {
    /** Counts one, and says what changed in it; null when nothing did. */
    add(id: string, { before, after, flipped, recalled, argued, answer }: Retrial): ChangedCase | null {
      counts.cases += 1;
      counts.recalled += recalled.length;
      counts.argued += argued.length;
      if (before.escalate) escalated.before += 1;
      if (after.escalate) escalated.after += 1;
      if (lacksAnswers(answer as Answer)) counts.degraded += 1;
      const entered = after.categories.filter((clause) => !before.categories.includes(clause));
      const left = before.categories.filter((clause) => !after.categories.includes(clause));
      if (!flipped && entered.length === 0 && left.length === 0) {
        counts.unchanged += 1;
        return null;
      }
      const pair = flipped ? `${before.label} → ${after.label}` : null;
      if (pair === null) counts.otherClauses += 1;
      else increment(flips, pair);
      const named = pair === null ? [...entered, ...left] : [...new Set([...before.categories, ...after.categories])];
      for (const clause of named.length > 0 ? named : [null]) {
        const seen = clauseAt(clause);
        if (pair !== null) increment(seen.flips, pair);
        if (clause !== null && entered.includes(clause)) seen.entered += 1;
        if (clause !== null && left.includes(clause)) seen.left += 1;
        if (seen.examples.length < examplesKept) seen.examples.push(id);
      }
      return {
        case: id,
        again: after.id,
        flipped,
        before: outcome(before),
        after: outcome(after),
        excerpt: excerptOf(answer as Answer),
      };
    },
    report(): Counted {
      const byClause = [...clauses].map(([clause, { flips: of, ...rest }]) => ({ clause, flips: sorted(of), ...rest }));
      const weight = ({ flips: of, entered, left }: ClauseImpact) =>
        Object.values(of).reduce((sum, number) => sum + number, 0) * 1e6 + entered + left;
      return {
        ...counts,
        escalated: { ...escalated },
        flips: sorted(flips),
        byClause: byClause.toSorted((a, b) => weight(b) - weight(a)),
      };
    },
  };

  function clauseAt(clause: string | null) {
    let seen = clauses.get(clause);
    if (!seen) clauses.set(clause, (seen = { flips: new Map(), entered: 0, left: 0, examples: [] }));
    return seen;
  }
}

function lacksAnswers({ transcript }: Answer): boolean {
  return findTurns(transcript).some(({ fallback }) => fallback !== undefined);
}

function outcome({ label, risk, escalate, rule, categories }: Outcome): ChangedCase['before'] {
  return { label, risk, escalate, rule: rule.id, clauses: categories };
}

const longestExcerpt = 160;

function excerptOf({ sources }: Answer): string {
  const text = (sources.find((source) => !isObservation(source)) ?? sources[0])?.text ?? '';
  return toOneLine(text.slice(0, longestExcerpt).toWellFormed());
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}

export interface ImpactOptions {
  jobs: Jobs;
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

type ImpactOutcome = Pick<Outcome, 'label' | 'risk' | 'escalate'> & { rule: string; clauses: readonly string[] };

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
export async function measureImpact(ledger: Ledger, options: ImpactOptions): Promise<ImpactReport> {
  const { jobs, policy, cases = {}, settings = {}, parts = {}, concurrency = 8, signal } = options;
  const pool = createLlmPool(llmSettingsOf(settings), parts.environment ?? process.env, openLedgerCache(ledger));
  const tally = impactTally();
  const failed: Record<string, number> = {};
  let skipped = 0;
  let stopped: ImpactReport['stopped'] = null;
  try {
    await runItems<string, Retrial>({
      items: numbered(listPastCases(jobs, ledger, cases)),
      judge: async (id, abort) =>
        paidFor(
          await resultOf(replay(ledger, id, { policy }, { jobs, settings, parts: { ...parts, pool }, signal: abort })),
        ),
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
      total: await numberOf(listPastCases(jobs, ledger, cases)),
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

/** A verdict that lacks an answer for want of money would pass for a flip. */
function paidFor(retrial: Retrial): Retrial {
  const unpaid = findTurns(retrial.answer.transcript ?? []).some(({ fallback }) => fallback?.reason === 'budget');
  if (!unpaid) return retrial;
  throw new AgonError('budget-spent', 'The budget does not cover another case.', {
    library: 'Raise the budget and run it again: finished turns are recalled.',
    cli: 'Raise it (--run-budget-usd, --budget-usd) and run the same command again: finished turns are recalled.',
    api: 'Raise `budget` in the settings of the server, and ask again: finished turns are recalled.',
  });
}

/** Which cases of the record are meant. */
export interface PastCases {
  /** Those of a run; `since` and `job` hold for all others. */
  run?: string;
  since?: Date;
  job?: string;
  /** The newest so many. */
  limit?: number;
  /** So many, drawn from them by the seed: the same seed draws the same. */
  sample?: number;
  seed?: number;
}

/** Ids of cases that were judged by a policy: no retrials, no dossiers, none whose content was forgotten. */
export async function* listPastCases(
  jobs: Jobs,
  ledger: Ledger,
  { sample, seed = 0, ...wanted }: PastCases,
): AsyncGenerator<string, void, void> {
  if (sample === undefined) yield* limited(jobs, ledger, wanted);
  else yield* drawn(limited(jobs, ledger, wanted), sample, seed);
}

async function* limited(
  jobs: Jobs,
  ledger: Ledger,
  { limit = Infinity, ...wanted }: PastCases,
): AsyncGenerator<string, void, void> {
  let number = 0;
  for await (const id of wanted.run === undefined ? fromRecord(jobs, ledger, wanted) : fromRun(ledger, wanted.run)) {
    if (number >= limit) return;
    number += 1;
    yield id;
  }
}

async function* fromRun(ledger: Ledger, run: string): AsyncGenerator<string, void, void> {
  for await (const page of readItemPages(ledger, run, { states: ['done'] }))
    for (const { result } of page) if (result) yield result.case;
}

async function* fromRecord(jobs: Jobs, ledger: Ledger, { since, job }: PastCases): AsyncGenerator<string, void, void> {
  const filter: CaseFilter = { finished: true, ...(since ? { since } : {}), ...(job ? { job } : {}) };
  for await (const row of readPages((after) => ledger.cases.listCases(filter, { limit: 500, after })))
    if (jobs.find(row.job)?.usesPolicy && row.again === null && row.forgottenAt === null) yield row.id;
}

/** Those whose hash with the seed is lowest: a draw that stays the same while cases are added elsewhere. */
async function* drawn(ids: AsyncIterable<string>, sample: number, seed: number): AsyncGenerator<string, void, void> {
  const kept: { id: string; rank: string }[] = [];
  for await (const id of ids) {
    const rank = sha256(`${seed}:${id}`);
    if (kept.length >= sample && rank >= kept.at(-1)!.rank) continue;
    const at = kept.findIndex((other) => other.rank > rank);
    kept.splice(at === -1 ? kept.length : at, 0, { id, rank });
    if (kept.length > sample) kept.pop();
  }
  for (const { id } of kept) yield id;
}
