import {
  memoryJournal,
  type CaseRecorder,
  type FittedCalibration,
  type Journal,
  type Reasoner,
} from '../debate/index.ts';
import type { FittedReference } from '../jobs/evaluation/index.ts';
import { openLedger, parseLedgerPlace, type Ledger } from '../ledger/index.ts';
import { defaultPolicy, loadPolicy, type Policy } from '../policy/index.ts';
import { openLibrary, type KeptPrecedent, type Library } from '../precedents/index.ts';
import {
  createEmbeddedReasoner,
  createLlmPool,
  embeddedModel,
  guardEmbedder,
  openGuard,
  openReplyModel,
} from '../reasoners/index.ts';
import {
  installationSecret,
  llmSettingsOf,
  loadCalibration,
  loadReference,
  mergeSettings,
  modelOf,
  readSettings,
  seatsFor,
  settingsFromEnvironment,
  type SeatSettings,
  type Settings,
} from '../settings/index.ts';
import { docketIn } from './docket.ts';
import { ledgerCache } from './ledger-cache.ts';
import { libraryPlace } from './open-precedents.ts';
import type { AgonParts, Job, ModelPool } from './parts.ts';
import { policyBench } from './policy-bench.ts';

/** What every job is put together from. */
export interface Workshop {
  settings: Settings;
  parts: AgonParts;
  pool: ModelPool;
  policy: Policy;
  /** The decided cases that ship with Agon; none when no seat that judges by them is embedded. */
  seeds: readonly KeptPrecedent[];
  /** The seeds and the ledger's precedents; null when nobody would draw on them. */
  library: Library | null;
  /** The calibration that was set, when it was fitted on this job. */
  calibrationFor(job: Job): FittedCalibration | null;
  reference: FittedReference | null;
  secret: string;
  /** Where cases are kept; null when they are not. */
  ledger: Ledger | null;
  /** The journal of one item: the caller's own, the ledger's, or a new one. */
  journal(): Journal;
  /** Who is told of a job's cases. */
  docket(job: Job): CaseRecorder | undefined;
  seats(job: Job): SeatSettings;
  /** Who fills the seats of one item, by model. */
  reasoners(): (model: string) => Reasoner;
}

/** Reads the settings (the environment counts below them) and loads what they name. */
export async function openWorkshop(given: Settings, parts: AgonParts): Promise<Workshop> {
  const environment = parts.environment ?? process.env;
  const settings = mergeSettings(settingsFromEnvironment(environment), readSettings(given, 'settings'));
  const { evaluation, policy: policyFile, calibration: calibrationFile, ledger: ledgerPlace, embedding } = settings;
  const seats = {
    moderation: seatsFor('moderation', settings, environment),
    evaluation: seatsFor('evaluation', settings, environment),
    documents: seatsFor('documents', settings, environment),
  };
  const ledger = parts.ledger ?? (ledgerPlace ? await openLedger(parseLedgerPlace(ledgerPlace)) : null);
  const pool = parts.pool ?? createLlmPool(llmSettingsOf(settings), environment, ledger && ledgerCache(ledger));
  const isEmbedded = (job: Job) => Object.values(seats[job]).flat().includes(embeddedModel);
  const embeddedJobs = (parts.jobs ?? (['moderation', 'evaluation', 'documents'] as const)).filter(isEmbedded);
  const hasSupporter =
    (settings.moderation?.method ?? 'debate') === 'debate' &&
    !settings.moderation?.without?.some((part) => part === 'supporter' || part === 'retrieval');
  const draws =
    !parts.precedents &&
    hasSupporter &&
    (parts.jobs?.includes('moderation') ?? true) &&
    (modelOf('supporter', seats.moderation) === embeddedModel ||
      Boolean(parts.ledger ?? ledgerPlace) ||
      embedding !== undefined);
  // The models load in their own threads while the policy is read; whoever asks them first hears what is wrong with
  // them.
  if (embeddedJobs.length > 0 || (draws && embedding === undefined)) void openGuard().catch(() => undefined);
  if (parts.jobs?.includes('evaluation') && isEmbedded('evaluation')) void openReplyModel().catch(() => undefined);
  const policy = parts.policy ?? (policyFile ? await loadPolicy(policyFile) : await defaultPolicy());
  const { seeds, embedded } =
    draws || embeddedJobs.some((job) => job !== 'documents')
      ? await policyBench(policy)
      : { seeds: [], embedded: createEmbeddedReasoner(policy) };
  const calibration =
    parts.calibration === undefined
      ? calibrationFile
        ? await loadCalibration(calibrationFile)
        : null
      : parts.calibration;
  return {
    settings,
    parts,
    pool,
    policy,
    seeds,
    library: draws
      ? await openLibrary({
          ...libraryPlace(seeds, ledger),
          embedder: embedding === undefined ? guardEmbedder : pool.embedder(embedding),
        })
      : null,
    calibrationFor: (job) => (calibration?.job === job ? calibration : null),
    reference:
      parts.reference === undefined
        ? evaluation?.reference
          ? await loadReference(evaluation.reference)
          : null
        : parts.reference,
    // Machines that share a ledger share its secret, so that one can go on with another's debate.
    secret:
      parts.secret ??
      (environment['AGON_SECRET'] || (await ledger?.readSecret())) ??
      (await installationSecret(environment)),
    ledger,
    journal: () => parts.journal ?? ledger?.journal ?? memoryJournal(),
    docket: (job) =>
      ledger
        ? docketIn(ledger, {
            job,
            settings: { seats: seats[job], [job]: settings[job], calibration },
            policy,
            occasion: parts.occasion ?? {},
          })
        : undefined,
    seats: (job) => seats[job],
    reasoners() {
      const llmOf = pool.forItem();
      return (model) => (model === embeddedModel ? embedded : llmOf(model));
    },
  };
}
