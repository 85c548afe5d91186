export { createChannel } from './channel.ts';
export { linkAbort } from './abort-with.ts';
export {
  createStatement,
  isObservation,
  isStatement,
  type Attachment,
  type CaseFile,
  type Observation,
} from './case-file.ts';
export { addUsage, noUsage, sumUsage, type Usage } from './usage.ts';
export { promptFor, type Correction, type Prompt, type Question, type Reading, type Role } from './role.ts';
export type { Answered, AnswerOptions, Failed, FailureReason, Reasoner, Seat } from './reasoner.ts';
export {
  defineStep,
  findLastTurn,
  findTurns,
  findValue,
  type Computed,
  type Entry,
  type RoleKey,
  type Step,
  type Stop,
  type Transcript,
  type Turn,
} from './transcript.ts';
export { compute, inOrder, rounds, together, turn, type ComputeInput, type Protocol, type Until } from './protocol.ts';
export { mostVotes, takingTurns, votesCast } from './control.ts';
export { memoryJournal, type Journal, type JournalEntry } from './journal.ts';
export {
  findRetrieval,
  retrievalStep,
  type Exclusion,
  type ExclusionReason,
  type LibraryState,
  type Precedent,
  type PrecedentLibrary,
  type PrecedentLesson,
  type PrecedentModality,
  type PrecedentQuery,
  type Retrieval,
  type Unseen,
} from './precedent.ts';
export { listDegradations, type Degradation, type SafetyLabel, type Verdict } from './verdict.ts';
export {
  applyCalibration,
  calibrationSchema,
  requireCurve,
  fittedWith,
  isInDoubt,
  logit,
  readCalibration,
  type Calibration,
  type FittedCalibration,
} from './calibration.ts';
export {
  answerVersion,
  hashAnswer,
  sealAnswer,
  type Answer,
  type AnswerUsage,
  type CaseRecorder,
  type OpenedCase,
  type Provenance,
} from './answer.ts';
export { cancelledError, conduct, resultOf, type ConductOptions, type DebateEvent } from './conduct.ts';
export { createFence, renderCaseFile, type Fence } from './fence.ts';
export { readAnswer } from './read-answer.ts';
export { checkThat, checkQuotes, checkSeal, type Check } from './checks.ts';
