import type { Verdict } from '@agonhq/engine/debate';
import type { AnswerDescription, AnswerSummary, CaseIndex, JobAnswer } from './job-answer.ts';
import type { Job } from './job.ts';

/** What goes on record beside an answer, as its job sees it. */
export function describeAnswer(job: Job, answer: JobAnswer): AnswerDescription {
  return { summary: job.summarize(answer), index: job.index?.(answer) ?? {}, isReviewed: job.usesPolicy };
}

/** What lists show of an answer with one verdict. */
export function indexOfVerdict({
  subject,
  verdict,
}: {
  subject: { id: string | null };
  verdict: Verdict;
}): AnswerSummary {
  const { label, risk, bar, escalate, rule, categories, action = null, severity = null } = verdict;
  const clauses = categories.map(({ clause }) => clause);
  return { item: subject.id, label, risk, bar, escalate, rule, categories: clauses, action, severity };
}

/** What lists are filtered by, of an answer with one verdict; how far apart its sides ended, the job says. */
export function indexVerdict(
  { verdict, subject }: { verdict: Verdict; subject: object },
  disagreement: number | null,
): CaseIndex {
  const { categories, degraded } = verdict;
  const { modality } = subject as { modality?: unknown };
  return {
    categories: [...new Set(categories.map(({ id }) => id))],
    degraded: degraded.length > 0,
    modality: typeof modality === 'string' ? modality : null,
    disagreement,
  };
}
