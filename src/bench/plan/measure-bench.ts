import path from 'node:path';
import { AgonError } from '../../errors.ts';
import type { Ledger } from '../../ledger/index.ts';
import { nameDataset } from '../../runs/index.ts';
import { modelFamily, rememberReadings } from '../../reasoners/index.ts';
import { buildDocumentsReport, type DocumentsReport } from '../jobs/documents/report.ts';
import { readClaimResults } from '../jobs/documents/run-claims.ts';
import type { EvaluatorRuns } from '../jobs/evaluation/figures.ts';
import { buildEvaluationReport, type EvaluationReport } from '../jobs/evaluation/report.ts';
import { readDataset, type Dataset, type LabelledData } from '../datasets/read-dataset.ts';
import type { LabelledExchange } from '../jobs/evaluation/labelled-exchange.ts';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import { computeFigures } from '../figures/compute-figures.ts';
import { buildModerationReport, type ModerationReport } from '../jobs/moderation/report.ts';
import type { MeasuredSet } from '../report/index.ts';
import { buildClaimResult, buildSafetyResult } from '../build-result.ts';
import type { BenchResult } from '../result.ts';
import { openClaimSystems } from '../jobs/documents/systems.ts';
import type { OpenSystemsOptions } from '../systems/open-systems.ts';
import { openEvaluationSystems, type EvaluationSystem } from '../jobs/evaluation/systems.ts';
import { openModerationSystems } from '../jobs/moderation/systems.ts';
import {
  keptJudgementSchema,
  openRecordFile,
  readResults,
  type RecordStore,
  type Results,
} from '../systems/results.ts';
import type { MeasuredSystem, SystemDescription } from '../systems/system.ts';
import type { BenchPlan, PlannedSet } from './bench-plan.ts';
import { openBenchRecord, readStoredBench, readBenchSummary, type BenchRecord } from './bench-record.ts';
import { findTrainingOverlap, type TrainingOverlap } from './training-overlap.ts';
import { measureClaims, measureSystems, type WatchRun } from './measure-set.ts';
import { ownBlocks } from './own-blocks.ts';
import { drawShots } from './shots.ts';
import { toStoredResult } from './stored-result.ts';

export type JobReport = ModerationReport | EvaluationReport | DocumentsReport;

/** One set of data, measured: its figures, and those that its job has always had. */
export interface ReportedSet extends MeasuredSet {
  report: JobReport;
}

/** The same, just measured: what a reference and a calibration are fitted on is at hand. */
export interface FreshSet extends ReportedSet {
  /** Null for other jobs. */
  evaluation: { data: LabelledData<LabelledExchange>; evaluators: readonly EvaluatorRuns[] } | null;
}

export interface MeasureBenchOptions {
  /** Where judgements are kept; null for nowhere. */
  ledger: Ledger | null;
  /** A results file, to go on from and to keep every judgement in. */
  out?: string;
  watch: WatchRun;
  /** Told once the bench is on record. */
  onRecord?: (record: Pick<BenchRecord, 'id' | 'resumed'>) => void;
  /** What a reader must know of every set, beside what the bench finds out itself. */
  notes?: readonly string[];
  /** Told what the bench finds out itself. */
  onNote?: (note: string) => void;
  /** Told of each set as soon as it is measured. */
  onSet?: (set: ReportedSet) => void;
}

/** Enough for the texts of one set, which every system reads. */
const tokensRemembered = 2_000_000;

/** Measures every system of a plan on every set of its data. */
export async function measureBench(plan: BenchPlan, options: MeasureBenchOptions): Promise<FreshSet[]> {
  const sets: ReadSet[] = [];
  for (const planned of plan.sets) sets.push({ planned, data: await readDataset(planned.file, planned) });
  const file = options.out === undefined ? null : await openRecordFile(options.out);
  const record = await recordOf(plan, sets, options).catch(async (error: unknown) => {
    await file?.close();
    throw error;
  });
  if (record) options.onRecord?.(record);
  const keeper = both(file, record);
  const forget = rememberReadings(tokensRemembered);
  try {
    const measured = await measureSets(plan, sets, { ...options, keeper, record });
    await keeper?.close();
    await record?.end('done');
    return measured;
  } catch (error) {
    // What went wrong is what counts, also where the ledger can no longer be told.
    await keeper?.close().catch(() => {});
    await record?.end(AgonError.is(error) && error.code === 'cancelled' ? 'stopped' : 'failed').catch(() => {});
    throw error;
  } finally {
    forget();
  }
}

type ReadSet = { planned: PlannedSet; data: Dataset };

async function recordOf(
  plan: BenchPlan,
  sets: readonly ReadSet[],
  { ledger }: Pick<MeasureBenchOptions, 'ledger'>,
): Promise<BenchRecord | null> {
  return (
    ledger &&
    openBenchRecord(
      ledger,
      plan,
      sets.map(({ data }) => ({ sha256: data.sha256, items: data.lines.length })),
    )
  );
}

async function measureSets(
  plan: BenchPlan,
  sets: readonly ReadSet[],
  options: SetOptions & { record: BenchRecord | null },
): Promise<FreshSet[]> {
  const measured: FreshSet[] = [];
  for (const [index, { planned, data }] of sets.entries()) {
    const set = await measureSet(plan, planned, data, options);
    options.onSet?.(set.benched);
    await options.record?.attachSet(index, set.recorded, set.judged);
    measured.push(set.benched);
  }
  return measured;
}

/** Writes to both, and goes on from what either has. */
function both(file: RecordStore | null, record: RecordStore | null): RecordStore | null {
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

type SetOptions = MeasureBenchOptions & { keeper: RecordStore | null };

async function measureSet(
  plan: BenchPlan,
  planned: PlannedSet,
  data: Dataset,
  { keeper, watch, notes: given = [], onNote }: SetOptions,
) {
  const { parameters, concurrency } = plan;
  const before = await findTrainingOverlap(data, planned);
  const options: OpenSystemsOptions = {
    repeats: parameters.repeats,
    rounds: planned.rounds,
    agents: planned.agents,
    datasets: [nameDataset(data.file)],
    shots: async (job) =>
      (await drawShots(job, planned.shots, parameters.seed, data as LabelledData<LabelledItem<unknown>>)) as never[],
  };
  const about = (notes: readonly string[]): Pick<BenchResult, 'data' | 'parameters' | 'notes'> => {
    const found = [...notes, ...before.notes];
    for (const note of found) onNote?.(note);
    return {
      data: {
        title: planned.title ?? path.basename(data.file),
        file: data.file,
        sha256: data.sha256,
        format: data.format,
        published: planned.published,
      },
      parameters,
      notes: [...given, ...found],
    };
  };
  const { result, report, runs, evaluation, judged } = await measured(planned, data, {
    options,
    about,
    before,
    keeper,
    concurrency,
    watch,
  });
  const benched: FreshSet = { ...toReportedSet(result, report), evaluation };
  return { benched, recorded: { frame: toStoredResult(result, runs), report }, judged };
}

interface Measuring {
  options: OpenSystemsOptions;
  about(notes: readonly string[]): Pick<BenchResult, 'data' | 'parameters' | 'notes'>;
  before: TrainingOverlap;
  keeper: RecordStore | null;
  concurrency: number;
  watch: WatchRun;
}

async function measured(
  { systems, settings, by }: PlannedSet,
  data: Dataset,
  { options, about, before, keeper, concurrency, watch }: Measuring,
) {
  const items = data.lines.map((line) => ({ line: line.line, id: 'item' in line ? (line.item.id ?? null) : null }));
  const silent: string[] = [];
  const saidOf = (contenders: readonly MeasuredSystem<unknown>[], notes: readonly string[]) =>
    about([...notes, ...silent, ...contenders.flatMap((contender) => contender.notesOn?.(items) ?? [])]);
  const withTraits = <Run>(contenders: readonly SystemDescription[], runs: readonly Run[][]) =>
    contenders.map((traits, index) => ({ traits, trained: before.trained(traits.models), runs: runs[index]! }));
  switch (data.job) {
    case 'moderation': {
      const { contenders, notes, close } = await openModerationSystems(systems, settings, options);
      try {
        assertForeign(contenders, data);
        const results = await readResults(keptJudgementSchema, keeper);
        const runs = await measureSystems(data, contenders, {
          results,
          concurrency,
          watch,
          onNote: (note) => silent.push(note),
        });
        return {
          result: buildSafetyResult('moderation', saidOf(contenders, notes), withTraits(contenders, runs)),
          report: buildModerationReport(data, runs, by),
          runs,
          evaluation: null,
          judged: judgedIn(results),
        };
      } finally {
        await close();
      }
    }
    case 'evaluation': {
      const { contenders, notes, close } = await openEvaluationSystems(systems, settings, options);
      try {
        assertForeign(contenders, data);
        const results = await readResults(keptJudgementSchema, keeper);
        const runs = await measureSystems(data, contenders, {
          results,
          concurrency,
          watch,
          onNote: (note) => silent.push(note),
        });
        const said = saidOf(contenders, notes);
        const measures = contenders.map(({ name, evaluator }, index) => ({
          evaluator: { ...evaluator, name },
          runs: runs[index]!,
        }));
        const { delta, gamma } = thresholdsOf(contenders);
        return {
          result: buildSafetyResult('evaluation', said, withTraits(contenders, runs)),
          report: buildEvaluationReport(data, measures, { familyOf: modelFamily, delta, gamma, notes: said.notes }),
          runs,
          evaluation: { data, evaluators: measures },
          judged: judgedIn(results),
        };
      } finally {
        await close();
      }
    }
    case 'documents': {
      const { contenders, notes, close } = await openClaimSystems(systems, settings, options);
      try {
        assertForeign(contenders, data);
        const results = await readClaimResults(keeper);
        const runs = await measureClaims(data, contenders, {
          results,
          concurrency,
          watch,
          onNote: (note) => silent.push(note),
        });
        return {
          result: buildClaimResult(saidOf(contenders, notes), withTraits(contenders, runs)),
          report: buildDocumentsReport(
            data,
            runs.map(([first]) => first!),
          ),
          runs,
          evaluation: null,
          judged: judgedIn(results, (claims) => ({ claims })),
        };
      } finally {
        await close();
      }
    }
  }
}

/** What is kept under a key, in the form that it is kept in. */
function judgedIn<Kept>(
  { judged }: Results<Kept>,
  form: (kept: Kept) => unknown = (kept) => kept,
): (key: string) => unknown {
  return (key) => {
    const kept = judged.get(key);
    return kept && form(kept);
  };
}

/** Whoever hands in the labels as predictions would be right of everything. */
function assertForeign(
  contenders: readonly MeasuredSystem<{ configuration: string }>[],
  { sha256, file }: Dataset,
): void {
  const copied = contenders.find(({ repeats }) => repeats[0]!.configuration === `sha256:${sha256}`);
  if (copied)
    throw new AgonError(
      'predictions-are-labels',
      `The predictions of ${copied.name} are ${file} itself, with its labels.`,
      'Name the file that holds what the system said.',
    );
}

/** All that is made of a result. */
function toReportedSet(result: BenchResult, report: JobReport): ReportedSet {
  return { result, figures: computeFigures(result), own: ownBlocks(report, result), report };
}

/** A bench on record, with its figures made again: nothing is judged. `missing` are sets that it did not come to. */
export async function readBench(
  ledger: Ledger,
  id: string,
): Promise<{ title: string; sets: ReportedSet[]; missing: string[] }> {
  const { row, sets } = await readStoredBench(ledger, id);
  const { title, sets: planned } = readBenchSummary(row);
  return {
    title,
    missing: planned.slice(sets.length).map((set) => set.title),
    sets: sets.map(({ result, report }) => toReportedSet(result, report as JobReport)),
  };
}

/** δ and γ, which all of ours share. */
function thresholdsOf(contenders: readonly EvaluationSystem[]): { delta: number; gamma: number } {
  return contenders.find(({ plan }) => plan !== null)?.plan ?? { delta: 0.5, gamma: 0.1 };
}
