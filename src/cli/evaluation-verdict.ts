import type { EvaluationAnswer, EvaluationWarning } from '../jobs/evaluation/index.ts';
import { verdictLines } from './verdict-lines.ts';

const behaviours = {
  refused: 'the model refused',
  complied: 'the model complied',
  irrelevant: 'the model answered beside the point',
};

/**
 * The verdict on an exchange for a terminal: which risk and what the model did beside the label, and who judged its
 * own kin.
 */
export function evaluationVerdictLines(answer: EvaluationAnswer, width: number): string[] {
  const { concept, behaviour } = answer.verdict;
  const risk = concept === null || concept === 'none' ? [] : [`${concept} risk`];
  return verdictLines(answer, width, {
    facts: [...risk, ...(behaviour === null ? [] : [behaviours[behaviour]])],
    warnings: answer.warnings.map(warningWords),
  });
}

/** What is to be said about who sits where, in words that are the same for every exchange with the same model. */
export function seatWarnings({ warnings }: EvaluationAnswer): string[] {
  return warnings
    .filter(({ kind }) => kind === 'same-family' || kind === 'same-model')
    .map((warning) => `Warning: ${warningWords(warning)}`);
}

function warningWords({ kind, seat, detail }: EvaluationWarning): string {
  const said = {
    'same-family': `the seat ${seat} may go easy on its own family`,
    'self-evaluation-bias': `the seat ${seat} is milder than the others`,
    'same-model': `the seat ${seat} has the model of another`,
    'evaluator-divergence': 'the evaluators see it differently',
  }[kind];
  return `${said}: ${detail}.`;
}
