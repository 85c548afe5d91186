import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sha256 } from '@agonhq/engine/hash';
import { openLedger, type CaseFilter, type Ledger } from '@agonhq/ledger';
import { turnAt } from '@agonhq/test/support/ledger-cases.ts';
import { startPostgres } from '@agonhq/test/support/postgres.ts';
import { fillLedger } from './many-cases.ts';
import { percentile } from './statistics.ts';
import { decimals, table, whole } from './table.ts';
import { scale } from './scale.ts';

/*
 * How many durable entries a second the ledger takes, one by one and from debates at once, how fast it finds them,
 * and how long a page of 100,000 cases takes: `npm run bench:ledger [-- --cases 100000] [--json]`. The first line is
 * the disk's own: bare statements of SQLite, each committed before the next.
 */

const goal = 2_000;
const pageGoalMs = 50;
const statement = 'The text tells readers to combine two liquids in a closed room. '.repeat(6);
/** What few or no cases have is the hardest: all of them are walked through. */
const lists: Record<string, CaseFilter> = {
  newest: {},
  'one label in 50': { label: 'undecided' },
  'one category in 15': { category: 'weapons' },
  'one model in 10': { model: 'fake:model-7' },
  'not decided': { decided: false },
  'disagreement, none so large': { minDisagreement: 0.999 },
  'decided, none': { decided: true },
  'a model of none': { model: 'nobody:here' },
  'a run of none': { run: 'nobody' },
  'three filters, none has all': { label: 'unsafe', modality: 'image', minDisagreement: 0.5 },
  'words of many': { search: 'person words' },
  'words of a few': { search: 'number 4711' },
  'words of none': { search: 'xylophone' },
  'words with a label': { search: 'number 99', label: 'unsafe', escalated: false },
};
const given = process.argv.indexOf('--cases');
const cases = given === -1 ? scale(100_000, 200) : Number(process.argv[given + 1]);
const folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-ledger-'));
const before = loadavg()[0]!;
const server = await startPostgres({ durable: true });
try {
  const bare = bareInserts(path.join(folder, 'bare.sqlite'));
  const results = [
    await measure('SQLite', await openLedger({ file: path.join(folder, 'ledger.sqlite') })),
    await measure('PostgreSQL', await openLedger({ url: await server.newDatabase() })),
  ];
  print(bare, results);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Measured {
  name: string;
  /** A second, by how many debates write at once. */
  inserts: Record<number, number>;
  reads: number;
  keptPerSecond: number;
  pages: Record<string, { p50: number; p99: number }>;
}

async function measure(name: string, ledger: Ledger): Promise<Measured> {
  const inserts: Record<number, number> = {};
  for (const atOnce of [1, 8, 32, 64]) inserts[atOnce] = await insertsPerSecond(ledger, atOnce);
  const reads = await readsPerSecond(ledger);
  const started = performance.now();
  await fillLedger(ledger, cases, { trials: false });
  const keptPerSecond = cases / ((performance.now() - started) / 1_000);
  const pages: Measured['pages'] = {};
  for (const [list, filter] of Object.entries(lists)) pages[list] = await pageTimes(ledger, filter);
  await ledger.close();
  return { name, inserts, reads, keptPerSecond, pages };
}

/** For two seconds, after a moment to warm up. */
async function insertsPerSecond(ledger: Ledger, atOnce: number): Promise<number> {
  let written = 0;
  const writeUntil = (end: number) =>
    Promise.all(
      Array.from({ length: atOnce }, async (_, debate) => {
        while (performance.now() < end)
          await ledger.journal.insert(`debate-${atOnce}-${debate}`, turnAt(`turn-${written++}`, { statement }));
      }),
    );
  await writeUntil(performance.now() + 300);
  const started = performance.now();
  const already = written;
  await writeUntil(started + scale(2_000, 200));
  return (written - already) / ((performance.now() - started) / 1_000);
}

async function readsPerSecond(ledger: Ledger): Promise<number> {
  for (let index = 0; index < 500; index += 1)
    await ledger.journal.insert('read', turnAt(`turn-${index}`, { statement }));
  const started = performance.now();
  let read = 0;
  for (; performance.now() < started + scale(1_000, 100); read += 1) {
    const key = `turn-${read % 500}`;
    if (!(await ledger.journal.find('read', key, sha256(key)))) throw new Error(`${key} was not found.`);
  }
  return read / ((performance.now() - started) / 1_000);
}

async function pageTimes(ledger: Ledger, filter: CaseFilter): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  // Pages one after the other, as somebody turns them; at the end from the start again.
  for (let after: string | null = null; times.length < 100;) {
    const started = performance.now();
    const page: Awaited<ReturnType<Ledger['cases']['listCases']>> = await ledger.cases.listCases(filter, {
      limit: 50,
      after,
    });
    times.push(performance.now() - started);
    after = page.next;
  }
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

function bareInserts(file: string): number {
  const database = new DatabaseSync(file);
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table entries (id integer primary key, entry ' +
      'text not null)',
  );
  const insert = database.prepare('insert into entries (entry) values (?)');
  const entry = JSON.stringify(turnAt('turn', { statement }));
  const started = performance.now();
  let written = 0;
  for (; performance.now() < started + scale(2_000, 200); written += 1) insert.run(entry);
  database.close();
  return written / ((performance.now() - started) / 1_000);
}

function print(bare: number, results: readonly Measured[]): void {
  const load = { before, after: loadavg()[0]! };
  if (process.argv.includes('--json')) {
    console.log(
      JSON.stringify({ version: 1, goal, pageGoalMs, cases, bareInsertsPerSecond: bare, results, load }, null, 2),
    );
    return;
  }
  console.log(
    `Durable entries a second, each of ${whole(JSON.stringify(turnAt('turn', { statement })).length)} letters ` +
      `(goal on SQLite: ${whole(goal)}):\n`,
  );
  console.log(
    table(
      ['', '1 at a time', '8 at once', '32 at once', '64 at once', 'found a second'],
      [
        ['bare statements of SQLite', whole(bare), '', '', '', ''],
        ...results.map(({ name, inserts, reads }) => [
          name,
          ...[1, 8, 32, 64].map((atOnce) => whole(inserts[atOnce]!)),
          whole(reads),
        ]),
      ],
    ),
  );
  console.log(`\nA page of 50 among ${whole(cases)} cases, ms (goal on SQLite: p99 of ${pageGoalMs}):\n`);
  console.log(
    table(
      ['', ...results.flatMap(({ name }) => [`${name} p50`, 'p99'])],
      Object.keys(lists).map((list) => [
        list,
        ...results.flatMap(({ pages }) => [decimals(pages[list]!.p50, 1), decimals(pages[list]!.p99, 1)]),
      ]),
    ),
  );
  console.log(
    `\nCases kept a second: ${results.map(({ name, keptPerSecond }) => `${whole(keptPerSecond)} (${name})`).join(', ')}.`,
  );
  console.log(`\nLoad of the machine: ${decimals(load.before, 1)} before, ${decimals(load.after, 1)} after.`);
}
