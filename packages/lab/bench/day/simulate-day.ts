import { randomUUID } from 'node:crypto';
import type { ItemQueue, Ledger, TakenItem } from '@agonhq/ledger';
import { sha256 } from '@agonhq/engine/hash';
import { randomNumbers } from '@agonhq/engine/statistics';
import { dayMs, rateAt, type DayPlan, type Failure } from './day-plan.ts';
import { planEvents } from './events.ts';
import type { VirtualClock } from './virtual-clock.ts';

const run = 'run-day';
const lookEveryMs = 60_000;
/** After midnight what is left is worked off. */
const lastMs = dayMs + 6 * 3_600_000;

/** A row that has ended, and when it came. */
export interface Ended {
  cameMs: number;
  endedMs: number;
}

export interface DayRecord {
  put: number;
  ended: Ended[];
  setAside: number;
  /** By the minute: how many rows wait or are in hand, and how long ago the oldest of them came. */
  looks: { atMs: number; waiting: number; oldestMs: number }[];
  /** Rows that were in a worker's hands when it was lost. */
  lostInHand: number;
}

interface Worker {
  number: number;
  /** How often it was started: each time it has another name. */
  life: number;
  queue: ItemQueue | null;
  hand: readonly TakenItem[];
  takenMs: number;
  idle: boolean;
}

type Event =
  | { kind: 'arrive' | 'reclaim' | 'look' }
  | { kind: 'hand'; what: 'work' | 'finish' | 'renew'; worker: Worker; life: number }
  | { kind: 'fail' | 'return'; failure: Failure };

/**
 * Plays a day against the queue of a ledger on PostgreSQL. Workers are played too, by what they are known to manage; all
 * that is asked of the queue is asked in turn, so that the same seed gives the same day.
 */
export async function simulateDay(
  plan: DayPlan,
  {
    ledger,
    clock,
    startMs,
    onHour,
  }: { ledger: Ledger; clock: VirtualClock; startMs: number; onHour?: (hour: number) => void },
): Promise<DayRecord> {
  const random = randomNumbers(plan.seed + 1);
  // What a process has in hand is known by its name: another day has other processes.
  const site = randomUUID();
  const events = planEvents<Event>();
  const record: DayRecord = { put: 0, ended: [], setAside: 0, looks: [], lostInHand: 0 };
  const came = new Map<number, number>();
  const workers: Worker[] = Array.from({ length: plan.workers }, (_, number) => {
    return { number, life: 0, queue: null, hand: [], takenMs: 0, idle: true };
  });
  let poison: number | null = null;
  let awayUntilMs = 0;
  let fraction = 0;
  let now = 0;

  await ledger.runs.startRun({
    id: run,
    name: null,
    job: 'moderation',
    configuration: 'a day',
    settings: { attempts: 3 },
    input: null,
  });
  for (const worker of workers) await start(worker);
  for (const kind of ['arrive', 'reclaim', 'look'] as const) events.add(0, { kind });
  for (const failure of plan.failures) events.add(failure.atMs, { kind: 'fail', failure });

  for (let next = events.next(); next; next = events.next()) {
    if (Math.floor(next.atMs / 3_600_000) > Math.floor(now / 3_600_000)) onHour?.(Math.floor(next.atMs / 3_600_000));
    now = next.atMs;
    if (now > lastMs || (now > dayMs && came.size === 0)) break;
    await happen(next.event);
  }
  return record;

  async function happen(event: Event): Promise<void> {
    if (event.kind === 'look') {
      const oldest = came.values().next().value ?? now;
      record.looks.push({ atMs: now, waiting: came.size, oldestMs: now - oldest });
      events.add(now + lookEveryMs, event);
      return;
    }
    if (event.kind === 'fail') return fail(event.failure);
    if (event.kind === 'return') return comeBack(event.failure);
    // Who does not reach the database tries again when it is there.
    if (now < awayUntilMs) return events.add(awayUntilMs + random() * 1_000, event);
    await clock.moveTo(startMs + now);
    if (event.kind === 'arrive') return arrive();
    if (event.kind === 'reclaim') return reclaim();
    // Of a life that has ended nothing comes any more.
    if (event.kind === 'hand' && event.worker.life === event.life)
      return { work, finish, renew }[event.what](event.worker);
  }

  async function start(worker: Worker): Promise<void> {
    worker.life += 1;
    worker.hand = [];
    const name = `${site}-${worker.number}:${worker.life}:day`;
    worker.queue = await ledger.openQueue({ worker: name, heartbeatMs: plan.heartbeatMs });
    wake(worker);
  }

  function wake(worker: Worker): void {
    if (!worker.queue || worker.hand.length > 0) return;
    worker.idle = false;
    events.add(now + random() * 100, { kind: 'hand', what: 'work', worker, life: worker.life });
  }

  function wakeIdle(): void {
    for (const worker of workers) if (worker.idle) wake(worker);
  }

  async function arrive(): Promise<void> {
    if (now < dayMs) events.add(now + plan.tickMs, { kind: 'arrive' });
    // What came while the database was away has waited with whoever sends it.
    const expected = (rateAt(plan.items, Math.min(now, dayMs)) * plan.tickMs) / 1_000 / plan.grain;
    const drawn =
      expected + Math.sqrt(expected) * (random() + random() + random() + random() - 2) * Math.sqrt(3) + fraction;
    const count = Math.max(0, Math.floor(drawn));
    fraction = drawn - count;
    if (count === 0 || now >= dayMs) return;
    const items = Array.from({ length: count }, (_, index) => {
      const position = record.put + index + 1;
      return {
        position,
        key: `row-${position}`,
        hash: sha256(`${plan.seed} ${position}`),
        input: { items: plan.grain },
      };
    });
    await ledger.runs.putItems(run, items);
    record.put += count;
    for (const { position } of items) came.set(position, now - random() * plan.tickMs);
    wakeIdle();
  }

  async function reclaim(): Promise<void> {
    events.add(now + plan.tickMs, { kind: 'reclaim' });
    const alive = workers.find(({ queue }) => queue);
    await alive?.queue!.reclaimItems();
    if (poison !== null && came.has(poison) && (await ledger.runs.countItems(run)).failed > record.setAside) {
      record.setAside += 1;
      came.delete(poison);
    }
    wakeIdle();
  }

  async function work(worker: Worker): Promise<void> {
    const hand = await worker.queue!.takeItems(run, plan.slice);
    worker.idle = hand.length === 0;
    if (worker.idle) return;
    worker.hand = hand;
    worker.takenMs = now;
    if (hand.some(({ position }) => position === poison)) return endWorker(worker, 30_000);
    const tookMs = ((hand.length * plan.grain) / plan.pace) * 1_000 * (0.8 + 0.4 * random());
    events.add(now + tookMs, { kind: 'hand', what: 'finish', worker, life: worker.life });
    for (let at = now + plan.heartbeatMs / 3; at < now + tookMs; at += plan.heartbeatMs / 3)
      events.add(at, { kind: 'hand', what: 'renew', worker, life: worker.life });
  }

  async function renew(worker: Worker): Promise<void> {
    const lost = new Set(await worker.queue!.renewItems(worker.hand));
    if (lost.size > 0) worker.hand = worker.hand.filter((item) => !lost.has(item));
  }

  async function finish(worker: Worker): Promise<void> {
    const usage = {
      calls: 0,
      inputTokens: 0,
      outputTokens: 0,
      cachedTokens: 0,
      costUsd: 0,
      latencyMs: now - worker.takenMs,
    };
    const stands = await Promise.all(
      worker.hand.map((item) =>
        worker.queue!.finishItem(item, {
          case: `mod-${item.key}`,
          label: 'safe',
          risk: 0.1,
          escalate: false,
          by: 'guard',
          usage,
        }),
      ),
    );
    for (const [index, { position }] of worker.hand.entries()) {
      if (!stands[index]) continue;
      const cameMs = came.get(position);
      if (cameMs === undefined) throw new Error(`Row ${position} has ended twice.`);
      came.delete(position);
      record.ended.push({ cameMs, endedMs: now });
    }
    worker.hand = [];
    await work(worker);
  }

  function endWorker(worker: Worker, awayMs: number): void {
    record.lostInHand += worker.hand.length;
    worker.life += 1;
    worker.queue = null;
    worker.hand = [];
    worker.idle = false;
    const failure: Failure = { kind: 'workers', what: '', atMs: now, awayMs, workers: [worker.number] };
    events.add(now + awayMs, { kind: 'return', failure });
  }

  async function fail(failure: Failure): Promise<void> {
    if (failure.kind === 'poison') {
      poison = record.put + 1;
      return;
    }
    if (failure.kind === 'database') {
      awayUntilMs = now + failure.awayMs;
      events.add(awayUntilMs, { kind: 'return', failure });
      return;
    }
    for (const number of failure.workers) if (workers[number]!.queue) endWorker(workers[number]!, failure.awayMs);
  }

  async function comeBack(failure: Failure): Promise<void> {
    if (failure.kind === 'database') return clock.restartAt(startMs + now);
    if (failure.kind !== 'workers') return;
    if (now < awayUntilMs) return events.add(awayUntilMs + random() * 1_000, { kind: 'return', failure });
    for (const number of failure.workers) await start(workers[number]!);
  }
}

/** What the ledger itself says of the day. */
export async function countDay(ledger: Ledger): Promise<{ done: number; failed: number; left: number }> {
  const { done, failed, waiting, running } = await ledger.runs.countItems(run);
  return { done, failed, left: waiting + running };
}
