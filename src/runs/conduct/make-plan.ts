import type { Agon } from '../../app/index.ts';
import { AgonError } from '../../errors.ts';
import { requireJob } from '../../jobs/index.ts';
import { blockOf, loadCalibration, seatsFor, type Settings } from '../../settings/index.ts';
import type { Cascade } from '../cascade/cascade.ts';
import { portable, type RunPlan } from './run-plan.ts';

export interface PlanOptions {
  job: string;
  /** All layers, the environment's among them. */
  settings: Settings;
  /** Agon, put together from these settings for this job. */
  agon: Agon;
  cascade?: Cascade | null;
  evaluatedModel?: string | null;
  attempts?: number;
  environment?: Record<string, string | undefined>;
}

const usualAttempts = 3;

/** What a run started now is to be judged by, from its first item to its last, wherever it goes on. */
export async function planRun({
  job,
  settings,
  agon,
  cascade = null,
  evaluatedModel = null,
  attempts = usualAttempts,
  environment = process.env,
}: PlanOptions): Promise<RunPlan> {
  const { id, fitted } = requireJob(job);
  const calibration = settings.calibration ? await loadCalibration(settings.calibration) : null;
  return {
    version: 1,
    job: id,
    settings: { ...portable(settings, id), seats: seatsFor(requireJob(job), settings, environment) },
    setup: setupOf(agon, id),
    policy: agon.policy,
    calibration: calibration?.job === id ? calibration : null,
    reference: null,
    ...(fitted ? { [fitted.name]: await fitted.load(blockOf(settings, { id })) } : {}),
    cascade,
    evaluatedModel,
    attempts,
  };
}

/** Hash of what must not change while a run goes on. Precedents may: people teach while a run goes on. */
export function setupOf(agon: Agon, job: string): string {
  const { setup, configuration } = provenanceOf(agon, job);
  return setup ?? configuration;
}

export function provenanceOf(agon: Agon, job: string) {
  return agon.provenanceOf(requireJob(job));
}

/** A process whose models, prompts or rules are others would give results that do not belong together. */
export function assertSameSetup(agon: Agon, plan: RunPlan): void {
  if (setupOf(agon, plan.job) === plan.setup) return;
  throw new AgonError(
    'other-configuration',
    'The run was started with other models, prompts or rules than this Agon has.',
    'Go on with it by the version of Agon and the providers that started it, or start a new run.',
  );
}
