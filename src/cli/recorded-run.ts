import { randomUUID } from 'node:crypto';
import type { Job } from '../app/index.ts';
import { AgonError } from '../errors.ts';
import type { Ledger } from '../ledger/index.ts';

/** A new run's id. */
export function newRun(): string {
  return `run-${randomUUID().slice(0, 13)}`;
}

/** Puts a run on record: when it starts, and how it ended. Without a ledger the work is done all the same. */
export async function onRecord(
  ledger: Ledger | null,
  run: { id: string; job: Job; configuration: string; input: string },
  work: () => Promise<number>,
): Promise<number> {
  if (!ledger) return work();
  await ledger.runs.start({ ...run, name: null, settings: null });
  let state: 'finished' | 'stopped' | 'failed' = 'failed';
  try {
    const code = await work();
    state = 'finished';
    return code;
  } catch (error) {
    if (AgonError.is(error) && error.code === 'cancelled') state = 'stopped';
    throw error;
  } finally {
    await ledger.runs.end(run.id, state);
  }
}
