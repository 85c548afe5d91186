import type { Policy } from '@agonhq/engine/policy';
import type { Jobs } from '@agonhq/judges/job';
import type { Settings } from '@agonhq/core/settings';
import type { BenchParameters, PublishedFigure } from '../result.ts';
import type { Ablation, SystemEntry } from '../systems/system-entry.ts';
import { badFlag } from '@agonhq/engine/agon-error';
import type { JobBench } from '../job-bench.ts';
import { listJobBenches } from '../jobs/index.ts';

/** What a bench measures: data, systems, seeds, repeats. */
export interface BenchPlan {
  name: string;
  title: string;
  parameters: BenchParameters;
  /** Items judged at once. */
  concurrency: number;
  sets: readonly PlannedSet[];
  /** The jobs of its sets; by default those that Agon comes with. */
  jobs?: Jobs;
}

/** One set of data with the systems that are measured on it. */
export interface PlannedSet {
  /** The job's id. */
  job: string;
  /** What people call it; the file's name where nobody said. */
  title?: string;
  file: string;
  /** Which adapter reads it; recognised where nobody said. */
  format?: string;
  /** What paths in it are relative to; by default the file's folder. */
  root?: string;
  limit?: number;
  fields?: Readonly<Record<string, string>>;
  labels?: Readonly<Record<string, string>>;
  /** The field of the table of categories. */
  by?: string;
  /** Where an item has both, its image is looked at instead of its description. */
  preferImages?: boolean;
  /** Without any the configuration as it is. */
  systems?: readonly (string | SystemEntry)[];
  rounds: readonly number[];
  agents: readonly number[];
  /** Models that were trained on data of this set. */
  trained: readonly string[];
  published: readonly PublishedFigure[];
  /** A file of labelled examples, of which the judge that is shown some sees four. */
  shots?: string;
  settings: Settings;
  /** Instead of the one that the settings name. */
  policy?: Policy;
}

/** The systems that `--ablate NAME` measures. */
export function expandAblation(name: string, bench: JobBench, settings: Settings): Ablation {
  if (Object.hasOwn(bench.ablations, name)) return bench.ablations[name]!(settings);
  const benches = listJobBenches();
  const known = benches.some(({ ablations }) => Object.hasOwn(ablations, name));
  const names = benches.map(({ job, ablations }) => `${Object.keys(ablations).join(', ')} for ${job}`);
  throw badFlag(
    `--ablate ${name}: ${known ? `it does not apply to ${bench.job}` : 'there is no such ablation'}.`,
    `Ablations are ${names.join('; ')}.`,
  );
}
