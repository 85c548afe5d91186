import type { FittedCalibration } from '@agonhq/engine/debate';
import type { Settings } from '@agonhq/core/settings';
import type { DataFormat, ItemFields } from './datasets/format.ts';
import type { ItemText, ItemReading, LabelledItem } from './datasets/labelled-item.ts';
import type { Dataset, LabelledData } from './datasets/read-dataset.ts';
import type { BenchBlock, JobPresentation } from './report/block.ts';
import type { BenchItemResult } from './result.ts';
import type { OfferedSystem } from './systems/offered-systems.ts';
import type { OpenSystems, OpenSystemsOptions } from './systems/open-systems.ts';
import type { KeptAnswer, RecordStore } from './systems/results.ts';
import type { RunOptions, SystemRun } from './systems/run-system.ts';
import type { MeasuredSystem } from './systems/system.ts';
import type { Ablation, SystemEntry } from './systems/system-entry.ts';

/**
 * What a job brings to the bench: how labelled data of it is read, which systems can be measured on it, what is kept
 * of their answers, and the tables that only it has. The bench asks it, and never which job it is.
 */
export interface JobBench<
  Item extends LabelledItem = LabelledItem,
  Of extends MeasuredSystem = MeasuredSystem,
  Kept extends KeptAnswer = KeptAnswer,
  Run extends SystemRun<Item, Kept> = SystemRun<Item, Kept>,
  Report extends BenchJobReport = BenchJobReport,
> {
  /** The job's id. */
  readonly job: string;

  /** Fields that hold what is judged: all that an annotator may see who must not be led. */
  readonly itemFields: readonly string[];
  /** Those of them that no other job has: data with one of these is of this job. */
  readonly ownFields: readonly string[];
  /** Whether a row is an item in our own fields. */
  recognizesItem(fields: ItemFields): boolean;
  /** A line as it should be, for those that are not. */
  readonly example: string;
  /** Layouts of published data that can be read. */
  readonly formats: readonly DataFormat[];
  /** Reads an item from our own fields; throws an AgonError when it cannot. */
  readItem(fields: unknown, reading: ItemReading): Item;
  /** What an item says, as it is held against other texts; null where it cannot be read. */
  readText(item: Item): ItemText | null;
  /** An item for people: what is judged, and the model that it came from where the data names one. */
  describeItem(item: Item): { excerpt: string; model: string | null };

  /** The labels that items can have, in the order of tables, given those of some data. */
  listClasses(labels: ReadonlySet<string>): readonly string[];
  /** The class that precision, recall, F1, AUC and scores are about; null where no class is. */
  readonly positive: string | null;
  readonly presentation: JobPresentation;

  /** An item as a run of the job would have it, for an estimate; throws an AgonError where it cannot be judged. */
  toRunInput(item: Item, files: { root: string; keepText(text: string): Promise<string> }): Promise<unknown>;

  /** Systems that anybody may ask for by name, with what each of them is. */
  readonly offeredSystems: readonly OfferedSystem[];
  /** Names of systems, for hints. */
  readonly systemNames: readonly string[];
  /** What is measured when nobody names a system. */
  readonly defaultSystem: string;
  /** The systems of `--ablate`, by name. */
  readonly ablations: Readonly<Record<string, (settings: Settings) => Ablation>>;
  /** Opens systems by name; without names the default one, called `embedded` when no seat is an LLM's. */
  openSystems(
    given: readonly (string | SystemEntry)[] | undefined,
    settings: Settings,
    options: OpenSystemsOptions<Item>,
  ): Promise<OpenSystems<Of>>;

  /** Runs systems over data, and keeps what they say in a store. */
  openRunner(store: RecordStore | null, options: { withTurns: boolean }): Promise<JobRunner<Item, Of, Kept, Run>>;
  /** Reads what was kept under one key: one judgement under '', or those of several claims under theirs. */
  readRecord(record: unknown): ReadonlyMap<string, Kept>;
  /** What a kept judgement says, in the words of a result. */
  readOutcome(kept: Kept, classes: readonly string[]): Pick<BenchItemResult, 'said' | 'score' | 'opening'>;

  /** The figures of the job itself, as `--json` prints them. */
  buildReport(measured: MeasuredRuns<Item, Of, Run>, about: { by?: string; notes: readonly string[] }): Report;
  /** The tables that only this job has. */
  buildBlocks(report: Report): BenchBlock[];

  /** Fits what the job judges by; absent where nothing can be fitted. */
  fit?(measured: readonly MeasuredRuns<Item, Of, Run>[]): unknown;
  fitCalibration?(measured: readonly MeasuredRuns<Item, Of, Run>[]): FittedCalibration;
}

export interface JobRunner<
  Item extends LabelledItem,
  Of extends MeasuredSystem,
  Kept extends KeptAnswer,
  Run extends SystemRun<Item, Kept>,
> {
  run(system: Of['repeats'][number], data: Dataset<Item>, options: RunOptions): Promise<Run>;
  /** What is kept under a key, in the form that it is kept in. */
  findRecord(key: string): unknown;
}

/** Systems that were measured on one set of data, each with a run for each repeat. */
export interface MeasuredRuns<
  Item extends LabelledItem = LabelledItem,
  Of extends MeasuredSystem = MeasuredSystem,
  Run extends SystemRun<Item> = SystemRun<Item>,
> {
  data: LabelledData<Item>;
  systems: readonly Of[];
  runs: readonly (readonly Run[])[];
}

/** What the report of every job has. */
export interface BenchJobReport {
  version: 1;
  job: string;
  data: { file: string; sha256: string; items: number };
  /** What the job judged by, where it says so. */
  parameters?: Readonly<Record<string, unknown>>;
  systems: readonly { name: string; configuration: string }[];
}
