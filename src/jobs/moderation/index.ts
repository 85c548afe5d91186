export { contentSchema, type Content, type ImageInput } from './content.ts';
export type { ModerationCaseFile } from './case-file.ts';
export type { JudgedImage, ModerationSubject, Modality } from './subject.ts';
export type { Argument, Brief, Findings, Opinion } from './answers.ts';
export type { ModerationTools } from './tools.ts';
export {
  methodOf,
  moderationMethods,
  removableParts,
  seatsOf,
  type DebatePlan,
  type ModerationMethod,
  type ModerationSeat,
  type RemovablePart,
} from './plan.ts';
export type { ModerationReasoners } from './seating.ts';
export { shotsSchema, type Shot } from './shots.ts';
export { queryOf } from './protocol.ts';
export {
  moderation,
  provenanceOf,
  subjectHash,
  type ModerateOptions,
  type ModerationAnswer,
  type ModerationEvent,
  type ModerationProvenance,
  type ModerationSetup,
} from './moderate.ts';
export { openingVote } from './opening-vote.ts';
export { verifyAnswer } from './verify-answer.ts';
export type { Check } from '../../debate/index.ts';
export { moderationJob } from './job.ts';
export { readLabelledItem, readModerationItem, restoreContent } from './content-items.ts';
export { moderationSettings, type ModerationSettings } from './settings.ts';
