import { expandAblation, requireJobBench, type BenchPlan, type DatasetOptions, type PlannedSet } from '@agonhq/bench';
import { badFlag } from '@agonhq/engine/agon-error';
import { moderationJob } from '@agonhq/judges/moderation';
import type { Settings } from '@agonhq/core/settings';
import { readNames, type LabelMeanings } from '../read-flags.ts';
import { readJobSettings, type SettingsFlags } from '../read-settings.ts';

/** The flags of every command that reads labelled data. */
export interface DataFlags {
  data: string[];
  map?: string[];
  mapLabel?: string[];
  limit?: number;
  concurrency: number;
  quiet?: boolean;
}

export interface ContentDataFlags extends DataFlags, SettingsFlags {
  root?: string;
  /** True: look at images even if they are described. False: never. Absent: if they are not described. */
  vision?: boolean;
}

/** The fields and labels of a job's data, for --map and --map-label. */
export interface DataNames extends LabelMeanings<string> {
  fields: readonly string[];
}

/** What the data calls our fields and labels. */
export function readDataNames(
  flags: DataFlags,
  { fields, ...labels }: DataNames,
): { fields: Record<string, string>; labels: Record<string, string> } {
  if (flags.data.includes('-'))
    throw badFlag(
      '--data reads files, not standard input.',
      'Write the items to a file: its hash is part of the figures.',
    );
  return readNames<string>(flags, fields, labels);
}

export const contentNames: DataNames = {
  fields: ['id', 'label', 'text', 'image', 'image_description', 'category', 'raters', 'trivial'],
  meanings: ['safe', 'unsafe'],
  example: 'hateful=unsafe,fine=safe',
};

export const exchangeNames: DataNames = {
  fields: ['id', 'label', 'prompt', 'response', 'messages', 'model', 'risk', 'behaviour', 'category', 'raters'],
  meanings: ['safe', 'unsafe'],
  example: 'hateful=unsafe,fine=safe',
};

export function readContentOptions(flags: ContentDataFlags): DatasetOptions {
  const { fields: named, labels } = readDataNames(flags, contentNames);
  return {
    root: flags.root,
    limit: flags.limit,
    preferImages: flags.vision === true,
    fields: named,
    labels,
  };
}

export async function readDataSettings(flags: ContentDataFlags): Promise<Settings> {
  return (await readJobSettings(flags, { kind: 'bench', job: moderationJob })).settings;
}

/** The flags of every bench beside its data and its settings. */
export interface BenchPlanFlags {
  format?: string;
  repeats: number;
  seed: number;
  invalid: 'error' | 'exclude';
  ablate?: string[];
  shots?: string;
}

interface PlanParts {
  settings: Settings;
  names: Pick<PlannedSet, 'fields' | 'labels'>;
  systems?: readonly string[];
  rounds?: readonly number[];
  agents?: readonly number[];
  /** What only this job says about its data. */
  set?: Partial<PlannedSet>;
}

/** The plan of a command that names its data by flags, and notes for its readers. */
export function makeBenchPlan(
  job: string,
  flags: DataFlags & BenchPlanFlags,
  { settings, names, systems, rounds, agents = [], set = {} }: PlanParts,
): { plan: BenchPlan; notes: string[] } {
  const ablated = (flags.ablate ?? []).map((name) => expandAblation(name, requireJobBench(job), settings));
  const named = [...(systems ?? []), ...ablated.flatMap((one) => one.systems)];
  const planned = flags.data.map((file): PlannedSet => ({
    ...set,
    job,
    file,
    format: flags.format,
    limit: flags.limit,
    ...names,
    ...(named.length > 0 ? { systems: named } : {}),
    rounds: rounds ?? ablated.flatMap((one) => one.rounds),
    agents,
    trained: [],
    published: [],
    ...(flags.shots === undefined ? {} : { shots: flags.shots }),
    settings,
  }));
  const parameters = { seed: flags.seed, repeats: flags.repeats, invalid: flags.invalid };
  return {
    plan: {
      name: `bench ${job}`,
      title: `Agon bench: ${job}`,
      parameters,
      concurrency: flags.concurrency,
      sets: planned,
    },
    notes: ablated.flatMap((one) => one.notes),
  };
}
