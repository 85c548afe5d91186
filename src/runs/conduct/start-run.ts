import { randomUUID } from 'node:crypto';
import { AgonError } from '../../errors.ts';
import type { Ledger, RunRow } from '../../ledger/index.ts';
import type { RunPlan } from './run-plan.ts';

export interface NewRun {
  /** By default a new one. */
  id?: string;
  name?: string | null;
  /** Where its items come from, in words: a path, or `-`. */
  input: string;
  plan: RunPlan;
  /** As the answers will carry it. */
  configuration: string;
}

/** Puts a new run on record. A name that an unfinished run has is refused: that one is to be resumed. */
export async function startRun(
  ledger: Ledger,
  { id = newRunId(), name = null, input, plan, configuration }: NewRun,
): Promise<RunRow> {
  const unfinished =
    name === null
      ? undefined
      : (await ledger.runs.findRunsNamed(name)).find(
          (run) => run.name === name && (run.state === 'running' || run.state === 'stopped' || run.state === 'failed'),
        );
  if (unfinished) {
    throw new AgonError(
      'run-exists',
      `There is a run ${name} that has not finished (${unfinished.id}, ${unfinished.state}).`,
      {
        library: 'Resume it, or give the new run another name.',
        cli: `Resume it: agon runs resume ${name}; or give another --name.`,
        api: 'Resume it: POST /api/runs/{id}/resume; or give another name.',
      },
    );
  }
  return ledger.runs.startRun({ id, name, job: plan.job, configuration, settings: plan, input });
}

export function newRunId(): string {
  return `run-${randomUUID().slice(0, 13)}`;
}
