export { createChannel } from './channel.ts';
export { linkAbort } from './abort-with.ts';
export { isObservation, type Attachment, type CaseFile, type Observation } from './case-file.ts';
export { addUsage, noUsage, type Usage } from './usage.ts';
export type { Correction, Prompt, Question, Reading, Role } from './role.ts';
export { promptFor } from './role-prompt.ts';
export type { FailureReason } from './failure.ts';
export type { Answered, AnswerOptions, Failed, Reasoner, Seat } from './reasoner.ts';
export {
  findValue,
  findLastTurn,
  findTurns,
  type Computed,
  type Entry,
  type Stop,
  type Transcript,
  type Turn,
} from './transcript.ts';
export { compute, inOrder, rounds, together, turn, type ComputeInput, type Protocol, type Until } from './protocol.ts';
export { mostVotes, takingTurns, votesCast } from './control.ts';
export { memoryJournal, type Journal, type JournalEntry } from './journal.ts';
export type { CaseRecorder, OpenedCase } from './docket.ts';
export { isStatement, createStatement } from './statement.ts';
export type { DebateEvent } from './events.ts';
export {
  findRetrieval,
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
export type { Degradation, SafetyLabel, Verdict } from './verdict.ts';
export { listDegradations } from './degradations.ts';
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
export { answerVersion, type Answer, type AnswerUsage, type Provenance } from './answer.ts';
export { cancelledError, conduct, type ConductOptions } from './conduct.ts';
export { createFence, renderCaseFile, type Fence } from './fence.ts';
export { resultOf } from './result-of.ts';
export { sealAnswer, hashAnswer, sumUsage } from './seal.ts';
export { readAnswer } from './read-answer.ts';
export { checkThat, checkQuotes, checkSeal, type Check } from './checks.ts';
