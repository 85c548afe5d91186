export { createChannel, linkAbort } from './channel.ts';
export { modelCallSchema, type Disclosure, type ModelCall, type TurnPlace } from './model-call.ts';
export { disclosedSchema, sumDisclosures, type Disclosed } from './sum-disclosures.ts';
export { collectCalls, tellCall } from './told-calls.ts';
export {
  createStatement,
  describesImage,
  findPlainForm,
  findReadableForm,
  isGlimpse,
  isObservation,
  isSilence,
  isStatement,
  isTranscript,
  listsSights,
  type Attachment,
  type CaseFile,
  type Mark,
  type Observation,
} from './case-file.ts';
export {
  addUsage,
  noUsage,
  sumUsage,
  type AnswerUsage,
  type Usage,
  answerVersion,
  type Answer,
  type CaseRecorder,
  type PastDecision,
  type KnownImage,
  type WithheldCase,
  type Provenance,
} from './answer.ts';
export type { AnswerDescription, AnswerSummary, CaseIndex, JobAnswer } from './job-answer.ts';
export { showCorrection, type FindingEdit, type JobCorrection } from './correction.ts';
export { hashAnswer, sealAnswer } from './seal.ts';
export {
  promptFor,
  type Correction,
  type Prompt,
  type Question,
  type Reading,
  type Role,
  type RoleReader,
} from './role.ts';
export {
  listDigests,
  requireReasoner,
  type Answered,
  type Failed,
  type FailureReason,
  type Reasoner,
  type Seat,
} from './reasoner.ts';
export {
  defineStep,
  findLastTurn,
  findTurns,
  findValue,
  isTurnOf,
  listQuotes,
  type Computed,
  type Entry,
  type RoleKey,
  type Step,
  type Transcript,
  type Turn,
} from './transcript.ts';
export { compute, inOrder, rounds, together, turn, type ComputeInput, type Protocol, type Until } from './protocol.ts';
export {
  baselineMethods,
  baselineProtocol,
  describeBaseline,
  isBaseline,
  seatBaseline,
  type FilledSeat,
  baselineRoles,
  sampleComputed,
  samplePrompts,
  sampleTurn,
} from './methods/baselines.ts';
export {
  findOpeningTurns,
  findVotes,
  hasUnheardSeat,
  keepLastOfSeats,
  keepUnique,
  ruleByMajority,
  ruleOnSilence,
} from './methods/count-votes.ts';
export { findEvidence } from './take-turn.ts';
export { memoryJournal, type Journal, type JournalEntry } from './journal.ts';
export {
  findRetrieval,
  retrievalStep,
  type Exclusion,
  type ExclusionReason,
  type Precedent,
  type PrecedentLibrary,
  type PrecedentLesson,
  type PrecedentModality,
  type PrecedentQuery,
  type Retrieval,
  type Unseen,
} from './precedent.ts';
export {
  closeVerdict,
  contradictsScore,
  listDegradations,
  type Degradation,
  type Ruling,
  safetyLabels,
  type SafetyLabel,
  type Verdict,
} from './verdict.ts';
export {
  chooseCalibration,
  describeOtherModel,
  readCalibration,
  type Calibration,
  type FittedCalibration,
} from './calibration.ts';
export { cancelledError, conduct, resultOf, type ConductOptions, type DebateEvent } from './conduct.ts';
export { createFence, layOutPrompt, renderCaseFile, renderExamples, type Fence } from './lay-out-prompt.ts';
export {
  answerShape,
  computedSchema,
  degradationSchema,
  parseAnswer,
  provenanceSchema,
  readAnswer,
  turnSchema,
  usageSchema,
  verdictSchema,
  type Described,
} from './answer-schema.ts';
export { checkQuotes, checkSeal, checkThat, checkVerdict, rereadTurns, type Check } from './check-answer.ts';
