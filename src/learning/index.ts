export { lessonSchema, type Lesson, postMortemOf, type PostMortem, type Truth } from './lesson.ts';
export { curate, type CurateOptions } from './curator.ts';
export { precedentOf, readLesson, type Origin, type ReadLesson } from './read-lesson.ts';
export { openAdmission, opponentsOf, type Admission, type AdmissionOptions, type Admitted } from './admit-precedent.ts';
export { learn, type LearnOptions, worked, type LearnReport, type TakenCase } from './learn.ts';
export { approvePrecedents, proposedPrecedents, rejectPrecedent, type Approved } from './review-precedents.ts';
export { giveFeedback, importFeedback, feedbackExample, type Feedback, type GivenFeedback } from './give-feedback.ts';
export {
  audit,
  recentlyDecided,
  type Audit,
  type AuditedPrecedent,
  type DecidedCase,
  type JudgeWithout,
} from './audit-precedents.ts';
