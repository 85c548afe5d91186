import { z } from 'zod';
import type { FittedCalibration } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Job, Jobs } from '@agonhq/judges/job';
import type { RunRow } from '@agonhq/ledger';
import { policyOnRecord, type Policy } from '@agonhq/engine/policy';
import { readSettings, type Settings } from '../../settings/index.ts';
import { type Cascade, cascadeSchema } from '../cascade/read-cascade.ts';
import type { RunReading } from '../input/read-run-items.ts';

/**
 * Everything that a run is judged by, as it stands in the ledger: any process on any machine can go on with it.
 * Providers and keys are not in it: each machine brings its own, so that no row of a database can send a key elsewhere.
 */
export interface RunPlan {
  version: 1;
  /** Its id. */
  job: string;
  /** Seats, rounds, limits, budget: settings without providers, keys, ledger and files. */
  settings: Settings;
  /**
   * Hash of models, prompts, policy and rules: a process that would judge by something else must not go on with the
   * run.
   */
  setup: string;
  /** By id, which files of the models that run in Agon itself */
  digests?: Record<string, string>;
  /** Who embeds the precedents that are searched; null where none are. */
  embedder: string | null;
  policy: Policy;
  calibration: FittedCalibration | null;
  /** What the job was fitted on data with, under the job's own name for it; null where it was not. */
  reference: unknown;
  /** What the first tier decides alone; null when every item is debated. */
  cascade: Cascade | null;
  /** The model whose answers are evaluated, where the items do not say. */
  evaluatedModel: string | null;
  /** How often an item is tried before it is set aside. */
  attempts: number;
  /** How the input is read: whoever reads on does it the same way. */
  reading?: RunReading;
  /** The file that its results are written to, where it is one of the machine that started it. */
  out?: string;
  /** How many items a server judges at once, where the run says it. */
  concurrency?: number;
}

const planSchema = z.looseObject({
  version: z.literal(1),
  job: z.string(),
  settings: z.unknown(),
  setup: z.string(),
  digests: z.record(z.string(), z.string()).optional(),
  embedder: z.string().nullable(),
  policy: z.unknown(),
  cascade: cascadeSchema.nullable(),
  attempts: z.int().min(1),
  out: z.string().min(1).optional(),
  concurrency: z.int().min(1).max(100).optional(),
});

/** The plan of a run on record. */
export function readRunPlan(jobs: Jobs, { id, settings }: Pick<RunRow, 'id' | 'settings'>): RunPlan {
  const read = planSchema.safeParse(settings);
  if (!read.success)
    throw new AgonError('no-plan', `The run ${id} has no plan that this Agon can read.`, {
      library: 'Another version made it, or it was not made as a run: start it anew.',
      cli: 'It was made by `agon moderate --file` or by another version; start it anew with `agon run`.',
      api: 'Another version made it, or it was not made as a run: send its input again as a new run.',
    });
  policyOnRecord(read.data.policy);
  return {
    ...(settings as RunPlan),
    settings: pickPortableSettings(
      readSettings(jobs, read.data.settings, `the plan of ${id}`),
      jobs.require(read.data.job),
    ),
  };
}

/**
 * Without what belongs to one machine: providers and keys, files, the ledger, telemetry. When a plan is made, and
 * when it is read: a row may have been written by others.
 */
export function pickPortableSettings(settings: Settings, { id, fitted }: Job): Settings {
  const { seats, models, defaults, budget, local, embedding, sensitivity, cache } = settings;
  const own = (settings as Record<string, object | undefined>)[id];
  return {
    seats,
    models,
    defaults,
    // Threads and graphics processors are a machine's own; how much a model reads and writes changes its answers.
    ...(local ? { local: { contextTokens: local.contextTokens, maxOutputTokens: local.maxOutputTokens } } : {}),
    budget,
    embedding,
    ...(sensitivity === undefined ? {} : { sensitivity }),
    ...(own ? { [id]: fitted ? { ...own, [fitted.name]: undefined } : own } : {}),
    ...(cache === 'ledger' ? { cache } : {}),
  };
}

/** What the job of a plan was fitted on data with, by job, as `createAgon` takes it. */
export function findFitted(plan: RunPlan, { fitted }: Job): Readonly<Record<string, unknown>> {
  return fitted ? { [plan.job]: (plan as unknown as Record<string, unknown>)[fitted.name] ?? null } : {};
}
