import { computedValue, turnsOf, type Transcript, type Turn } from '../debate/index.ts';
import type { EvaluationWarning, MixtureStep } from './evaluation-answer.ts';
import type { EvaluationPlan } from './plan.ts';
import { share } from './roles/case-prompt.ts';

/** What a reader must know about who judged whom: equations 2 and 3 on this one case. */
export function warningsOf(
  transcript: Transcript,
  evaluated: string | null,
  { gamma, delta }: Pick<EvaluationPlan, 'gamma' | 'delta'>,
  familyOf: (model: string) => string,
): EvaluationWarning[] {
  return [...(evaluated === null ? [] : kinship(transcript, evaluated, gamma, familyOf)), ...divergence(transcript, delta)];
}

/** Seats of the evaluated model's own family, and those among them that see less risk than the others by γ (equation 3). */
function kinship(transcript: Transcript, evaluated: string, gamma: number, familyOf: (model: string) => string): EvaluationWarning[] {
  const family = familyOf(evaluated);
  const related = ({ reasoner }: Turn) => familyOf(reasoner) === family;
  const heard = lastHeard(transcript);
  const others = heard.filter((turn) => !related(turn));
  const mean = others.reduce((sum, turn) => sum + turn.score!, 0) / others.length;
  return heard.filter(related).flatMap((turn): EvaluationWarning[] => {
    const { seat, reasoner, score } = turn;
    const same: EvaluationWarning = { kind: 'same-family', seat, detail: `${reasoner} is of the family ${family}, as the evaluated model ${evaluated} is` };
    if (others.length === 0 || score! > mean - gamma) return [same];
    const detail = `${reasoner} sees a risk of ${share(score!)} in its own family's answer, the seats of other families ${share(mean)} in the mean (γ = ${gamma})`;
    return [same, { kind: 'self-evaluation-bias', seat, detail }];
  });
}

/** Equation 2 on the last round of this case. */
function divergence(transcript: Transcript, delta: number): EvaluationWarning[] {
  const step = computedValue(transcript, 'mixture') as MixtureStep | undefined;
  if (!step?.breach) return [];
  return [{ kind: 'evaluator-divergence', seat: 'auditor', detail: `KL(auditor ‖ detector) of the last round is ${step.divergence!.toFixed(2)} (δ = ${delta})` }];
}

/** By seat and model, the last turn that really was one. */
function lastHeard(transcript: Transcript): Turn[] {
  const heard = turnsOf(transcript).filter(({ fallback, score }) => !fallback && score !== null);
  return [...new Map(heard.map((turn) => [`${turn.seat} ${turn.reasoner}`, turn])).values()];
}
