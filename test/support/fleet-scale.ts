import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openLedger } from '@agonhq/ledger';
import { openFleetStage, repeatedCalls } from './fleet-stage.ts';

export interface FleetWork {
  workers: number;
  /** Items at once in each worker. */
  atOnce: number;
  itemsOfOne: number;
  latencyMs: number;
}

export interface FleetSpeed {
  workers: number;
  items: number;
  itemsPerSecond: number;
  callsPerSecond: number;
  /** Of what the calls alone would take. */
  ofIdeal: number;
  repeated: number;
}

/** A debate has both sides together, then the arbiter. */
const callsOfADebate = 3;
const stepsOfADebate = 2;

/**
 * How fast a number of workers judges a run, from its first tenth, or from when all of them work, to its last: their
 * start is not what is measured.
 */
export async function measureFleet({ workers, atOnce, itemsOfOne, latencyMs }: FleetWork): Promise<FleetSpeed> {
  await using stage = await openFleetStage({ script: { latencyMs }, model: { concurrency: 1_000 } });
  const items = itemsOfOne * workers;
  const file = path.join(stage.folder, 'items.jsonl');
  await writeFile(
    file,
    Array.from(
      { length: items },
      (_, index) =>
        `${JSON.stringify({ id: `item-${index}`, text: `A short note, number ${index}, about the weather.` })}\n`,
    ).join(''),
  );
  await Promise.all(
    Array.from({ length: workers }, (_, index) => stage.worker(`worker-${index}`, ['--concurrency', String(atOnce)])),
  );
  const started = await stage.agon([
    'run',
    'moderation',
    '--file',
    file,
    '--rounds',
    '1',
    '--without',
    'retrieval,supporter',
    '--detach',
    '--json',
  ]);
  const { run } = JSON.parse(started.stdout) as { run: string };
  const ledger = await openLedger({ url: stage.url });
  try {
    while ((await ledger.runs.findRun(run))!.state === 'running')
      await new Promise((resolve) => setTimeout(resolve, 200));
    const { done } = await ledger.runs.countItems(run);
    if (done !== items) throw new Error(`${done} of ${items} items were judged`);
  } finally {
    await ledger.close();
  }
  const starts = stage.calls.map(({ startedAt }) => startedAt).sort((a, b) => a - b);
  const [tenth, to] = [0.1, 0.9].map((share) => Math.floor(starts.length * share)) as [number, number];
  const begun = Math.max(
    ...[...Map.groupBy(stage.calls, ({ worker }) => worker).values()].map((calls) =>
      Math.min(...calls.map(({ startedAt }) => startedAt)),
    ),
  );
  const from = Math.min(to - 1, Math.max(tenth, starts.indexOf(begun)));
  const callsPerSecond = (to - from) / ((starts[to]! - starts[from]!) / 1_000);
  const itemsPerSecond = callsPerSecond / callsOfADebate;
  const ideal = (workers * atOnce) / ((stepsOfADebate * latencyMs) / 1_000);
  return {
    workers,
    items,
    itemsPerSecond,
    callsPerSecond,
    ofIdeal: itemsPerSecond / ideal,
    repeated: repeatedCalls(stage.calls),
  };
}
