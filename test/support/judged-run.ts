import type { Answer } from '@agonhq/engine/debate';
import type { ItemError, ItemResult, ItemUsage, Ledger, RunRow, TakenItem } from '@agonhq/ledger';
import { sha256 } from '@agonhq/engine/hash';
import { holdCase, openedCase } from './ledger-cases.ts';

/* Runs with items that have ended, without anybody to judge them. */

/** An item and what becomes of it; without a label or an error it waits. */
export interface StagedItem {
  key?: string;
  text?: string;
  expected?: string;
  label?: 'safe' | 'unsafe' | 'undecided';
  risk?: number | null;
  escalate?: boolean;
  by?: ItemResult['by'];
  usage?: Partial<ItemUsage>;
  /** What else its answer says. */
  answer?: Partial<Answer>;
  error?: ItemError;
  /** The line itself could not be read. */
  broken?: boolean;
}

export const wrong = (code: string): ItemError => ({ code, message: `It failed with ${code}.`, hint: 'Try again.' });

/** Puts a run on record and takes its items to their ends, through the queue and all at once. */
export async function stageRun(
  ledger: Ledger,
  id: string,
  items: readonly StagedItem[],
  more: Partial<RunRow> = {},
): Promise<RunRow> {
  await ledger.runs.startRun({
    id,
    name: null,
    job: 'moderation',
    configuration: sha256(id),
    settings: null,
    input: 'items.jsonl',
    ...more,
  });
  const staged = items.map((item, index) => ({
    item,
    position: index + 1,
    text: item.text ?? `What was said in item ${index + 1}.`,
  }));
  await ledger.runs.putItems(
    id,
    staged.map(({ item, position, text }) => ({
      position,
      key: item.key ?? `item-${position}`,
      hash: sha256(text),
      input: item.broken ? null : { text },
      expected: item.expected ?? null,
      error: item.broken ? item.error! : null,
    })),
  );
  await ledger.runs.markLoaded(id, items.length);
  const queue = await ledger.openQueue({ worker: `worker-of-${id}` });
  const end = async (taken: TakenItem) => {
    const { item, text } = staged[taken.position - 1]!;
    if (item.error) await queue.failItem(taken, item.error, { retry: false });
    else if (item.label) await queue.finishItem(taken, await judged(ledger, id, item, text));
    else await queue.giveBackItems([taken]);
  };
  await Promise.all((await queue.takeItems(id, items.length)).map(end));
  await queue.close();
  if (more.state && more.state !== 'running') await ledger.runs.endRun(id, more.state, more.problem);
  return (await ledger.runs.findRun(id))!;
}

async function judged(
  ledger: Ledger,
  run: string,
  { label, risk = label === 'unsafe' ? 0.9 : 0.1, escalate = false, by = 'debate', usage, answer }: StagedItem,
  text: string,
): Promise<ItemResult> {
  const id = `mod-${sha256(`${run} ${text}`).slice(7, 23)}`;
  await holdCase(ledger, openedCase(id, { text, run }), { label: label!, risk }, answer);
  return {
    case: id,
    label: label!,
    risk,
    escalate,
    by,
    usage: { calls: 4, inputTokens: 100, outputTokens: 20, cachedTokens: 0, costUsd: 0.01, latencyMs: 50, ...usage },
  };
}
