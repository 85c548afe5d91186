import path from 'node:path';
import type { Jobs } from '@agonhq/judges/job';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';
import { rememberReadings } from '@agonhq/models/reasoners';
import { buildResult } from '../build-result.ts';
import type { Dataset } from '../datasets/read-dataset.ts';
import { computeFigures } from '../figures/compute-figures.ts';
import type { JobBench, BenchJobReport, MeasuredRuns } from '../job-bench.ts';
import type { MeasuredSet } from '../report/block.ts';
import { markTraining } from '../report/training-marks.ts';
import type { BenchResult } from '../result.ts';
import { openRecordFile, type RecordStore } from '../systems/results.ts';
import type { MeasuredSystem } from '../systems/system.ts';
import type { BenchPlan, PlannedSet } from './bench-plan.ts';
import { openBenchRecord, readBenchSummary, readStoredBench, type BenchRecord } from './bench-record.ts';
import { explainUnreached, leaveOutUnreached, measureSystems, type WatchRun } from './measure-set.ts';
import { openPlannedSystems, readPlannedSets, type ReadSet, type SharedMeans } from './open-plan.ts';
import { toStoredResult } from './stored-result.ts';
import { findTrainingOverlap } from './training-overlap.ts';

/** One set of data, measured: its figures, and those that its job has always had. */
export interface ReportedSet extends MeasuredSet {
  report: BenchJobReport;
}

/** The same, just measured: what a job fits on its runs is at hand. */
export interface FreshSet extends ReportedSet {
  measured: MeasuredRuns;
  /** Items that a provider's outage kept from some system, and that are still to be judged. */
  leftOut: number;
}

export interface MeasureBenchOptions extends SharedMeans {
  /** Where judgements are kept; null for nowhere. */
  ledger: Ledger | null;
  /** A results file, to go on from and to keep every judgement in. */
  out?: string;
  watch: WatchRun;
  /** Goes on with this bench on record; by default with the one of the plan, where that was not finished. */
  id?: string;
  /** Told once the bench is on record. */
  onRecord?: (record: Pick<BenchRecord, 'id' | 'resumed'>) => void;
  /** What a reader must know of every set, beside what the bench finds out itself. */
  notes?: readonly string[];
  /** Whether systems whose model was trained on the very items of a set are left out of it. */
  unseenOnly?: boolean;
  /** Told what the bench finds out itself. */
  onNote?: (note: string) => void;
  /** Told of each set as soon as it is measured. */
  onSet?: (set: ReportedSet) => void;
}

/** Enough for the texts of one set, which every system reads. */
const tokensRemembered = 2_000_000;

/** Measures every system of a plan on every set of its data. */
export async function measureBench(plan: BenchPlan, options: MeasureBenchOptions): Promise<FreshSet[]> {
  const sets = await readPlannedSets(plan);
  const file = options.out === undefined ? null : await openRecordFile(options.out);
  let record: BenchRecord | null = null;
  let store: RecordStore | null = file;
  let isOpen = false;
  /** Once the first systems are there: a name that no system has leaves no bench on record. */
  const openStore = async () => {
    if (!isOpen) {
      isOpen = true;
      record = await openRecord(plan, sets, options);
      if (record) options.onRecord?.(record);
      store = combineStores(file, record);
    }
    return { store, record };
  };
  const forget = rememberReadings(tokensRemembered);
  try {
    const measured = await measureSets(plan, sets, { ...options, openStore });
    await store?.close();
    // What an outage hit is judged when it is taken up again.
    await (record as BenchRecord | null)?.end(measured.some(({ leftOut }) => leftOut > 0) ? 'stopped' : 'done');
    return measured;
  } catch (error) {
    // What went wrong is what counts, also where the ledger can no longer be told.
    await store?.close().catch(() => {});
    await (record as BenchRecord | null)
      ?.end(AgonError.is(error) && error.code === 'cancelled' ? 'stopped' : 'failed')
      .catch(() => {});
    throw error;
  } finally {
    forget();
  }
}

async function openRecord(
  plan: BenchPlan,
  sets: readonly ReadSet[],
  { ledger, id }: Pick<MeasureBenchOptions, 'ledger' | 'id'>,
): Promise<BenchRecord | null> {
  return (
    ledger &&
    openBenchRecord(
      ledger,
      plan,
      sets.map(({ data }) => ({ sha256: data.sha256, items: data.lines.length })),
      id,
    )
  );
}

async function measureSets(plan: BenchPlan, sets: readonly ReadSet[], options: SetOptions): Promise<FreshSet[]> {
  const measured: FreshSet[] = [];
  for (const [index, read] of sets.entries()) {
    const { set, stored, findRecord } = await measureSet(plan, read, options);
    options.onSet?.(set);
    const { record } = await options.openStore();
    await record?.attachSet(index, stored, findRecord);
    measured.push(set);
  }
  return measured;
}

/** Writes to both, and goes on from what either has. */
function combineStores(file: RecordStore | null, record: RecordStore | null): RecordStore | null {
  if (!file || !record) return file ?? record;
  return {
    records: async function* () {
      yield* record.records();
      yield* file.records();
    },
    async write(entry) {
      await file.write(entry);
      await record.write(entry);
    },
    async close() {
      await Promise.all([file.close(), record.close()]);
    },
  };
}

type SetOptions = MeasureBenchOptions & {
  openStore(): Promise<{ store: RecordStore | null; record: BenchRecord | null }>;
};

async function measureSet(
  plan: BenchPlan,
  set: ReadSet,
  { openStore, watch, notes: given = [], unseenOnly = false, onNote, ...means }: SetOptions,
) {
  const { parameters, concurrency } = plan;
  const { planned, bench, data } = set;
  const overlap = await findTrainingOverlap(bench, data, planned, means.precedents);
  const { systems: opened, notes, close } = await openPlannedSystems(plan, set, means);
  try {
    const systems = unseenOnly ? opened.filter(({ models }) => overlap.trained(models) !== 'these-items') : opened;
    assertForeign(systems, data);
    const silent: string[] = [];
    const { store } = await openStore();
    const runner = await bench.openRunner(store, { withTurns: true });
    const measuredRuns = await measureSystems(data, systems, {
      run: (system, options) => runner.run(system, data, options),
      concurrency,
      watch,
      onNote: (note) => silent.push(note),
    });
    const { data: reached, runs, leftOut } = leaveOutUnreached(data, measuredRuns);
    const items = reached.lines.map((line) => ({
      line: line.line,
      id: 'item' in line ? (line.item.id ?? null) : null,
    }));
    const found = [
      ...notes,
      ...silent,
      ...(leftOut > 0 ? [explainUnreached(leftOut)] : []),
      ...systems.flatMap((system) => system.notesOn?.(items) ?? []),
      ...(systems.length < opened.length ? [explainLeftOut(opened.length - systems.length)] : overlap.notes),
    ];
    for (const note of found) onNote?.(note);
    const about = { data: describeData(planned, data), parameters, notes: [...given, ...found] };
    const result = buildResult(
      bench,
      about,
      systems.map((system, index) => ({ system, trained: overlap.trained(system.models), runs: runs[index]! })),
    );
    const measured = { data: reached, systems, runs };
    const report = bench.buildReport(measured, {
      ...(planned.by === undefined ? {} : { by: planned.by }),
      notes: about.notes,
    });
    const fresh: FreshSet = { ...toReportedSet(bench, result, report), measured, leftOut };
    return { set: fresh, stored: { frame: toStoredResult(result, runs), report }, findRecord: runner.findRecord };
  } finally {
    await close();
  }
}

function explainLeftOut(systems: number): string {
  return (
    `${systems === 1 ? 'One system is' : `${systems} systems are`} left out: their model was trained on these items, ` +
    'and what it says of them is no measure.'
  );
}

function describeData({ title, published }: PlannedSet, { file, sha256, format }: Dataset): BenchResult['data'] {
  return { title: title ?? path.basename(file), file, sha256, format, published };
}

/** Whoever hands in the labels as predictions would be right of everything. */
function assertForeign(systems: readonly MeasuredSystem[], { sha256, file }: Dataset): void {
  const copied = systems.find(({ repeats }) => repeats[0]!.configuration === `sha256:${sha256}`);
  if (copied)
    throw new AgonError(
      'predictions-are-labels',
      `The predictions of ${copied.name} are ${file} itself, with its labels.`,
      'Name the file that holds what the system said.',
    );
}

function toReportedSet(bench: JobBench, result: BenchResult, report: BenchJobReport): ReportedSet {
  return {
    job: bench.presentation,
    result,
    figures: computeFigures(result),
    own: bench.buildBlocks(report).map((block) => markTraining(block, result.systems)),
    report,
  };
}

/** A bench on record, with its figures made again: nothing is judged. `missing` are sets that it did not come to. */
export async function readBench(
  ledger: Ledger,
  id: string,
  jobs?: Jobs,
): Promise<{ title: string; sets: ReportedSet[]; missing: string[] }> {
  const { row, sets } = await readStoredBench(ledger, id, jobs);
  const { title, sets: planned } = readBenchSummary(row);
  return {
    title,
    missing: planned.slice(sets.length).map((set) => set.title),
    sets: sets.map(({ bench, result, report }) => toReportedSet(bench, result, report as BenchJobReport)),
  };
}
