import { addUsage, noUsage, type Usage } from '../../debate/index.ts';
import type { Course } from './attempts.ts';
import type { Surroundings } from './llm-reasoner.ts';

/** What an answer took, its retries included. */
export interface Spent {
  usage: Usage;
  latencyMs: number;
  /** Retries and the like, in words. */
  notes?: readonly string[];
}

/** The course of a call under the accounts of a pool, with what it has taken. */
export function openCourse(
  { accounts, sharedAccount, spend }: Pick<Surroundings, 'accounts' | 'sharedAccount' | 'spend'>,
  signal: AbortSignal,
): { course: Course; spent(): Spent } {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const notes: string[] = [];
  let usage = noUsage;
  const course: Course = {
    signal,
    accounts,
    sharedAccount,
    spend(more) {
      usage = addUsage(usage, more);
      spend(more);
    },
    note: (text) => void notes.push(text),
  };
  return {
    course,
    spent: () => ({ usage, latencyMs: performance.now() - startedAt, ...(notes.length > 0 ? { notes } : {}) }),
  };
}
