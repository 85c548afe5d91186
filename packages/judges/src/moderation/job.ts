import { findTurns, type Transcript } from '@agonhq/engine/debate';
import { indexVerdict, indexOfVerdict } from '../job/describe-answer.ts';
import type { Job, OpenJob } from '../job/job.ts';
import { moderationBlock } from './block.ts';
import { readModality } from './case-file.ts';
import { contentItems, restoreContent } from './content-items.ts';
import type { Content } from './content.ts';
import {
  hashSubject,
  moderation,
  type ModerateOptions,
  type ModerationEvent,
  type ModerationSetup,
} from './moderate.ts';
import { readModerationAnswer, type ModerationAnswer } from './moderation-answer.ts';
import { moderationMethods, seatsOf, methodOf, type DebatePlan } from './plan.ts';
import { buildQuery } from './protocol.ts';
import { writeModerationMarkdown } from './report/markdown.ts';
import { notice } from './report/notice.ts';
import { moderationRequest } from './request.ts';
import { moderationSettings, type ModerationSettings } from './settings.ts';
import { verifyAnswer } from './verify-answer.ts';
import type { JobKit, KitSeats, MediaLimits } from '../job/job-kit.ts';
import { buildModerationProvenance } from './provenance.ts';

type OpenModeration = OpenJob<string | Content, ModerationAnswer, ModerationEvent, ModerateOptions>;

/** Puts moderation together, once; each item gets a setup of its own. Says at once what is missing. */
function openModeration(kit: JobKit): OpenModeration {
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
    const seeing = kit.seats.given('preprocessor') ?? (vision ? reasonerOf(vision) : null);
    return {
      ...shared,
      reasoners: Object.fromEntries(asked.map((seat) => [seat, reasonerFor(seat)])),
      vision: seeing?.withholdsImages ? null : seeing,
      withheldFrom: seeing?.withholdsImages ? seeing.id : null,
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

/** What may be taken from recordings. */
function readMediaLimits(settings: ModerationSettings): MediaLimits {
  return {
    ffmpeg: settings.ffmpeg ?? 'ffmpeg',
    bytes: (settings.mediaMegabytes ?? 100) * 1_000_000,
    seconds: settings.mediaSeconds ?? 900,
    whenLonger: settings.longMedia ?? 'refuse',
    frames: settings.frames ?? 24,
    interval: settings.frameSeconds ?? 5,
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

/** Moderation (Aetheria): is this text, image, recording or film safe? */
export const moderationJob: Job<string | Content, ModerationAnswer, ModerationEvent, ModerateOptions> = {
  ...moderationBlock,
  title: 'Moderation',
  description: 'Is this text, image or both safe?',
  casePrefix: 'mod',
  subject: 'content',
  labels: ['safe', 'unsafe', 'undecided'],
  methods: moderationMethods,
  // A light model debates, a strong one judges, another looks at images.
  paperSeats: { debaters: 'openai:gpt-4o-mini', arbiter: 'openai:gpt-4o', preprocessor: 'openai:gpt-4.1' },
  usesPolicy: true,
  learning: {
    readExample: ({ text, imageDescription }) => ({
      ...(text === undefined ? {} : { text }),
      ...(imageDescription === undefined ? {} : { images: [{ description: imageDescription }] }),
    }),
    studyAnswer: ({ sources, subject: { images }, verdict, transcript }) => ({
      sources,
      modality: readModality({ sources, images }),
      text: buildQuery({ sources }),
      pictures: images.flatMap(({ fingerprint }) => fingerprint ?? []),
      verdict,
      transcript,
    }),
    hashText: (text) => hashSubject(text, []),
    countPrecedents: (settings) => moderationSettings.parse(settings).precedents ?? 3,
  },
  items: contentItems,
  request: moderationRequest,
  // No part but the judge; images only by descriptions: what small image models do not see, a first tier must not
  // clear.
  guardAlone: { without: ['retrieval', 'supporter', 'debate'], vision: false, ocr: false, observations: 'never' },
  // Recordings are decoded and written down once, where they are judged, by the speech model that the settings name.
  guardLeaves: (input) => typeof input !== 'string' && Boolean(input.audio?.length || input.video?.length),
  earlyStop: {
    isOn(settings) {
      const { earlyStop, preset } = moderationSettings.parse(settings);
      return earlyStop ?? preset !== 'paper';
    },
    off: { earlyStop: false },
  },

  needs(settings) {
    const { method = 'debate', without = [] } = moderationSettings.parse(settings);
    const draws = method === 'debate' && !without.some((part) => part === 'supporter' || part === 'retrieval');
    return { precedentSeat: draws ? 'supporter' : null, clauseExamples: true, secondModel: false };
  },

  open: openModeration,
  readAnswer: readModerationAnswer,
  verify: (answer, { sources, policy }) => verifyAnswer(answer, { source: sources?.[0]?.bytes, policy }),
  summarize: indexOfVerdict,
  index: (answer) => ({
    ...indexVerdict(answer, measureDisagreement(answer.transcript)),
    pictures: listPictures(answer),
  }),
  debates: (answer) => [answer],
  report: {
    markdown: (answer, { policy }) => writeModerationMarkdown(answer, policy),
    notice: (answer, { policy, appeal, decision }) => notice(answer, { policy, howToAppeal: appeal, decision }),
  },
  debateSeats: (settings) => seatsOf({ without: moderationSettings.parse(settings).without ?? [] }),
  restore: async (content, files) => ({ input: await restoreContent(content, files), options: {} }),
};

/** What stands for the pixels of the images that were looked at. */
function listPictures({ subject }: ModerationAnswer) {
  return subject.images.flatMap(({ id, fingerprint, withheld }) =>
    fingerprint && !withheld ? [{ image: id, ...fingerprint }] : [],
  );
}

/** Between the last scores of the strict and the loose debater. */
function measureDisagreement(transcript: Transcript): number | null {
  const findScore = (role: string) => findTurns(transcript).findLast((turn) => turn.role === role)?.score ?? null;
  const [strict, loose] = [findScore('strict-debater'), findScore('loose-debater')];
  return strict === null || loose === null ? null : Math.abs(strict - loose);
}
