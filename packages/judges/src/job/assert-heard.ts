import { findTurns, type Transcript } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { JobAnswer } from './job-answer.ts';
import type { Job } from './job.ts';

interface Trial {
  transcript: Transcript;
  verdict: { rule: { id: string } };
}

/** Why a seat may be heard the next time, though nothing else changes: nobody answered at the other end. */
const unreachable = ['unavailable', 'timeout'];

/**
 * Whether an answer is an outage: of those who would have decided nobody could be reached, so nothing was judged. A
 * model that refuses, or answers what cannot be read, was reached.
 */
function isOutage(job: Pick<Job, 'debates'>, answer: JobAnswer): boolean {
  const debates = job.debates(answer);
  // Where nobody could be asked what there is to debate, there is no debate.
  return debates.length > 0 ? debates.every(wasNobodyReached) : wasAllSilent(answer.transcript);
}

/**
 * An answer in which nobody was heard on some debate is no result of an item. For want of money the run ends, and goes
 * on where it stopped when there is some again; in an outage the item is tried again.
 */
export function assertHeard<Answer extends JobAnswer>(job: Pick<Job, 'debates'>, answer: Answer): Answer {
  for (const debate of job.debates(answer)) assertDebateHeard(debate);
  if (isOutage(job, answer)) throw outageError();
  return answer;
}

/** The same of a single case, whose verdict stands where somebody was heard on some debate. */
export function assertJudged(job: Pick<Job, 'debates' | 'summarize'>, answer: JobAnswer): void {
  if (isOutage(job, answer))
    throw new AgonError(
      'nothing-judged',
      'Nothing was judged: no model could be reached.',
      'Check that the provider answers, then judge it again.',
    );
  if (job.debates(answer).length === 0 && job.summarize(answer).label === 'undecided')
    throw new AgonError('empty-subject', 'Nothing was judged: no statement was found that could be.', {
      library: 'Name the claims to judge.',
      cli: 'Name your own with --factor "…", or add --allow-empty if there may be none.',
      api: 'Send the claims to judge.',
    });
}

/** The same for one debate. */
export function assertDebateHeard<Debate extends Trial>(debate: Debate): Debate {
  if (wasNobodyHeard(debate, ['budget'])) throw budgetSpentError();
  if (wasNobodyReached(debate)) throw outageError();
  return debate;
}

export function budgetSpentError(): AgonError {
  return new AgonError('budget-spent', 'The budget does not cover another item.', {
    library: 'Raise the budget and run it again: it goes on where it stopped.',
    cli: 'Raise it (--run-budget-usd, --budget-usd) and run the same command again: it goes on where it stopped.',
    api: 'Raise `budget` in the settings of the server, or `budgetUsd` of the run, and resume it.',
  });
}

function outageError(): AgonError {
  return new AgonError('nobody-heard', 'No model could be reached, so nobody was heard.', {
    library: 'Check that the provider answers, then judge it again.',
    cli: 'Check that the provider answers, then run the same command again, or resume the run: agon runs resume.',
    api: 'Check that the provider answers, then resume the run: POST /api/runs/{id}/resume.',
  });
}

function wasNobodyReached(debate: Trial): boolean {
  return wasNobodyHeard(debate, unreachable);
}

function wasNobodyHeard({ transcript, verdict }: Trial, reasons: readonly string[]): boolean {
  return verdict.rule.id === 'nobody-heard' && fellSilent(transcript, reasons);
}

function wasAllSilent(transcript: Transcript): boolean {
  return fellSilent(transcript, unreachable) && findTurns(transcript).every(({ fallback }) => fallback);
}

function fellSilent(transcript: Transcript, reasons: readonly string[]): boolean {
  return findTurns(transcript).some(({ fallback }) => fallback && reasons.includes(fallback.reason));
}
