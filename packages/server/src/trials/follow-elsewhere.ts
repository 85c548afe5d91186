import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { toProblem } from '../http/problem.ts';
import type { SentEvent } from '../reply.ts';
import { recreateEntries, recreateEvents } from './trial-events.ts';

/** How often the record is looked at of a debate that another server holds. */
const lookMs = 300;

/**
 * The events of a trial that is held by another server or worker on the same ledger: each entry as it comes on record,
 * then the answer. What only told of the way (`turn-start`, `turn-delta`) is heard only where it is held.
 */
export async function* followElsewhere(
  { jobs, ledger: { cases, journal } }: { jobs: Jobs; ledger: Pick<Ledger, 'cases' | 'journal'> },
  id: string,
  signal: AbortSignal,
): AsyncGenerator<SentEvent, void, void> {
  const told = new Set<string>();
  const isNew = (event: SentEvent) => !told.has(event.id) && told.add(event.id);
  while (!signal.aborted) {
    const found = await cases.findCase(id);
    if (found?.answer) {
      yield* recreateEvents(jobs.require(found.job), found.answer).filter(isNew);
      return;
    }
    for (const entry of (await journal.of?.(id)) ?? [])
      yield* recreateEntries([entry], { debate: id, scope: findScope(entry.key) }).filter(isNew);
    if (found?.state !== 'judging') {
      yield { id: 'problem', type: 'problem', data: { type: 'problem', problem: toProblem(brokenOff(id)) } };
      return;
    }
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

/** A claim or a part of a dossier has a debate of its own, which its keys begin with. */
function findScope(key: string): string | null {
  return /^((?:claim|part)-[^/]+)\//.exec(key)?.[1] ?? null;
}

function brokenOff(id: string): AgonError {
  return new AgonError(
    'unfinished-case',
    `The trial of ${id} was broken off where it was held.`,
    'Judge the same content again: the trial goes on where it stopped.',
  );
}
