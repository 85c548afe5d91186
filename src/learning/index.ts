export { correctClaim, listCorrections, withdrawCorrection } from './correct-claim.ts';
export { lessonSchema, type Lesson, postMortemOf, type PostMortem } from './lesson.ts';
export { curate } from './curator.ts';
export { precedentOf, readLesson } from './read-lesson.ts';
export { openAdmission } from './admit-precedent.ts';
export { learn, type LearnOptions, worked, type LearnReport, type TakenCase } from './learn.ts';
export { approvePrecedents, rejectPrecedent, type Approved } from './review-precedents.ts';
export { giveFeedback, importFeedback, type GivenFeedback } from './give-feedback.ts';
export { audit, recentlyDecided, type Audit, type DecidedCase } from './audit-precedents.ts';
