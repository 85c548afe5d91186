import { hashOf, sha256 } from '@agonhq/engine/hash';
import { ownJobs } from '@agonhq/core/own-jobs';
import { openLedger, type TakenItem } from '@agonhq/ledger';
import { openJudge, type RunJudge } from '@agonhq/core/runs/conduct/open-judge';
import { openRunner } from '@agonhq/core/runs/conduct/open-runner';
import { readRunPlan } from '@agonhq/core/runs/conduct/run-plan';
import { createTakeSize } from '@agonhq/core/runs/conduct/take-size';
import { workOnRun } from '@agonhq/core/runs/conduct/work-on-run';
import { environment, instantReasoners } from './instant-guard.ts';

/* A worker on one run, in a process of its own. Argument: its order, as JSON. It says when it is ready, and begins when told. */

export interface QueueOrder {
  url: string;
  /** A run that is judged before. */
  warming: string;
  run: string;
  /** What a judge does: gives a result, puts a trial that was held once on record for each item, or holds one. */
  judge: 'result' | 'record' | 'trial';
  concurrency: number;
}

const order = JSON.parse(process.argv[2]!) as QueueOrder;
const ledger = await openLedger({ url: order.url });
await using runner = await openRunner(ledger);
const { queue, pool } = runner;
const plan = readRunPlan(ownJobs, (await ledger.runs.findRun(order.run))!);
const judge = await openBenchJudge();

await workThrough(order.warming);
process.send!('ready');
await new Promise((resolve) => process.once('message', resolve));
const before = process.cpuUsage();
await workThrough(order.run);
const { user, system } = process.cpuUsage(before);
process.send!({ cpuMs: (user + system) / 1_000 });
await judge.close();
await ledger.close();
process.disconnect();

async function workThrough(run: string): Promise<void> {
  await workOnRun({
    queue,
    pool,
    items: takeAll(run),
    judgeOf: async () => judge,
    concurrency: order.concurrency,
    signal: new AbortController().signal,
    async onMistake(_, error) {
      throw error;
    },
  });
}

async function* takeAll(run: string): AsyncGenerator<TakenItem, void, void> {
  const size = createTakeSize(order.concurrency);
  for (;;) {
    const taken = await queue.takeItems(run, size.next());
    size.note(taken.length);
    if (taken.length === 0) return;
    for (const item of taken) pool.hold(item);
    yield* taken;
  }
}

/** Each is as a worker has it but for its guard, who answers at once. */
async function openBenchJudge(): Promise<RunJudge> {
  const real = await openRealJudge();
  if (order.judge === 'trial') return real;
  const { result, decided } = await holdTrial(real);
  const none = { ...result, usage: { ...result.usage, latencyMs: 0 } };
  return {
    ...real,
    async judge({ input }) {
      const hash = hashOf(input);
      const id = `mod-${sha256(hash).slice(7, 23)}`;
      const own = { ...none, case: id };
      if (order.judge === 'result') return { result: own };
      const { subject } = decided.opened;
      const opened = { ...decided.opened, id, subject: { ...subject, hash, content: input } };
      const answer = { ...decided.answer, id, seal: sha256(id) };
      return { result: own, decided: { ...decided, opened, answer } };
    },
  };
}

function openRealJudge(): Promise<RunJudge> {
  const { worker, journal } = runner;
  return openJudge(plan, {
    jobs: ownJobs,
    ledger,
    run: order.run,
    worker,
    journal,
    own: {},
    environment,
    reasoners: instantReasoners(),
  });
}

/** One trial, as it would go on record. */
async function holdTrial(judge: RunJudge) {
  const input = { text: 'A short note about the weather.' };
  const { result, decided } = await judge.judge({ input, attempts: 0 }, new AbortController().signal);
  return { result, decided: decided! };
}
