import type { Ledger, NewRunItem } from '../../ledger/index.ts';
import { runItemsIn } from './run-items-in.ts';
import type { RunReading } from './run-reading.ts';

/** Reads the input of a run from its beginning. */
export type RunItems = (reading: { signal: AbortSignal; onNote?: (text: string) => void }) => AsyncIterable<NewRunItem>;

/** The input of a run; on PostgreSQL, files that its items name go along, for workers on other machines. */
export function itemsFrom(ledger: Ledger | null, job: string, input: string, reading: RunReading): RunItems {
  const attachments = ledger?.kind === 'postgresql' ? { attachments: ledger.attachments } : {};
  return ({ signal, onNote }) =>
    runItemsIn(input, job, {
      ...reading,
      ...attachments,
      signal,
      onUnknownLabel: (label, line) =>
        onNote?.(
          `line ${line}: the label ${JSON.stringify(label)} is not known, and is left out; --map-label says what ` +
            'it means.',
        ),
    });
}

/**
 * Reads the first item: what is wrong with all of them is said before there is a run. Standard input cannot be read
 * twice.
 */
export async function assertInputBegins(job: string, input: string, reading: RunReading): Promise<void> {
  if (input === '-') return;
  const stop = new AbortController();
  const first = runItemsIn(input, job, { ...reading, signal: stop.signal });
  await first.next();
  await first.return();
  stop.abort();
}
