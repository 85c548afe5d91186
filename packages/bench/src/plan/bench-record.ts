import { z } from 'zod';
import type { Jobs } from '@agonhq/judges/job';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { BenchRow, Ledger } from '@agonhq/ledger';
import { version } from '@agonhq/engine/version';
import { openLedgerResults, type RecordStore } from '../systems/results.ts';
import type { JobBench } from '../job-bench.ts';
import { requireJobBench } from '../jobs/index.ts';
import type { BenchResult } from '../result.ts';
import type { BenchPlan } from './bench-plan.ts';
import { listJudgementKeys, restoreResult, type StoredResult } from './stored-result.ts';

/** A bench as the ledger keeps it, while it is measured. */
export interface BenchRecord extends RecordStore {
  id: string;
  /** Judgements that an earlier attempt left behind. */
  resumed: number;
  /**
   * Keeps what a set's result is made of, and the job's own report. Judgements that came from elsewhere (`judged`, by
   * key) are kept with it.
   */
  attachSet(index: number, set: RecordedSet, judged: (key: string) => unknown): Promise<void>;
  end(state: 'done' | 'stopped' | 'failed'): Promise<void>;
}

export interface RecordedSet {
  frame: StoredResult;
  /** The figures of the job itself, as `--json` prints them. */
  report: unknown;
}

/** What is measured on: data by its hash, and how many items there are. */
export interface HashedData {
  sha256: string;
  items: number;
}

/** What tells benches apart: everything that may change a judgement or a figure, and no path of a machine. */
export function hashPlan(plan: BenchPlan, hashes: readonly string[]): string {
  const sets = plan.sets.map((set, index) => ({
    ...set,
    file: hashes[index]!,
    root: null,
    shots: set.shots !== undefined,
    settings: { ...set.settings, ledger: null, cache: null },
  }));
  return hashOf({ agon: version, name: plan.name, parameters: plan.parameters, sets }).slice(7, 15);
}

/**
 * Opens the record of a bench. One that was stopped is taken up again; one that was finished is measured anew, under
 * the next number.
 */
export async function openBenchRecord(
  ledger: Ledger,
  plan: BenchPlan,
  data: readonly HashedData[],
  known?: string,
): Promise<BenchRecord> {
  const { id, judged } = await startBenchRecord(ledger, plan, data, known ?? (await findBenchId(ledger, plan, data)));
  const results = await openLedgerResults(ledger, id);
  let failure: { error: unknown } | null = null;
  return {
    id,
    resumed: judged,
    records: async function* () {
      for (const [key, result] of results.seen) yield { line: 0, key, result };
    },
    // Nobody waits for the disk: judgements that come meanwhile share the next transaction. The whole verdict is for
    // those who asked for a results file.
    async write({ result, ...record }) {
      if (failure) throw failure.error;
      void results
        .write({
          ...record,
          result: typeof result === 'object' && result !== null ? { ...result, verdict: undefined } : result,
        })
        .catch((error: unknown) => (failure ??= { error }));
    },
    async close() {
      await results.close();
      if (failure) throw failure.error;
    },
    async attachSet(index, set, judged) {
      const missing = listJudgementKeys(set.frame).filter((key) => !results.seen.has(key));
      await Promise.all(missing.map((key) => results.write({ line: 0, key, result: judged(key) })));
      await ledger.benches.keepAttached(id, `set-${index}`, set);
    },
    end: (state) => ledger.benches.endBench(id, state),
  };
}

/** Puts a bench on record, or says there that it goes on. */
export function startBenchRecord(
  ledger: Ledger,
  plan: BenchPlan,
  data: readonly HashedData[],
  id: string,
  once?: KeyedRequest,
): Promise<BenchRow> {
  return ledger.benches.startBench({ id, name: plan.name, plan: summarizePlan(plan, data) }, once);
}

/** The id of a plan's bench: of one that was not finished, or of the next. */
export async function findBenchId(ledger: Ledger, plan: BenchPlan, data: readonly HashedData[]): Promise<string> {
  const hash = hashPlan(
    plan,
    data.map(({ sha256 }) => sha256),
  );
  for (let number = 1; ; number++) {
    const id = `${hash}-${number}`;
    const found = await exactly(ledger, id);
    if (!found || found.state !== 'done') return id;
  }
}

async function exactly(ledger: Ledger, id: string): Promise<BenchRow | undefined> {
  const found = await ledger.benches.findBench(id).catch((error: unknown) => {
    // Others begin with it, and none is it.
    if (AgonError.is(error) && error.code === 'ambiguous-bench') return undefined;
    throw error;
  });
  return found?.id === id ? found : undefined;
}

const summarySchema = z.object({
  title: z.string(),
  sets: z.array(
    z.object({
      job: z.string(),
      title: z.string(),
      file: z.string(),
      sha256: z.string(),
      items: z.number(),
    }),
  ),
});
export type BenchSummary = z.infer<typeof summarySchema>;

function summarizePlan({ title, sets }: BenchPlan, data: readonly HashedData[]): BenchSummary {
  return {
    title,
    sets: sets.map(({ job, title: called, file }, index) => ({
      job,
      title: called ?? baseName(file),
      file: baseName(file),
      ...data[index]!,
    })),
  };
}

function baseName(file: string): string {
  return file.replace(/^.*[\\/]/, '');
}

export function readBenchSummary(row: BenchRow): BenchSummary {
  return summarySchema.catch({ title: row.name, sets: [] }).parse(row.plan);
}

/** The results of a bench on record with the job's own reports: nothing is judged again. */
export async function readStoredBench(
  ledger: Ledger,
  id: string,
  jobs?: Jobs,
): Promise<{ row: BenchRow; sets: RestoredSet[] }> {
  const row = await ledger.benches.findBench(id);
  if (!row)
    throw new AgonError(
      'unknown-bench',
      `There is no bench ${id} on record.`,
      '`agon bench list` shows those there are.',
    );
  const sets = await readStoredSets(ledger.benches, row.id, jobs);
  if (sets.length === 0)
    throw new AgonError(
      'unfinished-bench',
      `Bench ${row.id} has no figures yet: it was ${row.state === 'running' ? 'not finished' : row.state}.`,
      'Run the same command again: it goes on where it stopped.',
    );
  return { row, sets };
}

export interface RestoredSet {
  bench: JobBench;
  result: BenchResult;
  /** Which judgement each of its outcomes is. */
  stored: StoredResult;
  report: unknown;
}

/** The results on those sets that a bench has come to. */
export async function readStoredSets(
  benches: Pick<Ledger['benches'], 'readJudgements' | 'findAttached'>,
  id: string,
  jobs?: Jobs,
): Promise<RestoredSet[]> {
  const records = new Map<string, unknown>();
  for await (const { key, result } of benches.readJudgements(id)) records.set(key, result);
  const sets: RestoredSet[] = [];
  for (let index = 0; ; index++) {
    const attached = (await benches.findAttached(id, `set-${index}`)) as RecordedSet | undefined;
    if (!attached) return sets;
    const { frame: stored, report } = attached;
    const bench = requireJobBench(stored.job, jobs);
    sets.push({ bench, result: restoreResult(bench, stored, records), stored, report });
  }
}
