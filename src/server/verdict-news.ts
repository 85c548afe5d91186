import type { OwnJobId as Job } from '../jobs/index.ts';
import type { Answered } from './answered.ts';
import type { NewsItem } from './event-feed.ts';

/** What is told of a trial that has ended: its verdict, and that a person must look at it where that is so. */
export function verdictNews(job: Job, result: object): NewsItem[] {
  const answer = ('how' in result && 'answer' in result ? result.answer : result) as Answered;
  const at = new Date().toISOString();
  const told = aboutCase(job, answer);
  return [
    { type: 'verdict', at, case: told },
    ...(told.escalate ? [{ type: 'escalation' as const, at, case: told }] : []),
  ];
}

function aboutCase(job: Job, answer: Answered): Extract<NewsItem, { type: 'verdict' | 'escalation' }>['case'] {
  if ('outlook' in answer) {
    const verdicts = answer.claims.map(({ verdict }) => verdict);
    return {
      id: answer.id,
      job,
      label: answer.outlook.label,
      score: null,
      probability: null,
      escalate: verdicts.some(({ escalate }) => escalate),
      rule: answer.outlook.rule.id,
      categories: [],
      degraded: answer.degraded.length > 0 || verdicts.some(({ degraded }) => degraded.length > 0),
      run: null,
      seal: answer.seal,
    };
  }
  const { label, score, probability, escalate, rule, categories, degraded } = answer.verdict;
  return {
    id: answer.id,
    job,
    label,
    score,
    probability,
    escalate,
    rule: rule.id,
    categories: [...new Set(categories.map(({ id }) => id))],
    degraded: degraded.length > 0,
    run: null,
    seal: answer.seal,
  };
}
