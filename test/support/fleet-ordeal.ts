import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openLedger } from '@agonhq/ledger';
import { busiestMinute, openFleetStage, repeatedCalls, type FleetStage } from './fleet-stage.ts';

/** Two of the three calls of a debate are made at once. */
export const ordeal = {
  callsOfADebate: 3,
  callsAtOnce: 2,
  itemsOfAWorker: 12,
  concurrency: 24,
  requestsPerMinute: 12_000,
};

/** What came of it. */
export interface Ordeal {
  results: number;
  /** Results by different keys. */
  keys: number;
  labels: Record<string, number>;
  cases: number;
  calls: {
    all: number;
    different: number;
    /** Calls that were made again: of the worker that was killed, of the one that was stopped, and all others. */
    repeated: { killed: number; stopped: number; others: number };
    mostAtOnce: number;
    busiestMinute: number;
  };
  /** How the two workers that were left ended. */
  ends: readonly { code: number | null; signal: NodeJS.Signals | null }[];
  seconds: number;
}

/**
 * Three workers on a real server: one is killed, one stopped for longer than a heartbeat and continued, the database
 * restarted, each in the first third of the run.
 */
export async function surviveOrdeal(items: number): Promise<Ordeal> {
  const begun = (share: number) => stage.calls.length > items * ordeal.callsOfADebate * share;
  await using stage = await openFleetStage({
    script: { latencyMs: 40 },
    model: { concurrency: ordeal.concurrency, requestsPerMinute: ordeal.requestsPerMinute },
  });
  const began = Date.now();
  const workers = await Promise.all(
    ['a', 'b', 'c'].map((name) => stage.worker(name, ['--concurrency', String(ordeal.itemsOfAWorker)])),
  );
  const [a, b, c] = [workers[0]!, workers[1]!, workers[2]!];
  const run = await startRun(stage, items);

  await until(() => begun(0.1) && stage.inFlight('a') > 0, 60);
  a.child.kill('SIGKILL');

  await until(() => begun(0.2) && stage.inFlight('b') > 0, 60);
  b.child.kill('SIGSTOP');
  const stoppedAt = Date.now();

  await until(() => begun(0.33), 60);
  await stage.server.restart();

  const ledger = await openLedger({ url: stage.url });
  try {
    await until(async () => stage.provider.inFlight === 0 && (await ledger.runs.countItems(run)).waiting === 0, 120);
    // Longer than a heartbeat: the others take its items over, and it must notice.
    await until(() => Date.now() - stoppedAt > 45_000, 60);
    b.child.kill('SIGCONT');

    await until(async () => (await ledger.runs.findRun(run))!.state === 'finished', 240);
    for (const worker of [b, c]) worker.child.kill('SIGTERM');
    const ends = await Promise.all([b.ended, c.ended]);
    const { stdout } = await stage.agon(['runs', 'export', run]);
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { key: string; result?: { verdict: { label: string } } });
    const labels = Object.groupBy(records, ({ result }) => result?.verdict.label ?? 'failed');
    return {
      results: records.length,
      keys: new Set(records.map(({ key }) => key)).size,
      labels: Object.fromEntries(Object.entries(labels).map(([label, own]) => [label, own!.length])),
      cases: (await ledger.readStats()).debates,
      calls: {
        all: stage.calls.length,
        different: new Set(stage.calls.map(({ asked }) => asked)).size,
        repeated: {
          killed: repeatedCalls(stage.calls, (by) => by.has('a')),
          // Also what it was about to say when it was stopped, and said when it went on.
          stopped: repeatedCalls(stage.calls, (by) => by.has('b') && !by.has('a')),
          others: repeatedCalls(stage.calls, (by) => !by.has('a') && !by.has('b')),
        },
        mostAtOnce: stage.provider.maxInFlight,
        busiestMinute: busiestMinute(stage.calls),
      },
      ends,
      seconds: (Date.now() - began) / 1_000,
    };
  } finally {
    await ledger.close();
  }
}

async function startRun(stage: FleetStage, items: number): Promise<string> {
  const file = path.join(stage.folder, 'items.jsonl');
  const lines = Array.from(
    { length: items },
    (_, index) =>
      `${JSON.stringify({ id: `item-${index}`, text: `A short note, number ${index}, about the weather.` })}\n`,
  );
  await writeFile(file, lines.join(''));
  const started = await stage.agon([
    'run',
    'moderation',
    '--file',
    file,
    '--name',
    'fleet',
    '--rounds',
    '1',
    '--without',
    'retrieval,supporter',
    '--detach',
    '--json',
  ]);
  if (started.code !== 0) throw new Error(started.stderr);
  return (JSON.parse(started.stdout) as { run: string }).run;
}

async function until(condition: () => boolean | Promise<boolean>, seconds: number): Promise<void> {
  for (const end = Date.now() + seconds * 1_000; !(await condition());) {
    if (Date.now() > end) throw new Error(`It did not happen within ${seconds} seconds.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
