import type { CaseRow } from '../api/index.ts';
import type { OwnJobId as Job } from '../jobs/index.ts';
import type { Answered } from './trials/run-trial.ts';

/** What happened on this server, without any content. */
export type FeedEvent =
  | {
      type: 'verdict' | 'escalation';
      at: string;
      case: Pick<
        CaseRow,
        | 'id'
        | 'job'
        | 'label'
        | 'score'
        | 'probability'
        | 'escalate'
        | 'rule'
        | 'categories'
        | 'degraded'
        | 'run'
        | 'seal'
      >;
    }
  | { type: 'decision'; at: string; case: string; label: string; verdict: string; by: string }
  | {
      type: 'run-ended';
      at: string;
      run: { id: string; name: string | null; job: string; state: string; problem: string | null };
    };

/** Tells everybody who listens. */
export interface EventFeed {
  publish(item: FeedEvent): void;
  /** Returns what ends the listening; `onClose` is called when there will be no more. */
  subscribe(listener: (item: FeedEvent) => void, onClose?: () => void): () => void;
  /** Nothing will be told any more. */
  close(): void;
}

export function openEventFeed(): EventFeed {
  const listeners = new Map<(item: FeedEvent) => void, (() => void) | undefined>();
  let closed = false;
  return {
    publish(item) {
      for (const listener of listeners.keys()) listener(item);
    },
    subscribe(listener, onClose) {
      if (closed) onClose?.();
      else listeners.set(listener, onClose);
      return () => void listeners.delete(listener);
    },
    close() {
      closed = true;
      for (const onClose of listeners.values()) onClose?.();
      listeners.clear();
    },
  };
}

/** What is told of a trial that has ended: its verdict, and that a person must look at it where that is so. */
export function describeVerdict(job: Job, result: object): FeedEvent[] {
  const answer = ('how' in result && 'answer' in result ? result.answer : result) as Answered;
  const at = new Date().toISOString();
  const told = describeCase(job, answer);
  return [
    { type: 'verdict', at, case: told },
    ...(told.escalate ? [{ type: 'escalation' as const, at, case: told }] : []),
  ];
}

function describeCase(job: Job, answer: Answered): Extract<FeedEvent, { type: 'verdict' | 'escalation' }>['case'] {
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
