import {
  checkQuotes,
  checkSeal,
  checkThat,
  checkVerdict,
  findTurns,
  rereadTurns,
  type Answer,
  type Check,
  type Computed,
  type Transcript,
} from '@agonhq/engine/debate';
import { canonicalJson } from '@agonhq/engine/hash';
import type { Policy } from '@agonhq/engine/policy';
import { adjudicateExchange } from './adjudicate.ts';
import { criticKey } from './answers.ts';
import { hashExchange, type EvaluationCaseFile } from './case-file.ts';
import { computeMixture, computePriors } from './equations.ts';
import { evaluationAnswerSchema, mixtureStep, priorsStep, type EvaluationAnswer } from './evaluation-answer.ts';
import { evaluationRoles } from './protocol.ts';

const judgedSchema = evaluationAnswerSchema.pick({ subject: true, provenance: true });

/**
 * Rechecks an evaluation by code alone: its seal, every quotation, the hash of what was judged, equations 5 and 6 of
 * every round, and the rules applied anew. `source` is the prompt or the response that was judged, when the caller has
 * it; `policy` the rulebook.
 */
export function verifyEvaluation(
  answer: Answer,
  known: { source?: string | Uint8Array; policy?: Policy } = {},
): Check[] {
  const checks = [checkSeal(answer), checkQuotes(answer)];
  if (!judgedSchema.safeParse(answer).success)
    return [...checks, checkThat('subject', false, 'what was judged, and by which plan, is not readable')];
  const judged = answer as EvaluationAnswer;
  const reread = rereadTurns(judged.transcript, judged.sources, Object.values(evaluationRoles));
  return [
    ...checks,
    checkSubject(judged),
    ...(known.source === undefined ? [] : [checkSource(judged, known.source)]),
    ...('problem' in reread
      ? [checkThat('rules', false, reread.problem)]
      : [...checkEquations(judged), ...checkRules(judged, reread.transcript, known.policy)]),
  ];
}

function checkSubject({ subject, sources }: EvaluationAnswer): Check {
  const right = hashExchange(subject.turns, sources) === subject.hash;
  return checkThat(
    'subject',
    right,
    right ? subject.hash : 'the exchange in the answer is not the exchange that was judged',
  );
}

function checkSource({ subject, sources }: EvaluationAnswer, source: string | Uint8Array): Check {
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
  const plain = text.replace(/\r?\n$/, '');
  const said = subject.turns.find((turn) =>
    sources.some(({ id, text: judged }) => id === turn.source && (judged === text || judged === plain)),
  );
  return checkThat(
    'source',
    said !== undefined,
    said ? `the file holds the ${said.source} that was judged` : 'the file does not hold what was judged',
  );
}

/** Equations 5 and 6 of every round, from what the seats said. */
function checkEquations({ transcript, provenance: { plan, reference } }: EvaluationAnswer): Check[] {
  if (plan.method !== 'debate') return [];
  const rounds = findTurns(transcript, criticKey).length;
  const mixtures = transcript.filter(mixtureStep.hasEntry);
  const priors = transcript.filter(priorsStep.hasEntry);
  if (mixtures.length !== rounds || priors.length !== rounds)
    return [checkThat('equations', false, 'a round has no step of equation 5 or 6')];
  const before = (step: Computed) => transcript.slice(0, transcript.indexOf(step));
  const wrong =
    mixtures.find((step) => !isSame(computeMixture(before(step), step.round, plan, reference), step.value)) ??
    priors.find((step) => !isSame(computePriors(before(step), step.round, plan), step.value));
  const detail = wrong
    ? `${wrong.key} does not follow from the turns before it`
    : `equations 5 and 6 of ${rounds} round(s) follow from the turns`;
  return [checkThat('equations', wrong === undefined, detail)];
}

function checkRules(answer: EvaluationAnswer, reread: Transcript, policy: Policy | undefined): Check[] {
  const { subject, sources, provenance } = answer;
  const caseFile: EvaluationCaseFile = { sources, turns: subject.turns, model: subject.model };
  const parts = {
    policy: policy ?? { name: '', version: '', hash: '', categories: [] },
    method: provenance.plan.method,
    calibration: provenance.calibration ?? null,
  };
  // The rules find every quote anew; what was degraded follows from the turns as they are on record.
  const { degraded } = adjudicateExchange(answer.transcript, caseFile, parts);
  const again = { ...adjudicateExchange(reread, caseFile, parts), degraded };
  return checkVerdict(answer, again, { policy, own: ['concept', 'behaviour', 'distribution'], isSame });
}

/** Equal, but for the last digits that another machine's logarithm may round otherwise. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= 1e-9;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object')
    return canonicalJson(a ?? null) === canonicalJson(b ?? null);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}
