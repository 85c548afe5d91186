import type { ReadableAnswer } from './readable-answer.ts';

/** What the equations were computed with, for who wants to compute them again. */
export function parametersOf({ plan }: ReadableAnswer): [name: string, value: string][] {
  const parts: [string, number | null][] = [
    ['δ', plan.delta],
    ['γ', plan.gamma],
    ['ε', plan.smoothing],
    ['λ of the auditors', plan.stubbornness.auditor],
    ['λ of the detectors', plan.stubbornness.detector],
    ['bound of consensus', plan.consensusBound],
  ];
  const known = parts.filter(([, value]) => value !== null).map(([name, value]) => `${name} = ${value}`);
  return known.length === 0 ? [] : [['Parameters', known.join(', ')]];
}
