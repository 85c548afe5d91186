export { collectCalls, createChannel, linkAbort, reportCall } from './channel.ts';
export { modelCallSchema, type Disclosure, type ModelCall, type TurnPlace } from './model-call.ts';
export { disclosedSchema, sumDisclosures, type Disclosed } from './sum-disclosures.ts';
export * from './case-file.ts';
export * from './answer.ts';
export type { AnswerDescription, AnswerSummary, CaseIndex, JobAnswer } from './job-answer.ts';
export { showCorrection, type FindingEdit, type JobCorrection } from './correction.ts';
export { hashAnswer, sealAnswer } from './seal.ts';
export * from './role.ts';
export * from './reasoner.ts';
export * from './transcript.ts';
export { compute, inOrder, rounds, together, turn, type ComputeInput, type Protocol, type Until } from './protocol.ts';
export * from './methods/baselines.ts';
export * from './methods/count-votes.ts';
export { findEvidence } from './take-turn.ts';
export { memoryJournal, type Journal, type JournalEntry } from './journal.ts';
export * from './precedent.ts';
export * from './verdict.ts';
export {
  chooseCalibration,
  describeOtherModel,
  readCalibration,
  type Calibration,
  type FittedCalibration,
} from './calibration.ts';
export { cancelledError, conduct, resultOf, type ConductOptions, type DebateEvent } from './conduct.ts';
export { createFence, layOutPrompt, renderCaseFile, renderExamples, type Fence } from './lay-out-prompt.ts';
export * from './answer-schema.ts';
export { checkQuotes, checkSeal, checkThat, checkVerdict, rereadTurns, type Check } from './check-answer.ts';
