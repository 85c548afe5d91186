export { contentSchema, type Content, type ImageInput } from './content.ts';
export type { ModerationCaseFile } from './case-file.ts';
export type { JudgedImage, ModerationSubject, Modality } from './subject.ts';
export type { Argument, Brief, Findings } from './answers.ts';
export type { ModerationTools } from './tools.ts';
export { queryOf, removableParts, seatsOf, type DebatePlan, type ModerationSeat, type RemovablePart } from './protocol.ts';
export { moderation, provenanceOf, subjectHash, type ModerateOptions, type ModerationAnswer, type ModerationEvent, type ModerationSetup } from './moderate.ts';
export { verifyAnswer } from './verify-answer.ts';
export type { Check } from '../debate/index.ts';
