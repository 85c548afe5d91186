import { openLedger, type ItemQueue, type ItemResult, type TakenItem } from '../src/ledger/index.ts';
import { openJudge, type RunJudge } from '../src/runs/conduct/open-judge.ts';
import { openRunner } from '../src/runs/conduct/open-runner.ts';
import { readRunPlan } from '../src/runs/conduct/run-plan.ts';
import { createTakeSize } from '../src/runs/conduct/take-size.ts';
import { workOnRun } from '../src/runs/conduct/work-on-run.ts';
import { openWorkerPool } from '../src/runs/conduct/worker-pool.ts';
import { environment, instantReasoners } from './instant-guard.ts';
import { openQueueByItem } from './queue-by-item.ts';

/* A worker on one run, in a process of its own. Argument: its order, as JSON. It says when it is ready, and begins when told. */

export interface QueueOrder {
  url: string;
  run: string;
  /** `item`: the queue as it was. */
  way: 'item' | 'slice';
  /** Whether cases are put on record; otherwise the judge gives a result and nothing else. */
  cases: boolean;
  concurrency: number;
}

const order = JSON.parse(process.argv[2]!) as QueueOrder;
const ledger = await openLedger({ url: order.url });
await using runner = await openRunner(ledger, {});
const queue = order.way === 'slice' ? runner.queue : await openQueueByItem(order.url, runner.worker);
const hands = order.way === 'slice' ? runner.hands : openWorkerPool(queue, () => undefined);
let given = 0;
const judge = order.cases ? await openRealJudge() : { judge: async () => emptyResult() };

process.send!('ready');
await new Promise((resolve) => process.once('message', resolve));
const before = process.cpuUsage();
await workOnRun({
  queue,
  hands,
  items: takeAll(queue),
  judgeOf: async () => judge as RunJudge,
  concurrency: order.concurrency,
  signal: new AbortController().signal,
  async onMistake(_, error) {
    throw error;
  },
});
const { user, system } = process.cpuUsage(before);
process.send!({ cpuMs: (user + system) / 1_000 });
if ('close' in judge) await judge.close();
if (order.way === 'item') await queue.close();
await ledger.close();
process.disconnect();

async function* takeAll(from: ItemQueue): AsyncGenerator<TakenItem, void, void> {
  const size = createTakeSize(order.concurrency);
  const least = Math.max(1, Math.ceil(order.concurrency / 4));
  for (;;) {
    const taken = await from.takeItems(order.run, order.way === 'slice' ? size.next() : least);
    size.note(taken.length);
    if (taken.length === 0) return;
    for (const item of taken) hands.hold(item);
    yield* taken;
  }
}

async function openRealJudge(): Promise<RunJudge> {
  const plan = readRunPlan((await ledger.runs.findRun(order.run))!);
  const { worker, journal } = runner;
  const own = {};
  return openJudge(plan, { ledger, run: order.run, worker, journal, own, environment, reasoners: instantReasoners() });
}

function emptyResult(): ItemResult {
  given += 1;
  return {
    case: `mod-${process.pid}-${given}`,
    label: 'safe',
    score: 0.01,
    escalate: false,
    by: 'guard',
    usage: { calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0, latencyMs: 0 },
  };
}
