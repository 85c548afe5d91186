import { moderationJob } from '@agonhq/judges/moderation';
import { ownJobs } from '@agonhq/core/own-jobs';
import { randomUUID } from 'node:crypto';
import { createAgon } from '@agonhq/core/app';
import { hashOf } from '@agonhq/engine/hash';
import { openLedger, type NewRunItem } from '@agonhq/ledger';
import { conductRun, planRun, startRun } from '@agonhq/core/runs';
import type { Settings } from '@agonhq/core/settings';
import { limitHeapGrowth } from '@agonhq/cli/process';
import { mediumPost } from './cases/index.ts';

/* A run in a process of its own. Arguments: what is to be done, as JSON. It reports when it has ended. */

export interface RunOrder {
  /** The provider's URL; null for the embedded reasoner. */
  provider: string | null;
  ledger: string;
  items: number;
  /** Items at once, and calls at once. */
  concurrency: number;
  calls: number;
  /**
   * `debate`: the supporter, two rounds of both sides, the arbiter: six calls; `judge`: the arbiter alone, one call.
   */
  trial: 'debate' | 'judge';
  /** Stops when so many items are done. */
  stopAfter?: number;
  /** Goes on with this run. */
  resume?: string;
}

export interface RunOutcome {
  run: string;
  wallMs: number;
  cpuMs: number;
  /** From the first tenth of the items to the last: without the start and the last debates, when calls run out. */
  middleMs: number;
  done: number;
  calls: number;
  /** Resident memory in MB by the number of items that had ended. */
  memory: { ended: number; rssMb: number; heapMb: number }[];
}

limitHeapGrowth();
const order = JSON.parse(process.argv[2]!) as RunOrder;
const environment = { AGON_SECRET: 'bench, and nothing but the bench, for all' };
const settings: Settings = {
  ...(order.provider === null
    ? { seats: { default: 'embedded:guard-2' } }
    : { seats: { default: 'fake:gpt-4o-mini' }, providers: { fake: { baseUrl: `${order.provider}/v1` } } }),
  defaults: { concurrency: order.calls, retries: 0 },
  moderation: {
    earlyStop: false,
    without: order.trial === 'judge' ? ['retrieval', 'supporter', 'strict', 'loose', 'debate'] : ['retrieval'],
  },
};
const ledger = await openLedger({ file: order.ledger });
const run = order.resume ? await reopened(order.resume) : await started();
const stop = new AbortController();
const memory: RunOutcome['memory'] = [];
let ended = 0;
let middle: { from: number; to: number } = { from: 0, to: 0 };
const cpu = process.cpuUsage();
const at = performance.now();
const outcome = await conductRun({
  jobs: ownJobs,
  ledger,
  run,
  own: settings,
  environment,
  items: run.total === null ? generated() : null,
  concurrency: order.concurrency,
  signal: stop.signal,
  onItem() {
    ended += 1;
    if (ended === Math.floor(order.items * 0.1)) middle = { from: performance.now(), to: 0 };
    if (ended === Math.floor(order.items * 0.9)) middle = { ...middle, to: performance.now() };
    if (ended === 1_000 || ended % 5_000 === 0 || ended === order.items) {
      global.gc?.();
      const { rss, heapUsed } = process.memoryUsage();
      memory.push({ ended, rssMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20 });
    }
    if (order.stopAfter !== undefined && ended >= order.stopAfter) stop.abort();
  },
}).catch((error: { code?: string }) => {
  if (error.code !== 'cancelled') throw error;
  return ledger.runs.countItems(run.id);
});
const { user, system } = process.cpuUsage(cpu);
process.send!({
  run: run.id,
  wallMs: performance.now() - at,
  middleMs: middle.to - middle.from,
  cpuMs: (user + system) / 1_000,
  done: outcome.done,
  calls: outcome.usage.calls,
  memory,
} satisfies RunOutcome);
await ledger.close();
process.disconnect();

async function started() {
  const agon = await createAgon(settings, { only: ['moderation'], environment, ledger });
  const plan = await planRun({ job: 'moderation', settings, agon, environment });
  const { configuration } = agon.provenanceOf(moderationJob);
  await agon.close();
  return startRun(ledger, { input: 'bench', plan, configuration });
}

async function reopened(id: string) {
  await ledger.runs.reopenRun(id);
  return (await ledger.runs.findRun(id))!;
}

async function* generated(): AsyncGenerator<NewRunItem> {
  const salt = randomUUID();
  for (let position = 1; position <= order.items; position += 1) {
    const text = `${mediumPost.content.text} (${salt}, ${position})`;
    yield { position, key: `item-${position}`, hash: hashOf({ text }), input: { text } };
  }
}
