import type { JobKit, KitSeats } from '../job/job-kit.ts';
import type { OpenJob } from '../job/job.ts';
import type { Content } from './content.ts';
import { moderation, type ModerateOptions, type ModerationEvent, type ModerationSetup } from './moderate.ts';
import type { ModerationAnswer } from './moderation-answer.ts';
import { methodOf, seatsOf, type DebatePlan } from './plan.ts';
import { buildModerationProvenance } from './provenance.ts';
import { moderationSettings, readMediaLimits, type ModerationSettings } from './settings.ts';

export type OpenModeration = OpenJob<string | Content, ModerationAnswer, ModerationEvent, ModerateOptions>;

/** Puts moderation together, once; each item gets a setup of its own. Says at once what is missing. */
export function openModeration(kit: JobKit): OpenModeration {
  const settings = moderationSettings.parse(kit.settings);
  const plan = planFrom(settings, kit.seats.isEmbedded(kit.seats.modelOf('supporter')));
  const asked = seatsOf(plan);
  const models = kit.seats.require(asked);
  const vision = settings.vision === false || kit.seats.given('preprocessor') ? null : findVision(kit.seats, plan);
  if (vision) kit.seats.check([vision]);
  const allEmbedded = [...models.values()].every((model) => kit.seats.isEmbedded(model));
  const shared = {
    policy: kit.policy,
    plan,
    shots: settings.shots,
    ocr: settings.ocr ?? true,
    observations: settings.observations ?? 'auto',
    tools: kit.tools,
    media: readMediaLimits(settings),
    transcription: settings.transcription ?? null,
    library: methodOf(plan) === 'debate' ? kit.library : null,
    calibration: kit.calibration,
    secret: kit.secret,
    context: settings.context ?? [],
    maxCharacters: settings.maxCharacters ?? (allEmbedded ? 5_000_000 : 200_000),
    version: kit.version,
  };

  function setUp(): ModerationSetup {
    const { reasonerFor, reasonerOf, journal, recorder } = kit.forSubject();
    const eye = kit.seats.given('preprocessor') ?? (vision ? reasonerOf(vision) : null);
    return {
      ...shared,
      reasoners: Object.fromEntries(asked.map((seat) => [seat, reasonerFor(seat)])),
      vision: eye?.withholdsImages ? null : eye,
      withheldFrom: eye?.withholdsImages ? eye.id : null,
      journal,
      recorder,
    };
  }

  return {
    provenance: () => buildModerationProvenance(setUp()),
    async *judge(content, { withoutPrecedents: precedents, withoutCopies: copies, ...options } = {}) {
      const kept = { ...options.unseen, ...(precedents ? { precedents } : {}), ...(copies ? { copies } : {}) };
      const unseen = Object.keys(kept).length > 0 ? kept : undefined;
      return yield* moderation(content, setUp(), { ...options, unseen });
    },
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

/** The preprocessor's own model; else the first of the others that can look at images. */
function findVision(seats: KitSeats, plan: DebatePlan): string | null {
  const own = seats.named('preprocessor');
  if (own !== null) return own;
  // Of an image every method reads the description that the debate would read.
  const others = [...seatsOf({ without: plan.without }), ...seatsOf(plan)].filter((seat) => !seats.given(seat));
  const models = ['preprocessor', ...others]
    .map((seat) => seats.modelOf(seat))
    .filter((model) => model !== null && !seats.isEmbedded(model));
  // One that may not look is named all the same: the answer says that images were kept from it.
  return models.find((model) => seats.canSee(model!)) ?? models.find((model) => seats.maySee(model!)) ?? null;
}
