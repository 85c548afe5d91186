import { memoryJournal, type FittedCalibration, type CaseRecorder, type Reasoner } from '@agonhq/engine/debate';
import {
  assertHeard,
  describeAnswer,
  type Job,
  type JobAnswer,
  type JobKit,
  type KitTools,
  type Jobs,
  type KitSeats,
} from '@agonhq/judges/job';
import type { KnownImageLists } from '../known-images/index.ts';
import type { Ledger } from '@agonhq/ledger';
import { defaultPolicy, loadPolicy, type Policy } from '@agonhq/engine/policy';
import type { KeptPrecedent } from '@agonhq/models/precedents';
import {
  assertInstalled,
  createEmbeddedReasoner,
  embeddedModel,
  embedText,
  guardEmbedder,
  openGuard,
} from '@agonhq/models/reasoners/embedded';
import { createLlmPool } from '@agonhq/models/reasoners/llm/pool';
import { modelFamily } from '@agonhq/models/reasoners/llm/providers/model-traits';
import {
  agentsNamed,
  blockOf,
  installationSecret,
  llmSettingsOf,
  loadCalibration,
  mergeSettings,
  modelOf,
  readSettings,
  requiredModelOf,
  seatsFor,
  settingsFromEnvironment,
  sharedSecret,
  type SeatSettings,
  type Settings,
} from '../settings/index.ts';
import { deobfuscate, findInjections } from '@agonhq/models/tools';
import { chooseSensitivity, defaultSensitivity, type Sensitivity } from '@agonhq/engine/policy/sensitivity';
import { version } from '@agonhq/engine/version';
import { openSenses } from './open-senses.ts';
import { listClauseExamples, locateLibrary } from './open-precedents.ts';
import type { AgonParts, ModelPool, Occasion } from './parts.ts';
import { z } from 'zod';
import { hashOf } from '@agonhq/engine/hash';

const entrySchema = z.object({ key: z.string(), text: z.string() });

/** In these words and not in those of the reasoners, whose types would bring the providers' with them. */
interface TextCache {
  read(key: string): Promise<string | null>;
  write(key: string, text: string): Promise<void>;
}

/** Models' answers, kept in the ledger instead of a folder. */
export function openLedgerCache({ cache }: Ledger): TextCache {
  return {
    async read(key) {
      const entry = entrySchema.safeParse(await cache.findAnswer(hashOf(key)));
      return entry.success && entry.data.key === key ? entry.data.text : null;
    },
    write: (key, text) => cache.keepAnswer(hashOf(key), { key, text }),
  };
}

/** What judging by a policy takes beside the policy. */
interface PolicyBench {
  /** The decided cases that ship with Agon, under the clauses that the policy has. */
  seeds: readonly KeptPrecedent[];
  embedded: Reasoner;
}

const made = new WeakMap<Policy, Map<string, Promise<PolicyBench>>>();

/**
 * Made once for each policy, sensitivity and way to look: past cases are judged again by an Agon each, and
 * placing a policy's clauses takes longer than a trial.
 */
function policyBench(policy: Policy, sensitivity: Sensitivity, firstPass: boolean): Promise<PolicyBench> {
  const benches = made.get(policy) ?? new Map<string, Promise<PolicyBench>>();
  made.set(policy, benches);
  const key = `${sensitivity} ${firstPass}`;
  let bench = benches.get(key);
  if (!bench) benches.set(key, (bench = makeBench(policy, sensitivity, firstPass)));
  return bench;
}

async function makeBench(policy: Policy, sensitivity: Sensitivity, firstPass: boolean): Promise<PolicyBench> {
  const { seedPrecedents } = await import('@agonhq/models/precedents');
  const usual = await defaultPolicy();
  const seeds = await seedPrecedents(policy);
  const known = policy.hash === usual.hash ? seeds : await seedPrecedents(usual);
  return {
    seeds,
    // A kind of harm that the policy allows is told by its cases, as one that it forbids is.
    embedded: createEmbeddedReasoner(policy, listClauseExamples(known), sensitivity, { firstPass }),
  };
}

type Environment = Record<string, string | undefined>;

/** What every job is put together from. */
export interface Kits {
  policy: Policy;
  pool: ModelPool;
  /** Where cases are kept; null when they are not. */
  ledger: Ledger | null;
  kitFor(job: Job): JobKit;
}

/** Reads the settings (the environment counts below them) and loads what they name. */
export async function openKits(given: Settings, jobs: Jobs, parts: Omit<AgonParts, 'jobs'>): Promise<Kits> {
  const environment = parts.environment ?? process.env;
  const settings = mergeSettings(settingsFromEnvironment(jobs, environment), readSettings(jobs, given, 'settings'));
  const wanted = jobs.list().filter(({ id }) => parts.only?.includes(id) ?? true);
  const ledger = parts.ledger ?? (settings.ledger ? await openSetLedger(settings.ledger, environment) : null);
  const pool = parts.pool ?? createLlmPool(llmSettingsOf(settings), environment, ledger && openLedgerCache(ledger));
  const seats = new Map(wanted.map((job) => [job, seatsFor(job, settings, environment)]));
  const needs = new Map(wanted.map((job) => [job, job.needs(blockOf(settings, job))]));
  const embeddedJobs = wanted.filter((job) => Object.values(seats.get(job)!).flat().includes(embeddedModel));
  const draws =
    !parts.precedents &&
    wanted.some((job) => {
      const { precedentSeat } = needs.get(job)!;
      if (precedentSeat === null) return false;
      return (
        ledger || settings.embedding !== undefined || modelOf(job, precedentSeat, seats.get(job)!) === embeddedModel
      );
    });
  // The models load in their own threads while the policy is read; whoever asks them first hears what is wrong.
  if (embeddedJobs.length > 0 || (draws && settings.embedding === undefined)) void openGuard().catch(() => undefined);
  if (parts.only && embeddedJobs.some((job) => needs.get(job)!.secondModel))
    void openGuard()
      .then(({ openSecond }) => openSecond?.())
      .catch(() => undefined);
  const policy = parts.policy ?? (settings.policy ? await loadPolicy(settings.policy) : await defaultPolicy());
  const sensitivity = chooseSensitivity(settings.sensitivity, policy);
  const { firstPass = true } = settings;
  const { seeds, embedded } =
    draws || embeddedJobs.some((job) => needs.get(job)!.clauseExamples)
      ? await policyBench(policy, sensitivity, firstPass)
      : { seeds: [], embedded: createEmbeddedReasoner(policy, [], sensitivity, { firstPass }) };
  // What is judged without a policy knows no risk, and stays the configuration that it is at any sensitivity.
  const withoutPolicy = sensitivity === defaultSensitivity ? embedded : createEmbeddedReasoner(policy);
  const calibration = await calibrationFrom(jobs, settings, parts);
  const embedder = settings.embedding === undefined ? guardEmbedder : pool.embedder(settings.embedding);
  const library =
    parts.precedents ??
    (draws
      ? await (
          await import('@agonhq/models/precedents')
        ).openLibrary({ ...locateLibrary(seeds, ledger), embedder, onProgress: parts.onEmbedding })
      : null);
  const fitted = new Map<Job, unknown>();
  for (const job of wanted) {
    const own = parts.fitted?.[job.id];
    fitted.set(job, own === undefined ? ((await job.fitted?.load(blockOf(settings, job))) ?? null) : own);
  }
  // Machines that share a ledger share its secret, so that one can go on with another's debate.
  const secret = parts.secret ?? (await (ledger ? sharedSecret(ledger, environment) : installationSecret(environment)));
  let lists: Promise<KnownImageLists> | null = null;
  const findLists = () => (lists ??= openLists(settings));
  const tools: KitTools = {
    hasKnownImages: (settings.knownImages ?? []).length > 0,
    findKnownImages: async (images) => (await findLists()).find(images),
    deobfuscate,
    findInjections,
    ...openSenses(environment, pool),
    embedText,
    modelFamily,
    readDocuments: parts.readFiles ?? refuseFiles,
  };

  function kitFor(job: Job): JobKit {
    const sitting = seats.get(job)!;
    const kitSeats = seatsOf(job, sitting, pool, parts);
    const record = {
      seats: sitting,
      [job.id]: (settings as Record<string, unknown>)[job.id],
      calibration,
      ...(settings.sensitivity === undefined ? {} : { sensitivity: settings.sensitivity }),
      ...(settings.firstPass === undefined ? {} : { firstPass: settings.firstPass }),
    };
    const ownReasoner = job.usesPolicy ? embedded : withoutPolicy;
    return {
      settings: blockOf(settings, job),
      policy,
      seats: kitSeats,
      tools,
      library,
      readCorrections: async () =>
        parts.corrections ?? {
          version: null,
          corrections: job.corrections
            ? ((await ledger?.corrections.listCorrections({ job: job.id, standing: true })) ?? [])
            : [],
        },
      calibration: calibration?.job === job.id ? calibration : null,
      fitted: fitted.get(job),
      secret,
      version,
      recorded: ledger !== null,
      forSubject() {
        const llmOf = pool.forItem();
        const reasonerOf = (model: string) => (model === embeddedModel ? ownReasoner : llmOf(model));
        return {
          reasonerOf,
          reasonerFor: (seat) => kitSeats.given(seat) ?? reasonerOf(requiredModelOf(job, seat, sitting)),
          journal: parts.journal ?? ledger?.journal ?? memoryJournal(),
          recorder: ledger
            ? recordCases(ledger, { job, settings: record, policy, occasion: parts.occasion ?? {} })
            : undefined,
        };
      },
    };
  }

  return { policy, pool, ledger, kitFor };
}

async function openSetLedger(ledger: string | true, environment: Environment): Promise<Ledger> {
  const { findLedgerPlace, openLedger } = await import('@agonhq/ledger');
  return openLedger(findLedgerPlace(environment, ledger));
}

async function openLists({ knownImages = [], knownImageDistance }: Settings): Promise<KnownImageLists> {
  const { openKnownImageLists } = await import('../known-images/index.ts');
  return openKnownImageLists(knownImages, { distance: knownImageDistance });
}

/** Who judges documents brings what reads them: `createAgon` does. */
function refuseFiles(): Promise<never> {
  throw new TypeError('There is no readFiles among the parts.');
}

async function calibrationFrom(jobs: Jobs, settings: Settings, parts: AgonParts): Promise<FittedCalibration | null> {
  if (parts.calibration !== undefined) return parts.calibration;
  return settings.calibration ? loadCalibration(jobs, settings.calibration) : null;
}

/** Who sits where; a reasoner of the caller's own for a role sits in each of its seats. */
function seatsOf(job: Job, seats: SeatSettings, pool: ModelPool, { reasoners = {} }: AgonParts): KitSeats {
  const given = (seat: string) => reasoners[seat] ?? reasoners[seat.split('#')[0]!];
  const isEmbedded = (model: string | null) => model === embeddedModel;
  const check = (models: readonly string[]) => {
    for (const model of models) assertInstalled(model);
    pool.check(models);
  };
  return {
    given,
    isEmbedded,
    modelOf: (seat) => modelOf(job, seat, seats),
    named: (seat) => [seats[seat] ?? []].flat()[0] ?? null,
    require(asked) {
      const models = new Map(
        asked.filter((seat) => !given(seat)).map((seat) => [seat, requiredModelOf(job, seat, seats)]),
      );
      check([...models.values()].filter((model) => !isEmbedded(model)));
      return models;
    },
    check,
    canSee: (model) => pool.forItem()(model).vision,
    maySee: (model) => pool.forItem()(model).withholdsImages === true,
    agents: (roles) => agentsNamed(seats, roles),
  };
}

/** What the trials of one job have in common, as it is put on record. */
interface OnRecord {
  job: Job;
  /** The job's own settings and its seats: no keys, no providers. */
  settings: unknown;
  policy: Policy;
  occasion: Occasion;
}

/** Puts every case of a job into the ledger: before its debate, and when it has ended. */
function recordCases(ledger: Ledger, { job, settings, policy, occasion }: OnRecord): CaseRecorder {
  const { hash, name, version } = policy;
  return {
    // Who asks for a case to be judged again wants to know what the judges say.
    ...(occasion.again ? {} : { findCorrection: (subject) => ledger.decisions.findCorrection(subject) }),
    openCase: (entry) =>
      ledger.cases.openCase({
        ...entry,
        job: job.id,
        settings,
        policy: { hash, name, version, document: policy },
        run: occasion.run ?? null,
        again: occasion.again ?? null,
      }),
    async closeCase<Each>(answer: Each) {
      const given = answer as JobAnswer;
      if (occasion.isTriedAgain) assertHeard(job, given);
      return (await ledger.cases.closeCase(given, describeAnswer(job, given))) as Each;
    },
    withholdImages: (entry) => ledger.knownImages.withhold({ ...entry, run: occasion.run ?? null }),
  };
}
