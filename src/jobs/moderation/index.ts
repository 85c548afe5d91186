export { contentSchema, type Content, type ImageInput } from './content.ts';
export type { JudgedImage, ModerationCase, ModerationCaseFile, ModerationSubject, Modality } from './case-file.ts';
export type { Argument, Brief, Findings, Opinion } from './answers.ts';
export type { ModerationTools } from './preprocess.ts';
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
export { buildQuery, moderationRoles, type ModerationReasoners } from './protocol.ts';
export { buildProvenance } from './provenance.ts';
export { shotsSchema, type Shot } from './roles/judges.ts';
export {
  moderation,
  hashSubject,
  type ModerateOptions,
  type ModerationAnswer,
  type ModerationEvent,
  type ModerationProvenance,
  type ModerationSetup,
} from './moderate.ts';
export { countOpeningVote } from './opening-vote.ts';
export { verifyAnswer } from './verify-answer.ts';
export type { Check } from '../../debate/index.ts';
export { moderationJob } from './job.ts';
export { readLabelledItem, readModerationItem, restoreContent } from './content-items.ts';
export { moderationSettings, type ModerationSettings } from './settings.ts';
