import type { CaseRow } from './api/index.ts';
import type { Job, JobAnswer } from '@agonhq/judges/job';
import type { GivenFeedback } from '@agonhq/core/learning';
import type { WatchFinding, WatchRule } from '@agonhq/ledger/watching/watched';

/** What whoever sent a case calls it; null where they call it nothing, and where it was forgotten. */
type Item = string | null;

/** What happened, without any content. */
export type FeedEvent =
  | {
      type: 'verdict' | 'escalation';
      at: string;
      case: Pick<
        CaseRow,
        | 'id'
        | 'job'
        | 'label'
        | 'escalate'
        | 'rule'
        | 'categories'
        | 'action'
        | 'severity'
        | 'degraded'
        | 'run'
        | 'seal'
      > & { item: Item; risk: number | null; bar: number | null; clauses: readonly string[] };
    }
  | {
      type: 'decision';
      at: string;
      case: string;
      item: Item;
      label: string;
      verdict: string;
      /** Those that it breaks: what the person said, else those of a verdict that they agree with. */
      clauses: readonly string[];
      action: string | null;
      /** What the verdict proposed. */
      proposed: string | null;
      by: string;
    }
  | {
      /** Nobody decided a case by the time that its queue gives. */
      type: 'overdue';
      at: string;
      case: string;
      item: Item;
      job: string;
      stage: 'first' | 'second' | 'dispute';
      queue: { id: string; name: string };
      due: string;
      assigned: string | null;
    }
  | {
      type: 'run-ended';
      at: string;
      run: { id: string; name: string | null; job: string; state: string; problem: string | null };
    }
  | {
      type: 'alert-raised' | 'alert-ended';
      at: string;
      alert: { id: string; rule: string; value: string } & Pick<WatchRule, 'name' | 'figure' | 'job' | 'by'> &
        WatchFinding;
    };

/** `isRecorded`: the deliveries to webhooks are on record already. */
interface EventNote {
  isRecorded: boolean;
}

type Listener = (item: FeedEvent, note: EventNote) => void;

/** Tells everybody who listens. */
export interface EventFeed {
  publish(item: FeedEvent, note?: EventNote): void;
  /** Returns what ends the listening; `onClose` is called when there will be no more. */
  subscribe(listener: Listener, onClose?: () => void): () => void;
  /** Until what it returns is called, what other servers of the ledger publish is told here as well. */
  hearOthers(): Promise<() => void>;
  /** Nothing will be told any more. */
  close(): Promise<void>;
}

export function openEventFeed(): EventFeed {
  const listeners = new Map<Listener, (() => void) | undefined>();
  let closed = false;
  return {
    publish(item, note = { isRecorded: false }) {
      for (const listener of listeners.keys()) listener(item, note);
    },
    subscribe(listener, onClose) {
      if (closed) onClose?.();
      else listeners.set(listener, onClose);
      return () => void listeners.delete(listener);
    },
    hearOthers: async () => () => undefined,
    async close() {
      closed = true;
      for (const onClose of listeners.values()) onClose?.();
      listeners.clear();
    },
  };
}

/** What is told of a trial that has ended: its verdict, and that a person must look at it where that is so. */
export function describeVerdict(judged: Job, answer: JobAnswer): FeedEvent[] {
  const { id, job, seal } = answer;
  const { label, risk, bar, escalate, rule, categories: clauses, ...summary } = judged.summarize(answer);
  const { item = null, action = null, severity = null } = summary;
  const { categories = [], degraded = false } = judged.index?.(answer) ?? {};
  const at = new Date().toISOString();
  const told = {
    id,
    item,
    job,
    label,
    risk,
    bar,
    escalate,
    rule: rule.id,
    categories: [...categories],
    clauses: [...new Set(clauses)],
    action,
    severity,
    degraded,
    run: null,
    seal,
  };
  return [{ type: 'verdict', at, case: told }, ...(escalate ? [{ type: 'escalation' as const, at, case: told }] : [])];
}

/** What is told of a case that a person has decided. */
export function describeDecision(given: GivenFeedback): FeedEvent {
  const { case: id, item, label, verdict, clauses, action, proposed, by } = given;
  const at = new Date().toISOString();
  return { type: 'decision', at, case: id, item, label, verdict, clauses, action, proposed, by };
}
