import type { Agon } from '../../app/index.ts';
import { describeOtherModel } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Job } from '@agonhq/judges/job';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import { blockOf, loadCalibration, seatsFor, type Settings } from '../../settings/index.ts';
import type { Cascade } from '../cascade/read-cascade.ts';
import { embeddedDigest, embeddedModel, guardEmbedder, isAbsentModel } from '@agonhq/models/reasoners';
import { pickPortableSettings, type RunPlan } from './run-plan.ts';
import { randomUUID } from 'node:crypto';
import type { Ledger, RunRow } from '@agonhq/ledger';

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
  const { jobs } = agon;
  const judging = jobs.require(job);
  const { id, fitted } = judging;
  const { digests } = findProvenance(agon, job);
  const seats = seatsFor(judging, settings, environment);
  const calibration = settings.calibration ? await loadCalibration(jobs, settings.calibration) : null;
  return {
    version: 1,
    job: id,
    settings: { ...pickPortableSettings(settings, judging), seats },
    setup: hashSetup(agon, id),
    ...(digests ? { digests } : {}),
    embedder: nameEmbedder(settings, judging),
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
export function hashSetup(agon: Agon, job: string): string {
  const { setup, configuration } = findProvenance(agon, job);
  return setup ?? configuration;
}

export function findProvenance(agon: Agon, job: string) {
  return agon.provenanceOf(agon.jobs.require(job));
}

/** Whose vectors find the precedents of a job; null where it draws on none. */
function nameEmbedder(settings: Settings, job: Job): string | null {
  if (job.needs(blockOf(settings, job)).precedentSeat === null) return null;
  return settings.embedding ?? guardEmbedder.model;
}

/** A process whose models, prompts or rules are others would give results that do not belong together. */
export function assertSameSetup(agon: Agon, plan: RunPlan): void {
  const otherModel =
    describeOtherModel(plan.digests, findProvenance(agon, plan.job).digests) ??
    describeOtherEmbedder(plan, agon.jobs.require(plan.job));
  if (otherModel === null && hashSetup(agon, plan.job) === plan.setup) return;
  throw new AgonError(
    'other-configuration',
    otherModel === null
      ? 'The run was started with other models, prompts or rules than this Agon has.'
      : `The run was started with ${otherModel}.`,
    'Go on with it by the version of Agon and the providers that started it, or start a new run.',
  );
}

/** A process that lacks the embedded model of a run leaves its items to others. */
export function assertModelsInstalled({ settings: { seats = {} }, digests = {} }: RunPlan): void {
  const absent = Object.values(seats)
    .flat()
    .find((model) => model !== undefined && isAbsentModel(model));
  if (absent === undefined) return;
  const digest = digests[absent];
  throw new AgonError(
    'model-not-installed',
    `The run was started with ${absent}${digest === undefined ? '' : ` (${digest})`}, which is not installed: ` +
      `this Agon has ${embeddedModel} (${embeddedDigest}).`,
    'Go on with it by the version of Agon that started it, or start a new run.',
  );
}

/** Of a run whose precedents are found by other vectors than those of this process. */
function describeOtherEmbedder({ settings, embedder }: RunPlan, job: Job): string | null {
  const own = nameEmbedder(settings, job);
  if (embedder === own) return null;
  return `precedents embedded by ${embedder ?? 'nobody'}, and this Agon has ${own ?? 'none'}`;
}

interface NewRun {
  /** By default a new one. */
  id?: string;
  name?: string | null;
  /** Where its items come from, in words: a path, or `-`. */
  input: string;
  plan: RunPlan;
  /** As the answers will carry it. */
  configuration: string;
}

/** Puts a new run on record. A name that an unfinished run has is refused: that one is to be resumed. */
export async function startRun(
  ledger: Ledger,
  { id = createRunId(), name = null, input, plan, configuration }: NewRun,
  once?: KeyedRequest,
): Promise<RunRow> {
  const unfinished =
    name === null
      ? undefined
      : (await ledger.runs.findRunsNamed(name)).find(
          (run) => run.name === name && (run.state === 'running' || run.state === 'stopped' || run.state === 'failed'),
        );
  if (unfinished) {
    throw new AgonError(
      'run-exists',
      `There is a run ${name} that has not finished (${unfinished.id}, ${unfinished.state}).`,
      {
        library: 'Resume it, or give the new run another name.',
        cli: `Resume it: agon runs resume ${name}; or give another --name.`,
        api: 'Resume it: POST /api/runs/{id}/resume; or give another name.',
      },
    );
  }
  return ledger.runs.startRun({ id, name, job: plan.job, configuration, settings: plan, input }, once);
}

export function createRunId(): string {
  return `run-${randomUUID().slice(0, 13)}`;
}
