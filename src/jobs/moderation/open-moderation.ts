import type { JobKit, KitSeats } from '../job-kit.ts';
import type { OpenJob } from '../job.ts';
import { moderation, type ModerateOptions } from './moderate.ts';
import type { ModerationEvent, ModerationSetup } from './moderate.ts';
import type { ModerationAnswer } from './moderation-answer.ts';
import type { Content } from './content.ts';
import { methodOf, seatsOf, type DebatePlan } from './plan.ts';
import { buildProvenance } from './provenance.ts';
import { moderationSettings, type ModerationSettings } from './settings.ts';

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
    tools: kit.tools,
    library: methodOf(plan) === 'debate' ? kit.library : null,
    calibration: kit.calibration,
    secret: kit.secret,
    maxCharacters: settings.maxCharacters ?? (allEmbedded ? 5_000_000 : 200_000),
    version: kit.version,
  };

  function setUp(): ModerationSetup {
    const { reasonerFor, reasonerOf, journal, recorder } = kit.forSubject();
    return {
      ...shared,
      reasoners: Object.fromEntries(asked.map((seat) => [seat, reasonerFor(seat)])),
      vision: kit.seats.given('preprocessor') ?? (vision ? reasonerOf(vision) : null),
      journal,
      recorder,
    };
  }

  return {
    provenance: () => buildProvenance(setUp()),
    async *judge(content, { withoutPrecedents, ...options } = {}) {
      const unseen = withoutPrecedents ? { ...options.unseen, precedents: withoutPrecedents } : options.unseen;
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
  return (
    ['preprocessor', ...others]
      .map((seat) => seats.modelOf(seat))
      .find((model) => model !== null && !seats.isEmbedded(model) && seats.canSee(model)) ?? null
  );
}
