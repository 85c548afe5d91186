import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ItemError, ItemQueue, ItemResult, Ledger, NewRunItem, QueueOptions, TakenItem } from '@agonhq/ledger';

/* Runs, items and results to keep in a ledger. */

export const brokenLine: ItemError = { code: 'broken-line', message: 'The line is not JSON.', hint: 'Mend it.' };

export function itemAt(position: number, more: Partial<NewRunItem> = {}): NewRunItem {
  return { position, key: `key-${position}`, hash: `hash-${position}`, input: { text: `Number ${position}` }, ...more };
}

export function resultAt(id: string, more: Partial<ItemResult> = {}): ItemResult {
  return {
    case: id,
    label: 'safe',
    risk: 0.25,
    escalate: false,
    by: 'debate',
    usage: { calls: 3, inputTokens: 100, outputTokens: 20, cachedTokens: 5, costUsd: 0.25, latencyMs: 12.5 },
    ...more,
  };
}

/** A run in a ledger. */
export async function startRun(ledger: Ledger, id = 'run-1', items: readonly NewRunItem[] = []): Promise<string> {
  await ledger.runs.startRun({ id, name: null, job: 'moderation', configuration: 'c', settings: {}, input: null });
  if (items.length > 0) await ledger.runs.putItems(id, items);
  return id;
}

/** No process has it: Linux gives out fewer. The number of one that has ended may be another's by now. */
export const deadPid = 2 ** 30;

/** The name of a worker in this process, or in one that has ended. */
export function workerName(pid = process.pid): string {
  return `${hostname()}:${pid}:${randomUUID().slice(0, 8)}`;
}

/** Takes items as a new worker. */
export async function takeFrom(
  ledger: Ledger,
  run: string,
  count: number,
  options: Partial<QueueOptions> = {},
): Promise<{ queue: ItemQueue; item: TakenItem }[]> {
  const queue = await ledger.openQueue({ worker: workerName(), ...options });
  return (await queue.takeItems(run, count)).map((item) => ({ queue, item }));
}
