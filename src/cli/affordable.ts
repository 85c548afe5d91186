import { turnsOf, type Transcript } from '../debate/index.ts';
import { AgonError } from '../errors.ts';

/** An answer in which nobody was heard for want of money is no result: the run ends, and goes on where it stopped when there is money again. */
export function affordable<Answer extends { transcript: Transcript; verdict: { rule: { id: string } } }>(answer: Answer): Answer {
  const unpaid = turnsOf(answer.transcript).some((turn) => turn.fallback?.reason === 'budget');
  if (!unpaid || answer.verdict.rule.id !== 'nobody-heard') return answer;
  throw new AgonError('budget-spent', 'The budget does not cover another item.', 'Raise it (--run-budget-usd, --budget-usd) and run the same command again: it goes on where it stopped.');
}
