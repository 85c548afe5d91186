import {
  methodOf,
  seatsOf,
  type DebatePlan,
  type ModerationReasoners,
  type ModerationSeat,
  type ModerationSetup,
} from '../jobs/moderation/index.ts';
import { embeddedModel } from '../reasoners/index.ts';
import { modelOf, requiredModelOf, type ModerationSettings, type SeatSettings } from '../settings/index.ts';
import { deobfuscate, findInjections, inspectImage, loadImage, readImageText } from '../tools/index.ts';
import { version } from '../version.ts';
import type { AgonParts, ModelPool } from './parts.ts';
import type { Workshop } from './workshop.ts';

/** Puts moderation together, once; each item gets a setup of its own. Says at once what is missing. */
export function moderationSetups(workshop: Workshop): () => ModerationSetup {
  const { parts, pool, policy } = workshop;
  const settings = workshop.settings.moderation ?? {};
  const seats = workshop.seats('moderation');
  const plan = planFrom(settings, modelOf('supporter', seats) === embeddedModel);
  const models = checkModels(pool, plan, seats, settings, parts);
  const allEmbedded = Object.values(models.bySeat).every((model) => model === embeddedModel);
  const shared = {
    policy,
    plan,
    shots: settings.shots,
    ocr: settings.ocr ?? true,
    tools: { deobfuscate, findInjections, inspectImage, loadImage, readImageText },
    library: methodOf(plan) === 'debate' ? (parts.precedents ?? workshop.library) : null,
    calibration: workshop.calibrationFor('moderation'),
    secret: workshop.secret,
    maxCharacters: settings.maxCharacters ?? (allEmbedded ? 5_000_000 : 200_000),
    version,
  };
  return () => {
    const reasonerOf = workshop.reasoners();
    const reasoners: ModerationReasoners = Object.fromEntries(
      seatsOf(plan).map((seat) => [seat, parts.reasoners?.[seat] ?? reasonerOf(models.bySeat[seat]!)]),
    );
    return {
      ...shared,
      reasoners,
      vision: parts.reasoners?.preprocessor ?? (models.vision ? reasonerOf(models.vision) : null),
      journal: workshop.journal(),
      docket: workshop.docket('moderation'),
    };
  };
}

function planFrom(settings: ModerationSettings, cheapSupporter: boolean): DebatePlan {
  const paper = settings.preset === 'paper';
  const { method = 'debate' } = settings;
  return {
    ...(method === 'debate' ? {} : { method }),
    rounds: settings.rounds ?? 2,
    turns: settings.turns ?? (paper ? 'alternate' : 'together'),
    earlyStop: settings.earlyStop ?? !paper,
    without: settings.without ?? [],
    // An LLM pays for every precedent it reads; the embedded supporter does not.
    precedents: settings.precedents ?? (cheapSupporter ? 30 : 3),
  };
}

/** Names a model for every seat that will be asked, and checks that each can be reached as configured. */
function checkModels(
  pool: ModelPool,
  plan: DebatePlan,
  seats: SeatSettings,
  settings: ModerationSettings,
  parts: AgonParts,
) {
  const asked = seatsOf(plan).filter((seat) => !parts.reasoners?.[seat]);
  const bySeat: Partial<Record<ModerationSeat, string>> = Object.fromEntries(
    asked.map((seat) => [seat, requiredModelOf(seat, seats)]),
  );
  pool.check(Object.values(bySeat).filter((model) => model !== embeddedModel));
  // Of an image every method reads the description that the debate would read.
  const seeing = [...seatsOf({ without: plan.without }).filter((seat) => !parts.reasoners?.[seat]), ...asked].map(
    (seat) => modelOf(seat, seats),
  );
  const vision = settings.vision === false || parts.reasoners?.preprocessor ? null : visionModel(pool, seats, seeing);
  if (vision) pool.check([vision]);
  return { bySeat, vision };
}

/** The preprocessor's own model; else the first of the others that can look at images. */
function visionModel(pool: ModelPool, seats: SeatSettings, others: readonly (string | null)[]): string | null {
  if (seats.preprocessor) return seats.preprocessor;
  const reasonerOf = pool.forItem();
  return (
    [modelOf('preprocessor', seats), ...others].find(
      (model) => model !== null && model !== embeddedModel && reasonerOf(model).vision,
    ) ?? null
  );
}
