import { ablation, type BenchJob, type BenchPlan, type PlannedSet } from '../bench/index.ts';
import type { Settings } from '../settings/index.ts';
import type { DataFlags } from './bench-flags.ts';

/** The flags of every bench beside its data and its settings. */
export interface BenchPlanFlags {
  format?: string;
  repeats: number;
  seed: number;
  invalid: 'error' | 'exclude';
  ablate?: string[];
  shots?: string;
}

export interface PlanParts {
  settings: Settings;
  names: Pick<PlannedSet, 'fields' | 'labels'>;
  systems?: readonly string[];
  rounds?: readonly number[];
  agents?: readonly number[];
  /** What only this job says of its data. */
  set?: Partial<PlannedSet>;
}

/** The plan of a command that names its data by flags, and what a reader must know of it. */
export function planFrom(
  job: BenchJob,
  flags: DataFlags & BenchPlanFlags,
  { settings, names, systems, rounds, agents = [], set = {} }: PlanParts,
): { plan: BenchPlan; notes: string[] } {
  const ablated = (flags.ablate ?? []).map((name) => ablation(name, job, settings));
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
