export { type Content, type ImageInput, type RecordingInput } from './content.ts';
export { readModality, type ModerationCaseFile } from './case-file.ts';
export {
  moderationAnswerSchema,
  type Modality,
  type ModerationAnswer,
  type ModerationSubject,
} from './moderation-answer.ts';
export type { ModerationArgument, Brief, Findings, Opinion } from './answers.ts';
export { removableParts, type ModerationMethod, type RemovablePart } from './plan.ts';
export { moderationRoles } from './protocol.ts';
export type { ModerateOptions, ModerationEvent } from './moderate.ts';
export { countOpeningVote } from './opening-vote.ts';
export { verifyAnswer } from './verify-answer.ts';
export { moderationJob } from './job.ts';
export { decodeImage, moderationRequestSchema } from './request.ts';
export { readModerationItem } from './content-items.ts';
export { moderationSettings } from './settings.ts';
