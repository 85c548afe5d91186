import path from 'node:path';
import { AgonError } from '../../errors.ts';
import type { Ledger } from '../../ledger/index.ts';
import { datasetNameOf } from '../../runs/index.ts';
import { modelFamily, rememberReadings } from '../../reasoners/index.ts';
import { documentsReport, type DocumentsReport } from '../documents/report.ts';
import { claimResultsOn } from '../documents/claim-results.ts';
import type { EvaluatorRuns } from '../evaluation/evaluator.ts';
import { evaluationReport, type EvaluationReport } from '../evaluation/report.ts';
import { readBenchData, type BenchData, type LabelledData } from '../datasets/read-dataset.ts';
import type { LabelledExchange } from '../datasets/labelled-exchange.ts';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import { figuresOf } from '../figures/compute-figures.ts';
import { moderationReport, type ModerationReport } from '../moderation-report.ts';
import type { MeasuredSet } from '../report/index.ts';
import { claimSheet, safetySheet } from '../sheet-of.ts';
import type { ScoreSheet } from '../result.ts';
import { openClaimContenders } from '../systems/claim-contenders.ts';
import type { ContenderOptions } from '../systems/open-systems.ts';
import { openEvaluationContenders, type EvaluationContender } from '../systems/evaluation-contenders.ts';
import { openModerationContenders } from '../systems/moderation-contenders.ts';
import { judgedSchema, recordFile, resultsOn, type RecordKeeper, type Results } from '../systems/results.ts';
import type { Contender, SystemTraits } from '../systems/system.ts';
import type { BenchPlan, PlannedSet } from './bench-plan.ts';
import { openBenchRecord, sheetsOnRecord, summaryIn, type BenchRecord } from './bench-record.ts';
import { knownBefore, type Foreknowledge } from './training-overlap.ts';
import { measureClaims, measureSafety, type Watch } from './measure-set.ts';
import { ownBlocks } from './own-blocks.ts';
import { drawShots } from './shots.ts';
import { frameOf } from './stored-result.ts';

export type JobReport = ModerationReport | EvaluationReport | DocumentsReport;

/** One set of data, measured: its figures, and those that its job has always had. */
export interface BenchedSet extends MeasuredSet {
  report: JobReport;
}

/** The same, just measured: what a reference and a calibration are fitted on is at hand. */
export interface FreshSet extends BenchedSet {
  /** Null for other jobs. */
  evaluation: { data: LabelledData<LabelledExchange>; evaluators: readonly EvaluatorRuns[] } | null;
}

export interface MeasureBenchOptions {
  /** Where judgements are kept; null for nowhere. */
  ledger: Ledger | null;
  /** A results file, to go on from and to keep every judgement in. */
  out?: string;
  watch: Watch;
  /** Told once the bench is on record. */
  onRecord?: (record: Pick<BenchRecord, 'id' | 'resumed'>) => void;
  /** What a reader must know of every set, beside what the bench finds out itself. */
  notes?: readonly string[];
  /** Told what the bench finds out itself. */
  onNote?: (note: string) => void;
  /** Told of each set as soon as it is measured. */
  onSet?: (set: BenchedSet) => void;
}

/** Enough for the texts of one set, which every system reads. */
const tokensRemembered = 2_000_000;

/** Measures every system of a plan on every set of its data. */
export async function measureBench(plan: BenchPlan, options: MeasureBenchOptions): Promise<FreshSet[]> {
  const sets: ReadSet[] = [];
  for (const planned of plan.sets) sets.push({ planned, data: await readBenchData(planned.file, planned) });
  const file = options.out === undefined ? null : await recordFile(options.out);
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

type ReadSet = { planned: PlannedSet; data: BenchData };

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
function both(file: RecordKeeper | null, record: RecordKeeper | null): RecordKeeper | null {
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

type SetOptions = MeasureBenchOptions & { keeper: RecordKeeper | null };

async function measureSet(
  plan: BenchPlan,
  planned: PlannedSet,
  data: BenchData,
  { keeper, watch, notes: given = [], onNote }: SetOptions,
) {
  const { parameters, concurrency } = plan;
  const before = await knownBefore(data, planned);
  const options: ContenderOptions = {
    repeats: parameters.repeats,
    rounds: planned.rounds,
    agents: planned.agents,
    datasets: [datasetNameOf(data.file)],
    shots: async (job) =>
      (await drawShots(job, planned.shots, parameters.seed, data as LabelledData<LabelledItem<unknown>>)) as never[],
  };
  const about = (notes: readonly string[]): Pick<ScoreSheet, 'data' | 'parameters' | 'notes'> => {
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
  const { sheet, report, runs, evaluation, judged } = await measured(planned, data, {
    options,
    about,
    before,
    keeper,
    concurrency,
    watch,
  });
  const benched: FreshSet = { ...benchedSet(sheet, report), evaluation };
  return { benched, recorded: { frame: frameOf(sheet, runs), report }, judged };
}

interface Measuring {
  options: ContenderOptions;
  about(notes: readonly string[]): Pick<ScoreSheet, 'data' | 'parameters' | 'notes'>;
  before: Foreknowledge;
  keeper: RecordKeeper | null;
  concurrency: number;
  watch: Watch;
}

async function measured(
  { systems, settings, by }: PlannedSet,
  data: BenchData,
  { options, about, before, keeper, concurrency, watch }: Measuring,
) {
  const items = data.lines.map((line) => ({ line: line.line, id: 'item' in line ? (line.item.id ?? null) : null }));
  const silent: string[] = [];
  const saidOf = (contenders: readonly Contender<unknown>[], notes: readonly string[]) =>
    about([...notes, ...silent, ...contenders.flatMap((contender) => contender.notesOn?.(items) ?? [])]);
  const withTraits = <Run>(contenders: readonly SystemTraits[], runs: readonly Run[][]) =>
    contenders.map((traits, index) => ({ traits, trained: before.trained(traits.models), runs: runs[index]! }));
  switch (data.job) {
    case 'moderation': {
      const { contenders, notes, close } = await openModerationContenders(systems, settings, options);
      try {
        assertForeign(contenders, data);
        const results = await resultsOn(judgedSchema, keeper);
        const runs = await measureSafety(data, contenders, {
          results,
          concurrency,
          watch,
          onNote: (note) => silent.push(note),
        });
        return {
          sheet: safetySheet('moderation', saidOf(contenders, notes), withTraits(contenders, runs)),
          report: moderationReport(data, runs, by),
          runs,
          evaluation: null,
          judged: judgedIn(results),
        };
      } finally {
        await close();
      }
    }
    case 'evaluation': {
      const { contenders, notes, close } = await openEvaluationContenders(systems, settings, options);
      try {
        assertForeign(contenders, data);
        const results = await resultsOn(judgedSchema, keeper);
        const runs = await measureSafety(data, contenders, {
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
          sheet: safetySheet('evaluation', said, withTraits(contenders, runs)),
          report: evaluationReport(data, measures, { familyOf: modelFamily, delta, gamma, notes: said.notes }),
          runs,
          evaluation: { data, evaluators: measures },
          judged: judgedIn(results),
        };
      } finally {
        await close();
      }
    }
    case 'documents': {
      const { contenders, notes, close } = await openClaimContenders(systems, settings, options);
      try {
        assertForeign(contenders, data);
        const results = await claimResultsOn(keeper);
        const runs = await measureClaims(data, contenders, {
          results,
          concurrency,
          watch,
          onNote: (note) => silent.push(note),
        });
        return {
          sheet: claimSheet(saidOf(contenders, notes), withTraits(contenders, runs)),
          report: documentsReport(
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
function assertForeign(contenders: readonly Contender<{ configuration: string }>[], { sha256, file }: BenchData): void {
  const copied = contenders.find(({ repeats }) => repeats[0]!.configuration === `sha256:${sha256}`);
  if (copied)
    throw new AgonError(
      'predictions-are-labels',
      `The predictions of ${copied.name} are ${file} itself, with its labels.`,
      'Name the file that holds what the system said.',
    );
}

/** All that is made of a sheet. */
function benchedSet(sheet: ScoreSheet, report: JobReport): BenchedSet {
  return { sheet, figures: figuresOf(sheet), own: ownBlocks(report, sheet), report };
}

/** A bench on record, with its figures made again: nothing is judged. `missing` are sets that it did not come to. */
export async function benchOnRecord(
  ledger: Ledger,
  id: string,
): Promise<{ title: string; sets: BenchedSet[]; missing: string[] }> {
  const { row, sets } = await sheetsOnRecord(ledger, id);
  const { title, sets: planned } = summaryIn(row);
  return {
    title,
    missing: planned.slice(sets.length).map((set) => set.title),
    sets: sets.map(({ sheet, report }) => benchedSet(sheet, report as JobReport)),
  };
}

/** δ and γ, which all of ours share. */
function thresholdsOf(contenders: readonly EvaluationContender[]): { delta: number; gamma: number } {
  return contenders.find(({ plan }) => plan !== null)?.plan ?? { delta: 0.5, gamma: 0.1 };
}
