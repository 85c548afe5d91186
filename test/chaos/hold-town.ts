import { setTimeout as pause } from 'node:timers/promises';
import { checkRecord, breach } from './check-record.ts';
import type { Client } from './good-client.ts';
import { lookAround } from './look-around.ts';
import { findFakeTime } from './moved-clock.ts';
import { planBlows, type Blow, type Missing } from './plan-blows.ts';
import { emptyRecord, type LedgerName, type TownRecord } from './record.ts';
import { countBy, summarize, type ChaosReport } from './report.ts';
import { healTown, isStruck, strike } from './strike.ts';
import { diskNames, itemsAtOnce, linkNames, processNames, startTown, type Town } from './town.ts';
import { act } from './traffic.ts';
import { findLeftOver, settleRuns, watchTown } from './watch-town.ts';

export interface TownOptions {
  folder: string;
  seed: number;
  minutes: number;
  mayMount: boolean;
  say(words: string): void;
}

/** Of the minutes, what is kept for everything to come to its end; heartbeats take half a minute to lapse. */
const calmMs = 40_000;
/** Whatever has not ended so long after everything was healed never will. */
const graceMs = 180_000;
/** Clients that work on each ledger at once. */
const clients: Record<LedgerName, number> = { postgres: 5, sqlite: 2 };
const statusMs = 15_000;

/** Starts a town, strikes it for as long as it is to be, heals it, and looks at what is left. */
export async function holdTown({ folder, seed, minutes, mayMount, say }: TownOptions) {
  const missing: Missing = {
    ...(mayMount ? {} : { 'full-disk': 'nothing may be mounted here' }),
    ...(findFakeTime() ? {} : { clock: 'libfaketime is not installed' }),
  };
  const blowsMs = Math.max(minutes * 30_000, minutes * 60_000 - calmMs);
  const plan = planBlows(seed, blowsMs, { processes: processNames, links: linkNames, disks: diskNames }, missing);
  const record = emptyRecord();
  say(`seed ${seed}, ${minutes} minutes, ${plan.length} blows; a town is started`);
  const clock = startClock();
  const town = await startTown(folder, seed, record, { mayMount, isStruck: (name) => isStruck(record, name) });
  const start = clock.lap();
  say(`${processNames.length} processes, PostgreSQL and a provider stand`);

  const [over, gaveUp, quiet] = [new AbortController(), new AbortController(), new AbortController()];
  const clientFor = (ledger: LedgerName): Client => ({
    doors: town.doors(ledger),
    deadline: gaveUp.signal,
    onWrong: (what) => void record.seen.push(breach('answers', what)),
  });
  process.once('SIGINT', () => over.abort());
  const watching = watchTown(town, record, clientFor, quiet.signal);
  const working = work(seed, record, clientFor, over.signal);
  const tellNews = startTelling(record, say);
  const telling = setInterval(tellNews, statusMs);
  await fall(town, record, plan, over.signal, say);
  await pause(Math.max(0, blowsMs - clock.since()), undefined, { signal: over.signal }).catch(() => undefined);
  over.abort();
  const blows = clock.lap();
  say('everything is healed, and comes to its end');
  await healTown(town, record);
  setTimeout(() => gaveUp.abort(), graceMs).unref();
  const acts = await working;
  quiet.abort();
  await watching;
  for (const ledger of ['postgres', 'sqlite'] as const) await settleRuns(record, ledger, clientFor(ledger));
  const calm = clock.lap();
  say(`${describe(record)}; a last look at everything`);
  const looking = (ledger: LedgerName) => lookAround(town, record, ledger, { ...clientFor(ledger), deadline: noEnd });
  const [postgres, sqlite] = await Promise.all([looking('postgres'), looking('sqlite')]);
  clearInterval(telling);
  const starts = Object.fromEntries([...town.processes.values()].map((each) => [each.name, each.starts()]));
  await town.end();
  for (const pid of await findLeftOver())
    record.problems.push({ process: `Process ${pid}`, what: 'is left over', stderr: '' });
  const breaches = checkRecord(record, { postgres, sqlite }, itemsAtOnce);
  const seconds = { start, blows, calm, check: clock.lap() };
  const report: ChaosReport = summarize(
    record,
    { ...postgres.runs, ...sqlite.runs },
    { seed, minutes, seconds, leftOut: missing, starts, breaches, acts },
  );
  return { report, record };
}

const noEnd = new AbortController().signal;

/** Lets the blows fall when their time comes; returns when all have been dealt and healed. */
async function fall(
  town: Town,
  record: TownRecord,
  plan: readonly Blow[],
  over: AbortSignal,
  say: TownOptions['say'],
): Promise<void> {
  const began = performance.now();
  const dealt: Promise<void>[] = [];
  for (const blow of plan) {
    await pause(Math.max(0, blow.at - (performance.now() - began)), undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) break;
    const fallen = strike(town, record, blow, over);
    const { missed } = record.blows.at(-1)!;
    const { kind, target, detail, forMs } = blow;
    const lasts = forMs > 0 ? ` for ${(forMs / 1_000).toFixed(1)} s` : '';
    say(`${missed === null ? 'blow  ' : 'missed'} ${kind} ${target} ${detail}${lasts}`);
    dealt.push(fallen);
  }
  await Promise.all(dealt);
}

/** Clients that go on until it is over, each ending what it has begun; how often each did what. */
async function work(
  seed: number,
  record: TownRecord,
  clientFor: (ledger: LedgerName) => Client,
  over: AbortSignal,
): Promise<Record<string, number>> {
  let number = 0;
  const done: string[] = [];
  const goOn = async (ledger: LedgerName) => {
    while (!over.aborted) {
      const own = (number += 1);
      const { act: kind, acknowledged } = await act(own, seed, { ledger, client: clientFor(ledger), record });
      done.push(kind);
      if (!acknowledged)
        record.seen.push(
          breach('ends', `Act ${own} (${kind}, ${ledger}) was not answered although all was well again.`),
        );
      await pause(20 + Math.random() * 250, undefined, { signal: over }).catch(() => undefined);
    }
  };
  const all = (Object.keys(clients) as LedgerName[]).flatMap((ledger) =>
    Array.from({ length: clients[ledger] }, () => goOn(ledger)),
  );
  await Promise.all(all);
  return countBy(done);
}

/** Where it stands, and what was seen to be wrong since it was last told. */
function startTelling(record: TownRecord, say: TownOptions['say']): () => void {
  const told = { seen: 0, problems: 0 };
  return () => {
    say(describe(record));
    for (const { invariant, what } of record.seen.slice(told.seen)) say(`BROKEN ${invariant}: ${what}`);
    for (const { process: name, what, stderr } of record.problems.slice(told.problems))
      say(`BROKEN alive: ${name} ${what}: ${stderr.slice(-400)}`);
    told.seen = record.seen.length;
    told.problems = record.problems.length;
  };
}

function describe({ verdicts, runs, decisions, calls, seen, problems }: TownRecord): string {
  return (
    `${verdicts.length} verdicts, ${runs.length} runs, ${decisions.length} decisions acknowledged, ${calls.length} ` +
    `calls served; ${seen.length + problems.length} breaches so far`
  );
}

function startClock() {
  let last = performance.now();
  const since = () => performance.now() - last;
  return {
    since,
    /** Whole seconds since the last lap. */
    lap() {
      const seconds = Math.round(since() / 1_000);
      last = performance.now();
      return seconds;
    },
  };
}
