import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf, startChild, withProvider } from './children.ts';
import type { RunOrder, RunOutcome } from './run-process.ts';
import { decimals, table, whole } from './table.ts';
import { scale } from './scale.ts';

/*
 * Runs in one process, against a fake provider in another: `npm run bench:runs [-- throughput memory resume] [--items
 * 100000] [--json]`. throughput: calls of 100 ms, 64 at once, over the ideal of 640 a second. memory: what 1,000 and
 * 100,000 items need, with a provider that answers at once. resume: a run of 10,000 of which 9,990 are done.
 */

const sections = ['throughput', 'memory', 'resume'] as const;
const asked = sections.filter((section) => process.argv.includes(section));
const wanted = new Set(asked.length > 0 ? asked : sections);
const at = process.argv.indexOf('--items');
const manyItems = at === -1 ? scale(100_000, 300) : Number(process.argv[at + 1]);
const folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-runs-'));
const results: Record<string, unknown> = { load: loadavg()[0] };
let ledgers = 0;

try {
  if (wanted.has('throughput')) results['throughput'] = await throughput();
  if (wanted.has('memory')) results['memory'] = await memory();
  if (wanted.has('resume')) results['resume'] = await resume();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (process.argv.includes('--json')) console.log(JSON.stringify(results, null, 2));

async function conduct(order: Omit<RunOrder, 'ledger'> & { ledger?: string }): Promise<RunOutcome> {
  const child = startChild(
    new URL('./run-process.ts', import.meta.url),
    JSON.stringify({ ledger: newLedger(), ...order }),
  );
  return messageOf<RunOutcome>(child);
}

function newLedger(): string {
  return path.join(folder, `ledger-${(ledgers += 1)}.sqlite`);
}

async function throughput() {
  const latencyMs = 100;
  const atOnce = 64;
  const rows = await withProvider(latencyMs, async (provider) => {
    const found = [];
    for (const [trial, items] of [
      ['debate', scale(3_000, 30)],
      ['judge', scale(6_000, 60)],
    ] as const) {
      // More items than calls at once: a debate does not always have a call to make.
      const { wallMs, middleMs, cpuMs, calls } = await conduct({
        provider,
        items,
        concurrency: atOnce * 2,
        calls: atOnce,
        trial,
      });
      const ideal = atOnce / (latencyMs / 1_000);
      const perSecond = (calls * 0.8) / (middleMs / 1_000);
      found.push({
        trial,
        items,
        calls,
        wallMs,
        perSecond,
        ofIdeal: perSecond / ideal,
        whole: calls / (wallMs / 1_000) / ideal,
        cpuMsPerCall: cpuMs / calls,
      });
    }
    return found;
  });
  print(
    `Calls of ${latencyMs} ms, ${atOnce} at once, one process, a ledger of SQLite`,
    ['trial', 'items', 'calls', 'calls/s', 'of the ideal', 'with start and end', 'CPU ms/call'],
    rows.map((row) => [
      row.trial,
      whole(row.items),
      whole(row.calls),
      whole(row.perSecond),
      decimals(row.ofIdeal, 3),
      decimals(row.whole, 3),
      decimals(row.cpuMsPerCall, 2),
    ]),
  );
  return rows;
}

async function memory() {
  const { memory: marks, wallMs } = await withProvider(0, (provider) =>
    conduct({ provider, items: manyItems, concurrency: 64, calls: 64, trial: 'judge' }),
  );
  const first = marks[0]!;
  const most = marks.reduce((a, b) => (b.rssMb > a.rssMb ? b : a));
  print(
    `Memory of a run of ${whole(manyItems)} items`,
    ['items ended', 'RSS MB', 'heap MB'],
    [first, ...marks.slice(1).filter((_, index, all) => index % Math.ceil(all.length / 6) === 0), marks.at(-1)!].map(
      (mark) => [whole(mark.ended), whole(mark.rssMb), whole(mark.heapMb)],
    ),
  );
  console.log(
    `From ${whole(first.ended)} items to the most, at ${whole(most.ended)}: ${decimals(most.rssMb - first.rssMb, 1)} ` +
      `MB more; ${whole(manyItems / (wallMs / 1_000))} items/s.\n`,
  );
  return { marks, growthMb: most.rssMb - first.rssMb };
}

async function resume() {
  const [ledger, all] = [newLedger(), scale(10_000, 150)];
  const outcome = await withProvider(0, async (provider) => {
    const order = { provider, ledger, items: all, concurrency: 64, calls: 64, trial: 'judge' as const };
    const before = await conduct({ ...order, stopAfter: all - 73 });
    // The last ones were in flight when it was stopped: bring it to ten that are left.
    const after = await conduct({ ...order, resume: before.run });
    return { left: all - before.done, calls: after.calls - before.calls, wallMs: after.wallMs };
  });
  print(
    `Resuming a run of ${whole(all)}`,
    ['items left', 'calls', 'seconds'],
    [[outcome.left, outcome.calls, decimals(outcome.wallMs / 1_000, 2)]],
  );
  return outcome;
}

function print(title: string, header: string[], rows: (string | number)[][]): void {
  if (!process.argv.includes('--json')) console.log(`${title}\n\n${table(header, rows)}\n`);
}
