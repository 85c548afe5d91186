import { AgonError } from '@agonhq/engine/agon-error';
import { z } from 'zod';
import type { SafetyLabel } from '@agonhq/engine/debate';
import { behaviours, riskConcepts } from '@agonhq/judges/evaluation';
import type { LabelledData } from '../../datasets/read-dataset.ts';
import type { JobRunner } from '../../job-bench.ts';
import {
  keptJudgementSchema,
  openRecordFile,
  readJudgedResults,
  type RecordStore,
  type Results,
} from '../../systems/results.ts';
import { runSystem, type RunOptions, type RunOutcome, type SystemRun } from '../../systems/run-system.ts';
import type { BenchSystem, SystemJudgement, MeasuredSystem, OpenSystem } from '../../systems/system.ts';
import { readSafetyLabel } from '@agonhq/engine/items';
import {
  categoryOf,
  fieldReader,
  readNotes,
  type ItemNotes,
  type ItemReading,
  type SubjectItem,
} from '../../datasets/labelled-item.ts';

const safetyLabels = z.enum(['safe', 'unsafe', 'undecided']);
const share = z.number().min(0).max(1);
const count = z.int().min(0);
const distribution = z.object({ explicit: share, implicit: share, none: share });

const evaluationSchema = z.object({
  concept: z.enum(riskConcepts).nullable(),
  behaviour: z.enum(behaviours).nullable(),
  distribution: distribution.nullable(),
  /** The critic's last word on the risk concepts, which a reference is fitted on. */
  critic: distribution.nullable(),
});

/** What a verdict rests on: the clauses that it names, how grave that is, and what was quoted and verified. */
const groundsSchema = z.object({
  categories: z.array(z.object({ clause: z.string().nullable() })),
  severity: z.string().nullish(),
  evidence: z.array(
    z.discriminatedUnion('verified', [
      z.object({ verified: z.literal(true), source: z.string(), start: count, end: count }),
      z.object({ verified: z.literal(false) }),
    ]),
  ),
});

/** A judgement of safe or unsafe, as it is kept. */
export const safetyJudgementSchema = keptJudgementSchema.extend({
  label: safetyLabels,
  opening: z.object({ label: safetyLabels, score: z.number().nullable() }).nullable().default(null),
  evaluation: evaluationSchema.optional(),
  // Those of other jobs and of older versions are laid out otherwise: they say nothing of it.
  verdict: groundsSchema.optional().catch(undefined),
});
export type KeptSafety = z.infer<typeof safetyJudgementSchema>;

export interface SafetyJudgement extends SystemJudgement<SafetyLabel> {
  /** What only an evaluation says. */
  evaluation?: z.infer<typeof evaluationSchema>;
}

export type SafetySystem<Subject> = OpenSystem<Subject, SafetyJudgement>;
export type SafetyResults = Results<KeptSafety>;

/** What came of one item, as far as figures need to know. */
export interface SafetyOutcome {
  /** The right answer; null for a line so broken that it has none. */
  unsafe: boolean | null;
  said: SafetyLabel | 'failed';
  /** The calibrated probability where there is one, else the score; null when none was given. */
  score: number | null;
  /** The verdict's own score, which a calibration is fitted on and applied to. */
  rawScore: number | null;
}

/** The same with the item it came of, and all that was kept of its judgement. */
export interface ItemOutcome<Item> extends SafetyOutcome, RunOutcome<Item, KeptSafety> {}

/** One system over one set of data, once. */
export interface SafetyRun<Item> extends SystemRun<Item, KeptSafety> {
  outcomes: readonly ItemOutcome<Item>[];
}

/** Opens results in a file, to go on from what it holds; in memory without one. */
export async function openSafetyResults(file?: string): Promise<SafetyResults> {
  return readJudgedResults(safetyJudgementSchema, file === undefined ? null : await openRecordFile(file));
}

/** Judges every item of the data; what an earlier run of the same configuration judged is taken from the results. */
export async function runSafetySystem<Subject, Item extends SafetyItem<Subject>>(
  system: BenchSystem<Subject, SafetyJudgement>,
  data: LabelledData<Item>,
  options: RunOptions & { results: SafetyResults },
): Promise<SafetyRun<Item>> {
  const run = await runSystem<Subject, Item, KeptSafety>(system, data, options);
  return { ...run, outcomes: run.outcomes.map(toOutcome) };
}

function toOutcome<Item extends SafetyItem<unknown>>({
  line,
  item,
  judged,
}: RunOutcome<Item, KeptSafety>): ItemOutcome<Item> {
  return {
    line,
    item,
    judged,
    unsafe: item && item.label === 'unsafe',
    said: judged?.label ?? 'failed',
    score: judged ? (judged.probability ?? judged.score) : null,
    rawScore: judged?.score ?? null,
  };
}

/** Runs the systems of a job whose items are safe or unsafe, over a store of judgements. */
export async function openSafetyRunner<Subject, Item extends SafetyItem<Subject>>(
  store: RecordStore | null,
  { withTurns }: { withTurns: boolean },
): Promise<JobRunner<Item, MeasuredSystem<SafetySystem<Subject>>, KeptSafety, SafetyRun<Item>>> {
  const results = await readJudgedResults(
    withTurns ? safetyJudgementSchema : safetyJudgementSchema.transform((kept) => ({ ...kept, turns: [] })),
    store,
  );
  return {
    run: (system, data, options) => runSafetySystem(system, data, { ...options, results }),
    findRecord: (key) => results.judged.get(key),
  };
}

/** What jobs whose items are safe or unsafe have in common on the bench. */
export const safetyBench = {
  listClasses: () => ['safe', 'unsafe'],
  positive: 'unsafe',
  openRunner: openSafetyRunner,
  async toRunInput({ subject }: SafetyItem<unknown>): Promise<unknown> {
    if (AgonError.is(subject)) throw subject;
    return subject;
  },
  readRecord(record: unknown): ReadonlyMap<string, KeptSafety> {
    const read = safetyJudgementSchema.safeParse(record);
    return new Map(read.success ? [['', read.data]] : []);
  },
  readOutcome: ({ label, score, probability, opening }: KeptSafety) => ({
    said: label,
    score: probability ?? score,
    opening: opening && { said: opening.label, score: opening.score },
  }),
} as const;

/** An item that is safe or unsafe. */
export interface SafetyItem<Subject> extends SubjectItem<Subject> {
  label: 'safe' | 'unsafe';
}

/** A parsed line: what every job reads of it, and a way to its other fields. */
interface SafetyLine extends Omit<ItemNotes, 'modality'> {
  id?: string;
  label: 'safe' | 'unsafe';
  /** By our own name; undefined when the item does not have it. */
  field(name: string): unknown;
}

/** Reads what every job needs of a line. `parts` names the fields that hold what is judged, for the hint. */
export function readSafetyLine(
  value: unknown,
  { fields, labels, by = 'category' }: ItemReading,
  parts: string,
): SafetyLine {
  const hint =
    `An item has "label" (safe/unsafe, harmful/unharmful, 0/1, true/false) and ${parts}; --map and ` +
    '--map-label name them otherwise.';
  const field = fieldReader(value, fields, hint);
  const notes = readNotes(field, { labels, known: readSafetyLabel, hint });
  return { ...notes, category: categoryOf(field(by)), field };
}
