import { memoryJournal, type FittedCalibration, type Journal, type Reasoner } from '../debate/index.ts';
import type { FittedReference } from '../evaluation/index.ts';
import { defaultPolicy, loadPolicy, type Policy } from '../policy/index.ts';
import { seedPrecedents, type KeptPrecedent } from '../precedents/index.ts';
import { createEmbeddedReasoner, createLlmPool, embeddedModel, openGuard, openReplyModel } from '../reasoners/index.ts';
import {
  installationSecret, loadCalibration, loadReference, mergeSettings, readSettings, seatsFor, settingsFromEnvironment,
  type SeatSettings, type Settings,
} from '../settings/index.ts';
import type { AgonParts, Job, ModelPool } from './parts.ts';

/** What every job is put together from. */
export interface Workshop {
  settings: Settings;
  parts: AgonParts;
  pool: ModelPool;
  policy: Policy;
  /** The decided cases that ship with Agon; none when no seat that judges by them is embedded. */
  seeds: readonly KeptPrecedent[];
  /** The calibration that was set, when it was fitted on this job. */
  calibrationFor(job: Job): FittedCalibration | null;
  reference: FittedReference | null;
  secret: string;
  /** The journal of one item: the caller's own, or a new one. */
  journal(): Journal;
  seats(job: Job): SeatSettings;
  /** Who fills the seats of one item, by model. */
  reasoners(): (model: string) => Reasoner;
}

/** Reads the settings (the environment counts below them) and loads what they name. */
export async function openWorkshop(given: Settings, parts: AgonParts): Promise<Workshop> {
  const environment = parts.environment ?? process.env;
  const settings = mergeSettings(settingsFromEnvironment(environment), readSettings(given, 'settings'));
  const { seats: _seats, moderation: _moderation, evaluation, documents: _documents, policy: policyFile, calibration: calibrationFile, ...llm } = settings;
  const seats = {
    moderation: seatsFor('moderation', settings, environment),
    evaluation: seatsFor('evaluation', settings, environment),
    documents: seatsFor('documents', settings, environment),
  };
  const pool = parts.pool ?? createLlmPool(llm, environment);
  const isEmbedded = (job: Job) => Object.values(seats[job]).flat().includes(embeddedModel);
  const embeddedJobs = (parts.jobs ?? (['moderation', 'evaluation', 'documents'] as const)).filter(isEmbedded);
  // The models load in their own threads while the policy is read; whoever asks them first hears what is wrong with them.
  if (embeddedJobs.length > 0) void openGuard().catch(() => undefined);
  if (parts.jobs?.includes('evaluation') && isEmbedded('evaluation')) void openReplyModel().catch(() => undefined);
  const policy = parts.policy ?? (policyFile ? await loadPolicy(policyFile) : await defaultPolicy());
  const seeds = embeddedJobs.some((job) => job !== 'documents') ? await seedPrecedents(policy) : [];
  const embedded = createEmbeddedReasoner(policy, seeds.flatMap(({ label, clause, text }) => (label === 'unsafe' && clause !== undefined ? [{ clause, text }] : [])));
  const calibration = calibrationFile ? await loadCalibration(calibrationFile) : null;
  return {
    settings,
    parts,
    pool,
    policy,
    seeds,
    calibrationFor: (job) => (calibration?.job === job ? calibration : null),
    reference: evaluation?.reference ? await loadReference(evaluation.reference) : null,
    secret: parts.secret ?? (await installationSecret(environment)),
    journal: () => parts.journal ?? memoryJournal(),
    seats: (job) => seats[job],
    reasoners() {
      const llmOf = pool.forItem();
      return (model) => (model === embeddedModel ? embedded : llmOf(model));
    },
  };
}
