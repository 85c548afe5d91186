import { findTurns, type Transcript } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';

interface Trial {
  transcript: Transcript;
  verdict: { rule: { id: string } };
}

/**
 * An answer in which nobody was heard for want of money is no result: the run ends, and goes on where it stopped when
 * there is money again.
 */
export function assertAffordable<Answer extends Trial>(answer: Answer): Answer {
  if (!wasNobodyHeard(answer, ['budget'])) return answer;
  throw budgetSpentError();
}

export function budgetSpentError(): AgonError {
  return new AgonError('budget-spent', 'The budget does not cover another item.', {
    library: 'Raise the budget and run it again: it goes on where it stopped.',
    cli: 'Raise it (--run-budget-usd, --budget-usd) and run the same command again: it goes on where it stopped.',
    api: 'Raise `budget` in the settings of the server, or `budgetUsd` of the run, and resume it.',
  });
}

/** Nor is one in which nobody was heard because no model could be reached: the item is tried again. */
export function assertHeard<Answer extends Trial>(answer: Answer): Answer {
  if (!wasNobodyHeard(answer, ['unavailable', 'timeout'])) return answer;
  throw new AgonError('nobody-heard', 'No model could be reached, so nobody was heard.', {
    library: 'Check that the provider answers, then retry the failed items.',
    cli: 'Check that the provider answers, then retry the failed items: agon runs retry-failed.',
    api: 'Check that the provider answers, then retry the failed items: POST /api/runs/{id}/retry-failed.',
  });
}

function wasNobodyHeard({ transcript, verdict }: Trial, reasons: readonly string[]): boolean {
  return (
    verdict.rule.id === 'nobody-heard' &&
    findTurns(transcript).some(({ fallback }) => fallback && reasons.includes(fallback.reason))
  );
}
