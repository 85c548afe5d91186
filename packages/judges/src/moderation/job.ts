import { findTurns, type Transcript } from '@agonhq/engine/debate';
import { indexVerdict, indexOfVerdict } from '../job/index-verdict.ts';
import type { Job } from '../job/job.ts';
import { moderationBlock } from './block.ts';
import { readModality } from './case-file.ts';
import { contentItems, restoreContent } from './content-items.ts';
import type { Content } from './content.ts';
import { hashSubject, type ModerateOptions, type ModerationEvent } from './moderate.ts';
import { readModerationAnswer, type ModerationAnswer } from './moderation-answer.ts';
import { openModeration } from './open-moderation.ts';
import { moderationMethods, seatsOf } from './plan.ts';
import { buildQuery } from './protocol.ts';
import { writeModerationHtml } from './report/html.ts';
import { writeModerationMarkdown } from './report/markdown.ts';
import { notice } from './report/notice.ts';
import { moderationRequest } from './request.ts';
import { moderationSettings } from './settings.ts';
import { verifyAnswer } from './verify-answer.ts';

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
  // No part but the judge; images only by descriptions: what small eyes do not see, a first tier must not clear.
  guardAlone: { without: ['retrieval', 'supporter', 'debate'], vision: false, ocr: false, observations: 'never' },
  // Recordings are decoded and written down once, where they are judged, by the ears that the settings name.
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
    return { precedentSeat: draws ? 'supporter' : null, clauseExamples: true, secondMind: false };
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
    html: (answer, extras) => writeModerationHtml(answer, extras),
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
