import { memoryJournal, type Journal, type PrecedentLibrary, type Provenance, type Reasoner, type Usage } from './debate/index.ts';
import {
  moderation, provenanceOf, seatsOf,
  type Content, type DebatePlan, type ModerateOptions, type ModerationAnswer, type ModerationEvent, type ModerationSeat, type ModerationSetup,
} from './moderation/index.ts';
import { defaultPolicy, loadPolicy, type Policy } from './policy/index.ts';
import { memoryLibrary, seedPrecedents } from './precedents/index.ts';
import { createEmbeddedReasoner, createLlmPool, embeddedModel, embedText, openGuard, type LlmPool } from './reasoners/index.ts';
import {
  installationSecret, loadCalibration, mergeSettings, modelOf, paperSeats, readSettings, requiredModelOf, settingsFromEnvironment,
  type ModerationSettings, type SeatName, type SeatSettings, type Settings,
} from './settings/index.ts';
import { closeTools, deobfuscate, findInjections, inspectImage, loadImage, readImageText } from './tools/index.ts';
import { version } from './version.ts';

/** What a program may hand in beside its settings. */
export interface AgonParts {
  environment?: Record<string, string | undefined>;
  /** A policy that is already loaded. */
  policy?: Policy;
  precedents?: PrecedentLibrary;
  journal?: Journal;
  /** Reasoners of the caller's own, by seat; stronger than the settings. */
  reasoners?: Partial<Record<SeatName, Reasoner>>;
  secret?: string;
}

/** Agon, put together once and used for any number of subjects. */
export interface Agon {
  policy: Policy;
  moderate(content: string | Content, options?: ModerateOptions): Promise<ModerationAnswer>;
  /** The same as a stream: yields events, returns the answer. */
  moderation(content: string | Content, options?: ModerateOptions): AsyncGenerator<ModerationEvent, ModerationAnswer, void>;
  /** What made the answers, as each of them carries it: the configuration's hash among other things. */
  provenance(): Provenance;
  /** What all calls cost so far. */
  spent(): Usage;
  close(): Promise<void>;
}

/**
 * Puts Agon together from settings (the environment counts below them) and says at once what is missing.
 *
 * @example const agon = await createAgon({ seats: { debaters: 'openai:gpt-4o-mini', arbiter: 'openai:gpt-4o' } })
 */
export async function createAgon(settings: Settings = {}, parts: AgonParts = {}): Promise<Agon> {
  const environment = parts.environment ?? process.env;
  const given = mergeSettings(settingsFromEnvironment(environment), readSettings(settings, 'settings'));
  const { seats: _seats, moderation: moderationSettings = {}, policy: policyFile, calibration: calibrationFile, ...llm } = given;
  const seats = seatsFrom(given, environment);
  const plan = planFrom(moderationSettings, modelOf('supporter', seats) === embeddedModel);
  const pool = createLlmPool(llm, environment);
  const models = checkModels(pool, plan, seats, moderationSettings, parts);
  const allEmbedded = Object.values(models.bySeat).every((model) => model === embeddedModel);
  // The model loads in its own thread while the policy is read; whoever asks it first hears what is wrong with it.
  const usesEmbedded = Object.values(models.bySeat).includes(embeddedModel);
  if (usesEmbedded) void openGuard().catch(() => undefined);
  const policy = parts.policy ?? (policyFile ? await loadPolicy(policyFile) : await defaultPolicy());
  const seeds = usesEmbedded ? await seedPrecedents(policy) : [];
  const shared = {
    policy,
    plan,
    ocr: moderationSettings.ocr ?? true,
    tools: { deobfuscate, findInjections, inspectImage, loadImage, readImageText },
    library: parts.precedents ?? (models.bySeat.supporter === embeddedModel ? memoryLibrary(seeds, embedText) : null),
    calibration: calibrationFile ? await loadCalibration(calibrationFile) : null,
    secret: parts.secret ?? (await installationSecret(environment)),
    maxCharacters: moderationSettings.maxCharacters ?? (allEmbedded ? 5_000_000 : 200_000),
    version,
  };
  const embedded = createEmbeddedReasoner(policy, seeds.flatMap(({ label, clause, text }) => (label === 'unsafe' && clause !== undefined ? [{ clause, text }] : [])));

  function setup(): ModerationSetup {
    const llmOf = pool.forItem();
    const reasonerOf = (model: string) => (model === embeddedModel ? embedded : llmOf(model));
    const seated = Object.fromEntries(seatsOf(plan).map((seat) => [seat, parts.reasoners?.[seat] ?? reasonerOf(models.bySeat[seat]!)]));
    return {
      ...shared,
      reasoners: seated as Record<ModerationSeat, Reasoner>,
      vision: parts.reasoners?.preprocessor ?? (models.vision ? reasonerOf(models.vision) : null),
      journal: parts.journal ?? memoryJournal(),
    };
  }

  const agon: Agon = {
    policy,
    async *moderation(content, options) {
      return yield* moderation(content, setup(), options);
    },
    async moderate(content, options) {
      const trial = agon.moderation(content, options);
      for (let next = await trial.next(); ; next = await trial.next()) if (next.done) return next.value;
    },
    provenance: () => provenanceOf(setup()),
    spent: () => pool.spent(),
    close: closeTools,
  };
  return agon;
}

/** Seats as set; the paper's when its preset is asked for or only OpenAI's key is there; Agon's own mind when there is nothing. */
function seatsFrom(settings: Settings, environment: Record<string, string | undefined>): SeatSettings {
  const seats = settings.seats ?? {};
  // A model named for every seat is stronger than the preset's own.
  if (settings.moderation?.preset === 'paper') return seats.default ? seats : { ...paperSeats, ...seats };
  const nothingSet = Object.keys(seats).length === 0;
  if (!nothingSet) return seats;
  return environment['OPENAI_API_KEY'] ? { ...paperSeats, preprocessor: 'openai:gpt-4o-mini' } : { default: embeddedModel };
}

function planFrom(settings: ModerationSettings, cheapSupporter: boolean): DebatePlan {
  const paper = settings.preset === 'paper';
  return {
    rounds: settings.rounds ?? 2,
    turns: settings.turns ?? (paper ? 'alternate' : 'together'),
    earlyStop: settings.earlyStop ?? !paper,
    without: settings.without ?? [],
    // An LLM pays for every precedent it reads; the embedded supporter does not.
    precedents: settings.precedents ?? (cheapSupporter ? 10 : 3),
  };
}

/** Names a model for every seat that will be asked, and checks that each can be reached as configured. */
function checkModels(pool: LlmPool, plan: DebatePlan, seats: SeatSettings, settings: ModerationSettings, parts: AgonParts) {
  const asked = seatsOf(plan).filter((seat) => !parts.reasoners?.[seat]);
  const bySeat: Partial<Record<ModerationSeat, string>> = Object.fromEntries(asked.map((seat) => [seat, requiredModelOf(seat, seats)]));
  pool.check(Object.values(bySeat).filter((model) => model !== embeddedModel));
  const vision = settings.vision === false || parts.reasoners?.preprocessor ? null : visionModel(pool, seats, Object.values(bySeat));
  if (vision) pool.check([vision]);
  return { bySeat, vision };
}

/** The preprocessor's own model; else the first of the others that can look at images. */
function visionModel(pool: LlmPool, seats: SeatSettings, others: readonly string[]): string | null {
  if (seats.preprocessor) return seats.preprocessor;
  const reasonerOf = pool.forItem();
  return [modelOf('preprocessor', seats), ...others].find((model) => model !== null && model !== embeddedModel && reasonerOf(model).vision) ?? null;
}
