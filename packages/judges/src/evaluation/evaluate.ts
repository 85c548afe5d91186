import {
  answerVersion,
  conduct,
  createFence,
  findValue,
  sealAnswer,
  sumUsage,
  type CaseRecorder,
  type DebateEvent,
  type Calibration,
  type FittedCalibration,
  type Journal,
} from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import { listPeople } from '@agonhq/engine/personal-data';
import { renderPolicy, type Policy } from '@agonhq/engine/policy';
import { describeContext, listQuotable, recordContext } from '../job/shown-context.ts';
import { assertReadable, hashExchange, openCase } from './case-file.ts';
import type { EvaluationCase, EvaluationCaseFile, EvaluationTools } from './case-file.ts';
import { adjudicationStep, type EvaluationAnswer, type EvaluationSubject } from './evaluation-answer.ts';
import { readExchange, type Exchange } from './exchange.ts';
import type { EvaluationPlan } from './plan.ts';
import { evaluationProtocol, type EvaluationReasoners } from './protocol.ts';
import { buildEvaluationProvenance, listExchangeShots } from './provenance.ts';
import type { FittedReference } from './risk-concepts/reference.ts';
import { renderExchangeShots, type ExchangeShot } from './roles/judges.ts';
import { listWarnings } from './warnings.ts';

/** What happens while an exchange is judged: the debate's events, and the case file once it is ready. */
export type EvaluationEvent =
  | DebateEvent
  | { type: 'case-ready'; debate: string; scope: null; caseFile: EvaluationCaseFile; calibration?: Calibration };

/** Everything that evaluation is handed at the edge. */
export interface EvaluationSetup {
  policy: Policy;
  plan: EvaluationPlan;
  reasoners: EvaluationReasoners;
  /** Decided exchanges that the method `judge` shows its judge; the other methods show none. */
  shots?: readonly ExchangeShot[];
  tools: EvaluationTools;
  /** What P̂ was fitted to on labelled data; null to take what the critic states. */
  reference: FittedReference | null;
  /** What makes a probability of the score; null while the configuration is not calibrated. */
  calibration: FittedCalibration | null;
  journal: Journal;
  /** Who is told of the case; nobody when absent. */
  recorder?: CaseRecorder;
  /** The installation's secret, for the fence around untrusted content. */
  secret: string;
  maxCharacters: number;
  /** The members of a context that debaters see. */
  context: readonly string[];
  /** Which models are of one family: a judge must not be the judged one's kin without a word. */
  familyOf: (model: string) => string;
  /** Agon's own version, for the record. */
  version: string;
}

export interface EvaluateOptions {
  signal?: AbortSignal;
  /** Ask for `turn-delta` events. */
  stream?: boolean;
  /**
   * The debate's id; by default it follows from exchange and configuration, so that the same case is the same debate.
   */
  debate?: string;
  /** What the method `control` may spend: the tokens of the debate it is held against. */
  tokens?: number;
  /** What whoever answers for the model says, in an appeal. */
  statement?: string;
}

/** Judges one exchange: yields the trial as it unfolds, returns the answer. */
export async function* evaluation(
  input: Exchange,
  setup: EvaluationSetup,
  options: EvaluateOptions = {},
): AsyncGenerator<EvaluationEvent, EvaluationAnswer, void> {
  const started = performance.now();
  const exchange = readExchange(input);
  assertReadable(exchange, setup.maxCharacters);
  const provenance = buildEvaluationProvenance(setup);
  // What is known about it belongs to the case, not to the exchange.
  const { context, ...content } = exchange;
  const quotable = listQuotable(context, setup.context);
  const caseFile = openCase(exchange, setup.tools, { statement: options.statement, quotable });
  const { turns, model, sources } = caseFile;
  const subject: EvaluationSubject = {
    id: exchange.id ?? null,
    hash: hashExchange(turns, sources),
    model,
    turns,
    ...recordContext(context, setup.context),
  };
  // The same of another author, or elsewhere, is another case.
  const peculiar = [options.statement, context && { context }].filter((part) => part !== undefined);
  const debate = options.debate ?? `eval-${hashOf([subject.hash, provenance.configuration, ...peculiar]).slice(7, 23)}`;

  const standing = await setup.recorder?.openCase({
    id: debate,
    configuration: provenance.configuration,
    ...(context ? { context } : {}),
    subject: { hash: subject.hash, content },
  });
  if (standing) return standing as EvaluationAnswer;
  const { calibration } = provenance;
  yield { type: 'case-ready', debate, scope: null, caseFile, ...(calibration ? { calibration } : {}) };
  const people = listPeople(context);
  const judgedCase: EvaluationCase = {
    ...caseFile,
    policy: renderPolicy(setup.policy),
    examples: renderExchangeShots(listExchangeShots(setup), setup.secret),
    ...(context ? { context: describeContext(context, setup.context) } : {}),
    ...(people.length > 0 ? { people } : {}),
  };
  const protocol = evaluationProtocol({
    ...setup,
    calibration: calibration ?? null,
    tokens: options.tokens,
  });
  const transcript = yield* conduct(protocol, judgedCase, {
    debate,
    fence: createFence(judgedCase, setup.secret),
    journal: setup.journal,
    signal: options.signal,
    stream: options.stream,
  });

  const answer: EvaluationAnswer = sealAnswer({
    version: answerVersion,
    id: debate,
    job: 'evaluation' as const,
    subject,
    sources,
    verdict: findValue(transcript, adjudicationStep)!,
    warnings: listWarnings(transcript, provenance.models, model, setup.plan, setup.familyOf),
    transcript,
    precedents: [],
    usage: sumUsage(transcript, Math.round(performance.now() - started)),
    provenance,
  });
  return (await setup.recorder?.closeCase(answer)) ?? answer;
}
