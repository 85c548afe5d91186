/** @module agon */

import './need-node.ts';
import { createAgon, type AgonParts } from './app/index.ts';
import type { Analysis, AnalyzeOptions, Documents } from '@agonhq/documents';
import type { EvaluateOptions, EvaluationAnswer, Exchange } from '@agonhq/judges/evaluation';
import type { Content, ModerateOptions, ModerationAnswer } from '@agonhq/judges/moderation';
import type { Jobs, JudgeEvent } from '@agonhq/judges/job';
import { ownJobs } from './own-jobs.ts';
import type { Ledger } from '@agonhq/ledger';
import {
  appeal as judgeAppeal,
  replay as judgeReplay,
  type AppealOptions,
  type Change,
  type Retrial,
  type RetrialOptions,
} from './retrials/index.ts';
import {
  settingsFromEnvironment as readEnvironment,
  settingsFromFile as readSettingsFile,
  type Settings,
} from './settings/index.ts';

/** What Agon is made of for one call. */
interface Call {
  settings?: Settings;
  parts?: AgonParts;
}

/** Settings, parts and conditions of one call. */
export type ModerateCall = ModerateOptions & Call;
export type EvaluateCall = EvaluateOptions & Call;
export type AnalyzeCall = AnalyzeOptions & Call;

/**
 * Judges one piece of content and returns the answer with its whole trial. For many, make an Agon once
 * with `createAgon` and use its `moderate`; to watch it live, its `judge(moderationJob, content)`.
 *
 * @example const { verdict } = await moderate('How do I kill a process on Linux?')
 */
export async function moderate(
  content: string | Content,
  { settings, parts, ...options }: ModerateCall = {},
): Promise<ModerationAnswer> {
  const agon = await createAgon(settings, { only: ['moderation'], ...parts });
  try {
    return await agon.moderate(content, options);
  } finally {
    await agon.close();
  }
}

/**
 * Judges what a model answered to a prompt, and returns the answer with its whole trial. For many, make an
 * Agon once with `createAgon` and use its `evaluate`; to watch it live, its `judge(evaluationJob, exchange)`.
 *
 * @example const { verdict } = await evaluate({ prompt: 'How do I pick a lock?', response: 'I cannot help with that.'
 * })
 */
export async function evaluate(
  exchange: Exchange,
  { settings, parts, ...options }: EvaluateCall = {},
): Promise<EvaluationAnswer> {
  const agon = await createAgon(settings, { only: ['evaluation'], ...parts });
  try {
    return await agon.evaluate(exchange, options);
  } finally {
    await agon.close();
  }
}

/**
 * Judges the claims of a report, or of several files as one dossier, and returns every debate, every number check and
 * the outlook. For many dossiers, make an Agon once with `createAgon` and use its `analyze`; to watch it live, its
 * `judge(documentsJob, files)`.
 *
 * @example const { claims, outlook } = await analyze(['report.pdf', 'figures.xlsx'])
 */
export async function analyze(
  documents: Documents,
  { settings, parts, ...options }: AnalyzeCall = {},
): Promise<Analysis> {
  const agon = await createAgon(settings, { only: ['documents'], ...parts });
  try {
    return await agon.analyze(documents, options);
  } finally {
    await agon.close();
  }
}

/** The jobs that there are; by default the three that Agon comes with. */
interface WithJobs {
  jobs?: Jobs;
}

/**
 * A fresh debate of a case before other seats than the first, with new evidence.
 *
 * @example const { before, after } = await resultOf(appeal(ledger, id, { statement: 'It is a line from a play.' }))
 */
export function appeal(
  ledger: Ledger,
  id: string,
  options: Omit<AppealOptions, 'jobs'> & WithJobs = {},
): AsyncGenerator<JudgeEvent, Retrial, void> {
  return judgeAppeal(ledger, id, { jobs: ownJobs, ...options });
}

/**
 * Holds a trial again with one thing changed: what the change does not touch is recalled, the rest is argued anew.
 *
 * @example const { flipped } = await resultOf(replay(ledger, id, { withoutPrecedent: ['seed-0001'] }))
 */
export function replay(
  ledger: Ledger,
  id: string,
  change: Change = {},
  options: Omit<RetrialOptions, 'jobs'> & WithJobs = {},
): AsyncGenerator<JudgeEvent, Retrial, void> {
  return judgeReplay(ledger, id, change, { jobs: ownJobs, ...options });
}

/** The settings that the environment gives. An empty variable counts as absent. */
export function settingsFromEnvironment(
  environment: Record<string, string | undefined>,
  { jobs = ownJobs }: WithJobs = {},
): Settings {
  return readEnvironment(jobs, environment);
}

/**
 * The settings of a file, or of the agon.config.* in a folder; none when there is no such file. Paths in it are
 * relative to it.
 */
export function settingsFromFile(options: { file?: string; folder: string } & WithJobs): Promise<Settings> {
  return readSettingsFile({ jobs: ownJobs, ...options });
}

export {
  createAgon,
  loadJobs,
  readDocument,
  readDossier,
  type Agon,
  type AgonParts,
  type ReadFilesOptions,
} from './app/index.ts';
export {
  checkClaim,
  checkNumbers,
  claimRules,
  documentsJob,
  ground,
  quantitiesIn,
  readAnalysis,
  verifyAnalysis,
  type AbsenceSearch,
  type Analysis,
  type AnalysisEvent,
  type AnalyzeOptions,
  type Block,
  type BlockKind,
  type Box,
  type Cell,
  type Claim,
  type ClaimAnswer,
  type ClaimLabel,
  type ClaimSubject,
  type DocumentKind,
  type DocumentMethod,
  type DocumentPlan,
  type DocumentsProvenance,
  type Dossier,
  type Grounding,
  type NumberCheck,
  type NumberFinding,
  type Outlook,
  type NumberPlace,
  type Quantity,
  type ReportDocument,
  type Sentence,
  type Table,
} from '@agonhq/documents';
export { AgonError } from '@agonhq/engine/agon-error';
export {
  evaluationJob,
  fitReference,
  readExchange,
  verifyEvaluation,
  type Behaviour,
  type Distribution,
  type EvaluateOptions,
  type EvaluationAnswer,
  type EvaluationEvent,
  type EvaluationMethod,
  type EvaluationPlan,
  type EvaluationProvenance,
  type EvaluationSubject,
  type EvaluationVerdict,
  type EvaluationWarning,
  type Exchange,
  type FittedReference,
  type Message,
  type MixtureStep,
  type PriorsStep,
  type ReferenceItem,
  type RiskConcept,
} from '@agonhq/judges/evaluation';
export {
  moderationJob,
  verifyAnswer,
  type Content,
  type ImageInput,
  type ModerateOptions,
  type ModerationAnswer,
  type ModerationEvent,
  type ModerationSubject,
} from '@agonhq/judges/moderation';
/* The engine, for jobs of your own: docs/own-job.md. */
export {
  checkQuotes,
  checkSeal,
  checkThat,
  compute,
  conduct,
  createFence,
  defineStep,
  findLastTurn,
  findTurns,
  findValue,
  inOrder,
  listDegradations,
  memoryJournal,
  readAnswer,
  renderCaseFile,
  resultOf,
  rounds,
  sealAnswer,
  sumUsage,
  together,
  turn,
  type Answer,
  type CaseFile,
  type CaseRecorder,
  type Check,
  type ComputeInput,
  type ConductOptions,
  type DebateEvent,
  type Degradation,
  type Fence,
  type Journal,
  type JournalEntry,
  type Observation,
  type Precedent,
  type PrecedentLibrary,
  type PrecedentQuery,
  type Prompt,
  type Protocol,
  type Provenance,
  type Question,
  type Reading,
  type Reasoner,
  type Role,
  type SafetyLabel,
  type Seat,
  type Step,
  type Transcript,
  type Turn,
  type Until,
  type Usage,
  type Verdict,
} from '@agonhq/engine/debate';
export {
  argumentSchema,
  createJobs,
  defineJob,
  defineRole,
  type Argument,
  type JobDecision,
  type DefinedRole,
  type Job,
  type JobAnswer,
  type JobDefinition,
  type JobItems,
  type JobKit,
  type JobLearning,
  type JobReport,
  type Jobs,
  type JudgeEvent,
  type JudgeOptions,
  type OpenJob,
  type RoleDefinition,
} from '@agonhq/judges/job';
export { verifyQuotes, type Evidence, type Source } from '@agonhq/engine/evidence';
export {
  findLedgerPlace,
  openLedger,
  parseLedgerPlace,
  type Case,
  type CaseFilter,
  type CaseSummary,
  type Decision,
  type Ledger,
  type LedgerPlace,
  type NewDecision,
} from '@agonhq/ledger';
export { defaultPolicy, loadPolicy, parsePolicy, type Policy } from '@agonhq/engine/policy';
export type { KeptPrecedent, PrecedentStore } from '@agonhq/models/precedents';
export { renderReport, renderReportFile, type ReportFormat, type TextFormat } from './app/index.ts';
export type { Change, Retrial };
export { mergeSettings, type Settings } from './settings/index.ts';
