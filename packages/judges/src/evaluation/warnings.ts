import { findValue, findTurns, type Provenance, type Transcript, type Turn } from '@agonhq/engine/debate';
import { mixtureStep, type EvaluationWarning } from './evaluation-answer.ts';
import type { EvaluationPlan } from './plan.ts';
import { renderShare } from './roles/lay-out-case.ts';

/** What a reader must know about who judged whom: equations 2 and 3 on this one case. */
export function listWarnings(
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

/** N seats of a role bring N minds only if their models differ. */
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
