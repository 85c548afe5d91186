export { lessonSchema, type Lesson } from './lesson.ts';
export { postMortemOf, type PostMortem, type Truth } from './post-mortem.ts';
export { curate, type CurateOptions } from './curate.ts';
export { precedentOf, readLesson, type Origin, type ReadLesson } from './precedent-of.ts';
export { openAdmission, opponentsOf, type Admission, type AdmissionOptions, type Admitted } from './admission.ts';
export { learn, type LearnOptions } from './learn.ts';
export { worked } from './in-turn.ts';
export type { LearnReport, TakenCase } from './learn-report.ts';
export { approvePrecedents, proposedPrecedents, rejectPrecedent, type Approved } from './review.ts';
export { giveFeedback, importFeedback, feedbackExample, type Feedback, type GivenFeedback } from './feedback.ts';
export {
  audit,
  recentlyDecided,
  type Audit,
  type AuditedPrecedent,
  type DecidedCase,
  type JudgeWithout,
} from './audit.ts';
