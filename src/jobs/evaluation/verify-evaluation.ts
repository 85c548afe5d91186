import { z } from 'zod';
import {
  checkThat,
  checkQuotes,
  checkSeal,
  findTurns,
  type Answer,
  type Check,
  type Computed,
  type Turn,
} from '../../debate/index.ts';
import { canonicalJson } from '../../hash.ts';
import type { Policy } from '../../policy/index.ts';
import { adjudicate } from './adjudicate.ts';
import { critiqueSchema, judgementSchema, opinionSchema } from './answers.ts';
import { subjectHash, type EvaluationCaseFile } from './case-file.ts';
import { mixtureOf, priorsOf } from './equations.ts';
import type { EvaluationAnswer } from './evaluation-answer.ts';
import { evaluationMethods } from './plan.ts';
import { referenceSchema } from './risk-concepts/reference.ts';

const share = z.number().min(0).max(1);

/** What of an answer the recheck leans on and the general reader of answers does not know. */
const judgedSchema = z.looseObject({
  subject: z.looseObject({
    turns: z.array(z.object({ source: z.string(), speaker: z.enum(['system', 'user', 'assistant', 'tool']) })),
  }),
  provenance: z.looseObject({
    plan: z.looseObject({
      method: z.enum(evaluationMethods),
      stubbornness: z.object({ auditor: share, detector: share }),
      smoothing: share,
      delta: z.number(),
    }),
    reference: referenceSchema.nullable(),
  }),
});

const answerSchemas: Record<string, z.ZodType> = {
  auditor: opinionSchema,
  detector: opinionSchema,
  judge: opinionSchema,
  critic: critiqueSchema,
  arbiter: judgementSchema,
};

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
  const { success } = judgedSchema.safeParse(answer);
  if (!success) return [...checks, checkThat('subject', false, 'what was judged, and by which plan, is not readable')];
  const judged = answer as EvaluationAnswer;
  const unreadable = findTurns(judged.transcript).find((turn) => !isReadable(turn));
  return [
    ...checks,
    checkSubject(judged),
    ...(known.source === undefined ? [] : [checkSource(judged, known.source)]),
    ...(unreadable
      ? [checkThat('rules', false, `the answer of ${unreadable.key} is not readable`)]
      : [...checkEquations(judged), ...checkRules(judged, known.policy)]),
  ];
}

function isReadable({ role, answer }: Turn): boolean {
  return answerSchemas[role]?.safeParse(answer).success ?? false;
}

function checkSubject({ subject, sources }: EvaluationAnswer): Check {
  const right = subjectHash(subject.turns, sources) === subject.hash;
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
  const rounds = findTurns(transcript).filter(({ role }) => role === 'critic').length;
  const mixtures = stepsNamed('mixture', transcript);
  const priors = stepsNamed('priors', transcript);
  if (mixtures.length !== rounds || priors.length !== rounds)
    return [checkThat('equations', false, 'a round has no step of equation 5 or 6')];
  const before = (step: Computed) => transcript.slice(0, transcript.indexOf(step));
  const wrong =
    mixtures.find((step) => !isSame(mixtureOf(before(step), step.round, plan, reference), step.value)) ??
    priors.find((step) => !isSame(priorsOf(before(step), step.round, plan), step.value));
  const detail = wrong
    ? `${wrong.key} does not follow from the turns before it`
    : `equations 5 and 6 of ${rounds} round(s) follow from the turns`;
  return [checkThat('equations', wrong === undefined, detail)];
}

function stepsNamed(name: string, transcript: EvaluationAnswer['transcript']): Computed[] {
  return transcript.filter((entry): entry is Computed => entry.kind === 'computed' && entry.name === name);
}

function checkRules(answer: EvaluationAnswer, policy: Policy | undefined): Check[] {
  const { subject, sources, provenance, verdict } = answer;
  const caseFile: EvaluationCaseFile = { sources, turns: subject.turns, model: subject.model };
  const again = adjudicate(answer.transcript, caseFile, {
    policy: policy ?? { name: '', version: '', hash: '', categories: [] },
    method: provenance.plan.method,
    calibration: provenance.calibration ?? null,
  });
  const same = (...keys: (keyof EvaluationAnswer['verdict'])[]) =>
    keys.every((key) => isSame(again[key], verdict[key]));

  const right = same(
    'label',
    'rule',
    'score',
    'probability',
    'confidence',
    'evidence',
    'concept',
    'behaviour',
    'distribution',
  );
  const rules = checkThat('rules', right, `${right ? '' : 'applied anew, '}${again.rule.id} decides: ${again.label}`);
  if (policy?.hash !== provenance.policy.hash) {
    const { name, version, hash } = provenance.policy;
    return [
      rules,
      {
        name: 'clauses',
        outcome: 'not-checked',
        detail: `made under ${name} ${version} (${hash}): pass it with --policy`,
      },
    ];
  }
  const clauses = same('categories');
  const marks = same('escalate', 'degraded');
  return [
    rules,
    checkThat(
      'clauses',
      clauses,
      clauses ? `${again.categories.length} clause(s) of the policy` : 'the clauses are not the ones the policy has',
    ),
    checkThat(
      'marks',
      marks,
      marks
        ? 'escalation and degradations follow from the debate'
        : 'escalation or degradations are not those of the debate',
    ),
  ];
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
