import { describeLabel } from '@agonhq/engine/view';
import { describeSize, moderationTerms } from '@agonhq/judges/moderation/view';
import { readSource } from '../../trial/trial-view.ts';
import type { TrialJob } from '../console-job.ts';
import { describeTerms } from '../job-parts.ts';

/** Two debaters, an arbiter, three rules. */
export const moderationTrial: TrialJob = {
  id: 'moderation',
  title: 'Moderation',
  usesPolicy: true,
  terms: {
    ...describeTerms(moderationTerms, {
      preprocessor: { part: 'opening', task: 'Describes an image for all others' },
      supporter: { part: 'opening' },
      'strict-debater': { part: 'left', side: 'Strict', tone: 'risk', shape: 'circle', quotesFor: 'risk' },
      'loose-debater': { part: 'right', side: 'Loose', tone: 'exoneration', shape: 'square', quotesFor: 'exoneration' },
      arbiter: { part: 'closing', task: 'Weighs both sides; its findings are under the rules', tone: 'ink' },
    }),
    quotedFor: { risk: 'quoted for the risk', exoneration: 'for exoneration', both: 'for both' },
    describeVerdict: ({ label }) => describeLabel(label).meaning,
    listVerdictFacts: () => [],
  },
  readSources: (sources) => sources.map(readSource),
  readAnswer: (answer) =>
    answer.job === 'moderation'
      ? {
          sources: answer.sources.map(readSource),
          verdict: answer.verdict,
          images: answer.subject.images.map(({ id, hash, frame, mediaType, ...size }) => ({
            id,
            hash,
            frame,
            about: [describeSize(size), mediaType].filter((fact) => fact !== null).join(' · '),
          })),
          recordings: (answer.subject.recordings ?? []).map((one) => ({ ...one, about: one.mediaType })),
          contextShown: answer.subject.contextShown ?? [],
        }
      : {},
};
