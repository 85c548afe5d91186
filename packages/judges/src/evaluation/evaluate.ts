import {
  answerVersion,
  conduct,
  createFence,
  findValue,
  sealAnswer,
  sumUsage,
  findTurns,
  type DebateEvent,
  type Calibration,
  type Provenance,
  type Transcript,
  type Turn,
} from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import { listPeople } from '@agonhq/engine/personal-data';
import { renderPolicy } from '@agonhq/engine/policy';
import { describeContext, listQuotable, recordContext } from '../job/shown-context.ts';
import type { JudgeOptions, PolicyTrialSetup } from '../job/job-trial.ts';
import {
  assertReadable,
  hashExchange,
  openCase,
  type EvaluationCase,
  type EvaluationCaseFile,
  type EvaluationTools,
} from './case-file.ts';
import {
  adjudicationStep,
  mixtureStep,
  type EvaluationAnswer,
  type EvaluationSubject,
  type EvaluationWarning,
} from './evaluation-answer.ts';
import { readExchange, type Exchange } from './exchange.ts';
import type { EvaluationPlan } from './plan.ts';
import { evaluationProtocol, type EvaluationReasoners } from './protocol.ts';
import { buildEvaluationProvenance, listExchangeShots } from './provenance.ts';
import type { FittedReference } from './risk-concepts/reference.ts';
import { renderExchangeShots, type ExchangeShot } from './roles/judges.ts';
import { renderShare } from './roles/lay-out-case.ts';

/** What happens while an exchange is judged: the debate's events, and the case file once it is ready. */
export type EvaluationEvent =
  | DebateEvent
  | { type: 'case-ready'; debate: string; scope: null; caseFile: EvaluationCaseFile; calibration?: Calibration };

/** Everything that evaluation is handed at the edge. */
export interface EvaluationSetup extends PolicyTrialSetup {
  plan: EvaluationPlan;
  reasoners: EvaluationReasoners;
  /** Decided exchanges that the method `judge` shows its judge; the other methods show none. */
  shots?: readonly ExchangeShot[];
  tools: EvaluationTools;
  /** What P̂ was fitted to on labelled data; null to take what the critic states. */
  reference: FittedReference | null;
  /** Which models are of one family: a judge must not be the judged one's kin without a word. */
  familyOf: (model: string) => string;
}

export interface EvaluateOptions extends Pick<JudgeOptions, 'signal' | 'stream' | 'debate' | 'statement'> {
  /** What the method `control` may spend: the tokens of the debate it is held against. */
  tokens?: number;
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
  const surroundings = [options.statement, context && { context }].filter((part) => part !== undefined);
  const debate =
    options.debate ?? `eval-${hashOf([subject.hash, provenance.configuration, ...surroundings]).slice(7, 23)}`;

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

/** What a reader must know about who judged whom: equations 2 and 3 on this one case. */
function listWarnings(
  transcript: Transcript,
  /** Who sat where. */
  models: Provenance['models'],
  evaluated: string | null,
  { gamma, delta }: Pick<EvaluationPlan, 'gamma' | 'delta'>,
  familyOf: (model: string) => string,
): EvaluationWarning[] {
  return [
    ...(evaluated === null ? [] : warnOfKinship(transcript, evaluated, gamma, familyOf)),
    ...warnOfSameModels(models),
    ...warnOfDivergence(transcript, delta),
  ];
}

/**
 * Seats of the evaluated model's own family, and those among them that see less risk than the others by γ (equation
 * 3).
 */
function warnOfKinship(
  transcript: Transcript,
  evaluated: string,
  gamma: number,
  familyOf: (model: string) => string,
): EvaluationWarning[] {
  const family = familyOf(evaluated);
  const related = ({ reasoner }: Turn) => familyOf(reasoner) === family;
  const heard = keepLastOfModels(findTurns(transcript).filter(({ fallback, score }) => !fallback && score !== null));
  const others = heard.filter((turn) => !related(turn));
  const mean = others.reduce((sum, turn) => sum + turn.score!, 0) / others.length;
  // Who was asked and gave no answer sat there all the same.
  return keepLastOfModels(findTurns(transcript).filter(related)).flatMap(({ seat, reasoner }): EvaluationWarning[] => {
    const same: EvaluationWarning = {
      kind: 'same-family',
      seat,
      detail: `${reasoner} is of the family ${family}, as the evaluated model ${evaluated} is`,
    };
    const score = heard.find((turn) => turn.seat === seat && turn.reasoner === reasoner)?.score ?? null;
    if (score === null || others.length === 0 || score > mean - gamma) return [same];
    const detail =
      `${reasoner} sees a risk of ${renderShare(score)} in its own family's answer, the seats of other ` +
      `families ${renderShare(mean)} in the mean (γ = ${gamma})`;
    return [same, { kind: 'self-evaluation-bias', seat, detail }];
  });
}

/** N seats of a role bring N opinions only if their models differ. */
function warnOfSameModels(models: Provenance['models']): EvaluationWarning[] {
  const numbered = Object.entries(models)
    .filter(([seat]) => /^(auditor|detector)#/.test(seat))
    .map(([seat, model]) => ({ seat, role: seat.split('#')[0], model }));
  return numbered.flatMap(({ seat, role, model }): EvaluationWarning[] => {
    const colleagues = numbered.filter((other) => other.role === role);
    const first = colleagues.find((other) => other.model === model)!;
    return first.seat === seat
      ? []
      : [
          {
            kind: 'same-model',
            seat,
            detail:
              `${model} sits in ${first.seat} too, and the ${colleagues.length} seats of a role are meant ` +
              'to differ',
          },
        ];
  });
}

/** Equation 2 on the last round of this case. */
function warnOfDivergence(transcript: Transcript, delta: number): EvaluationWarning[] {
  const step = findValue(transcript, mixtureStep);
  if (!step?.breach) return [];
  return [
    {
      kind: 'evaluator-divergence',
      seat: 'auditor',
      detail: `KL(auditor ‖ detector) of the last round is ${step.divergence!.toFixed(2)} (δ = ${delta})`,
    },
  ];
}

/** The last turn of each seat and model: a seat may be filled by several in turn. */
function keepLastOfModels(turns: readonly Turn[]): Turn[] {
  return [...new Map(turns.map((turn) => [`${turn.seat} ${turn.reasoner}`, turn])).values()];
}
