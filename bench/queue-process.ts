import { noUsage } from '../src/debate/index.ts';
import { hashOf, sha256 } from '../src/hash.ts';
import { openLedger, type ItemQueue, type Ledger, type OpenedCase, type TakenItem } from '../src/ledger/index.ts';
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
  /** What a judge does: gives a result, puts a trial that was held once on record for each item, or holds one. */
  judge: 'result' | 'record' | 'trial';
  concurrency: number;
}

const order = JSON.parse(process.argv[2]!) as QueueOrder;
const ledger = await openLedger({ url: order.url });
await using runner = await openRunner(ledger, {});
const queue = order.way === 'slice' ? runner.queue : await openQueueByItem(order.url, runner.worker);
const hands = order.way === 'slice' ? runner.hands : openWorkerPool(queue, () => undefined);
const plan = readRunPlan((await ledger.runs.findRun(order.run))!);
const judge = await openBenchJudge();

process.send!('ready');
await new Promise((resolve) => process.once('message', resolve));
const before = process.cpuUsage();
await workOnRun({
  queue,
  hands,
  items: takeAll(queue),
  judgeOf: async () => judge,
  concurrency: order.concurrency,
  signal: new AbortController().signal,
  async onMistake(_, error) {
    throw error;
  },
});
const { user, system } = process.cpuUsage(before);
process.send!({ cpuMs: (user + system) / 1_000 });
await judge.close();
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

/** Each is as a worker has it but for its guard, who answers at once. */
async function openBenchJudge(): Promise<RunJudge> {
  if (order.judge === 'trial') return openRealJudge(ledger);
  const { opened, answer, result } = await holdTrial();
  const none = { ...result, usage: { ...result.usage, latencyMs: 0 } };
  return {
    configuration: opened.configuration,
    async judge({ input }) {
      const hash = hashOf(input);
      const id = `mod-${sha256(hash).slice(7, 23)}`;
      const own = { ...opened, id, subject: { ...opened.subject, hash } };
      const given = { ...answer, id, seal: sha256(id) };
      if (order.judge === 'record' && order.way === 'slice') await ledger.cases.keepDecided(own, given);
      if (order.judge === 'record' && order.way === 'item') {
        await ledger.cases.openCase(own);
        await ledger.cases.closeCase(given);
      }
      return { ...none, case: id };
    },
    spent: () => ({ ...noUsage }),
    close: async () => undefined,
  };
}

function openRealJudge(on: Ledger): Promise<RunJudge> {
  const { worker, journal } = runner;
  return openJudge(plan, {
    ledger: on,
    run: order.run,
    worker,
    journal,
    own: {},
    environment,
    reasoners: instantReasoners(),
  });
}

/** One trial, as it would go on record. */
async function holdTrial() {
  let opened: OpenedCase | undefined;
  let answer: Parameters<Ledger['cases']['keepDecided']>[1] | undefined;
  const cases: Ledger['cases'] = {
    ...ledger.cases,
    async keepDecided(given, decided) {
      opened = given;
      answer = decided;
      return decided;
    },
  };
  const once = await openRealJudge({ ...ledger, cases });
  const input = { text: 'A short note about the weather.' };
  const item = {
    run: order.run,
    position: 0,
    key: 'held',
    hash: 'held',
    input,
    expected: null,
    attempts: 0,
    claim: '',
  };
  const result = await once.judge(item, new AbortController().signal);
  await once.close();
  return { opened: opened!, answer: answer!, result };
}
