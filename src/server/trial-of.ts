import type { OwnJobId as Job } from '../jobs/index.ts';
import type { Agon } from '../app/index.ts';
import { hashOf, sha256 } from '../hash.ts';
import { moderationJob, type Content, type ImageInput, type ModerationAnswer } from '../jobs/moderation/index.ts';
import type { Answered } from './answered.ts';
import type { CourtMethod } from './agon-pool.ts';
import type { Trial } from './trials/run-trial.ts';

/** A trial about something under a policy: the same about, the same trial. */
export function trialOf<Answer extends Answered>(
  job: Job,
  agon: Agon,
  about: readonly unknown[],
  hold: Trial<Answer>['hold'],
): Trial<Answer> {
  const { policy } = agon;
  return { job, key: hashOf([job, policy.hash, about.map((part) => part ?? null)]), hold };
}

export function moderationTrial(
  agon: Agon,
  method: CourtMethod | undefined,
  content: Content,
): Trial<ModerationAnswer> {
  return trialOf('moderation', agon, [method, keyOfContent(content)], (signal, stream) =>
    agon.judge(moderationJob, content, { signal, stream }),
  );
}

/** What tells one content from another, without holding its bytes twice. */
function keyOfContent({ images, ...rest }: Content): unknown {
  return {
    ...rest,
    images: images?.map((image: ImageInput) => ('data' in image ? sha256(image.data) : image)) ?? null,
  };
}
