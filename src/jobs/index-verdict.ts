import type { Answer, Verdict } from '../debate/index.ts';
import { readRisk } from '../statistics/index.ts';
import type { CaseIndex, AnswerSummary } from './job-answer.ts';

/** What lists show of an answer with one verdict. */
export function indexOfVerdict({
  subject,
  verdict,
  provenance,
}: Pick<Answer, 'provenance'> & { subject: { id: string | null }; verdict: Verdict }): AnswerSummary {
  const { label, score, escalate, rule, categories, action = null, severity = null } = verdict;
  const { risk, bar } = readRisk(verdict, provenance.calibration ?? null) ?? { risk: null, bar: null };
  const clauses = categories.map(({ clause }) => clause);
  return { item: subject.id, label, risk, bar, score, escalate, rule, categories: clauses, action, severity };
}

/** What lists are filtered by, of an answer with one verdict; how far apart its sides ended, the job says. */
export function indexVerdict(
  { verdict, subject }: { verdict: Verdict; subject: object },
  disagreement: number | null,
): CaseIndex {
  const { probability, categories, degraded, confidence } = verdict;
  const { modality } = subject as { modality?: unknown };
  return {
    probability,
    categories: [...new Set(categories.map(({ id }) => id))],
    degraded: degraded.length > 0,
    modality: typeof modality === 'string' ? modality : null,
    confidence,
    disagreement,
  };
}
