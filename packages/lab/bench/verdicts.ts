import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { sha256 } from '@agonhq/engine/hash';
import type { ItemContext } from '@agonhq/engine/items/item-context';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { judgeByGuard, type GuardCase } from '@agonhq/test/support/guard-cases.ts';
import { startPostgres } from '@agonhq/test/support/postgres.ts';
import { shortText } from './embedded-texts.ts';
import { scale } from './scale.ts';
import { decimals, table, whole } from './table.ts';
import { varyCase } from './verdict-cases.ts';
import { fillDays } from './verdict-days.ts';

/*
 * What a case that the guard decided takes on PostgreSQL, and how many are written a second, as the rows of a case and
 * as a single row, by one process and by two, in one run: `npm run bench:verdicts [-- --json]`. The answers are the
 * guard's own; the server runs on the same cores. `--days 60` also measures how many where so many days are kept.
 */

const judged = scale(300, 12);
const asCases = scale(2_000, 40);
const asRows = scale(30_000, 60);
/** Cases of one author, and of one thread. */
const casesOf = { author: 3, thread: 10 };
/** Written before the clock starts, by each process: a stream does not end after three seconds. */
const warmUp = { cases: scale(200, 4), rows: scale(6_000, 20), authored: scale(6_000, 20) };
const counts = { cases: asCases, rows: asRows, authored: asRows };
const atOnce = { cases: 40, rows: 2_000, authored: 2_000 };

type Way = keyof typeof counts;
type Put = (ledger: Ledger, one: GuardCase) => Promise<unknown>;

const putRow: Put = (ledger, one) => ledger.cases.keepDecided(one);
const ways: Record<Way, Put> = {
  async cases(ledger, { opened, answer, description }) {
    await ledger.cases.openCase(opened);
    await ledger.cases.closeCase(answer, description);
  },
  rows: putRow,
  authored: putRow,
};

/** Cases of each day that is kept, where `--days` says how many are. */
const casesOfDay = scale(20_000, 20);

const writer = process.argv.indexOf('--writer');
if (writer === -1) await measureAll();
else await writeShare(process.argv.slice(writer + 1));

async function measureAll(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-verdicts-'));
  const before = loadavg()[0]!;
  const server = await startPostgres({ durable: true });
  try {
    const scratch = await openLedger({ file: path.join(folder, 'scratch.sqlite') });
    const all = await judgeByGuard(scratch, { texts: Array.from({ length: judged }, (_, index) => shortText(index)) });
    // What a person is to look at has the rows of a case either way.
    await Promise.all(all.map((one) => scratch.cases.keepDecided(one)));
    const stages = await Promise.all(all.map((one) => scratch.reviews.findStage(one.opened.id)));
    const clear = all.filter((_, index) => stages[index] === null);
    await scratch.close();
    const file = path.join(folder, 'cases.json');
    writeFileSync(file, JSON.stringify(clear));
    const old = await measure(await server.newDatabase(), clear, 'cases');
    const url = await server.newDatabase();
    const single = await measure(url, clear, 'rows');
    const authored = await measure(await server.newDatabase(), clear, 'authored');
    const shared = await server.newDatabase();
    const processes = {
      old: await measureProcesses(await server.newDatabase(), file, 'cases'),
      single: await measureProcesses(shared, file, 'rows'),
    };
    const days = Number(parseArgs({ options: { days: { type: 'string' } }, strict: false }).values.days ?? 0);
    const amongDays = days === 0 ? null : { days, perSecond: await measureAmongDays(shared, file, days) };
    const rebuildMicroseconds = await measureReading(url, clear);
    const figures = { old, single, authored, processes, amongDays, rebuildMicroseconds, load: [before, loadavg()[0]!] };
    console.log(process.argv.includes('--json') ? JSON.stringify(figures, null, 2) : show(figures));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  perSecond: number;
  /** Bytes a case by table, and by the indexes of each. */
  bytes: Record<string, number>;
  /** Of them, those of the text by itself; of a single row its first words, since the rest is packed with its answer. */
  textBytes: number;
}

async function measure(url: string, clear: readonly GuardCase[], how: Way): Promise<Measured> {
  const ledger = await openLedger({ url });
  const many = atOnce[how];
  const put = ways[how];
  for (const one of clear) await put(ledger, one); // Policy, set-up and dictionaries are there once.
  const describe = how === 'authored' ? makeContext : undefined;
  await writeAll(ledger, makeCases(clear, warmUp[how], 'warm-up', describe), many, put);
  const start = await readSizes(url);
  const count = counts[how];
  const cases = makeCases(clear, count, 'timed', describe);
  const perSecond = await writeAll(ledger, cases, many, put);
  await ledger.close();
  const end = await readSizes(url);
  const bytes = Object.fromEntries(
    Object.entries(end.bytes)
      .map(([name, size]) => [name, (size - (start.bytes[name] ?? 0)) / count] as const)
      .filter(([, size]) => size > 1),
  );
  return { perSecond, bytes, textBytes: (end.text - start.text) / count };
}

function makeCases(
  clear: readonly GuardCase[],
  count: number,
  name: string,
  describe?: (name: string, index: number) => ItemContext,
): GuardCase[] {
  return Array.from({ length: count }, (_, index) =>
    varyCase(clear[index % clear.length]!, `${name} ${index}`, describe?.(name, index)),
  );
}

/** As a platform knows it: ids that say nothing, in no order. */
function makeContext(name: string, index: number): ItemContext {
  const draw = (of: keyof typeof casesOf) => sha256(`${of} ${name} ${Math.floor(index / casesOf[of])}`).slice(7, 19);
  return { author: `u_${draw('author')}`, thread: `t_${draw('thread')}`, channel: 'comments', language: 'en' };
}

async function writeAll(ledger: Ledger, cases: readonly GuardCase[], many: number, put: Put): Promise<number> {
  const waiting = cases.values();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: many }, async () => {
      for (const one of waiting) await put(ledger, one);
    }),
  );
  return cases.length / ((performance.now() - started) / 1_000);
}

/** Parts of a table count as the table. */
async function readSizes(url: string): Promise<{ bytes: Record<string, number>; text: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; bytes: string; indexes: string }>(
      `select regexp_replace(relname, '_(before|rest|[0-9]{8})$', '') as name,
         sum(pg_table_size(c.oid)) as bytes, sum(pg_indexes_size(c.oid)) as indexes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname = 'public' group by 1`,
    );
    const { rows: text } = await client.query<{ bytes: string }>(
      `select (select coalesce(sum(pg_column_size(content) + pg_column_size(excerpt) + pg_column_size(search)), 0) from subjects)
        + (select coalesce(sum(pg_column_size(search)), 0) from listing) as bytes`,
    );
    return {
      bytes: Object.fromEntries(
        rows.flatMap(({ name, bytes, indexes }) => [
          [name, Number(bytes)],
          [`${name}, indexes`, Number(indexes)],
        ]),
      ),
      text: Number(text[0]!.bytes),
    };
  } finally {
    await client.end();
  }
}

/** The same by two processes, which make their cases before the clock starts, and end after it stops. */
async function measureProcesses(url: string, file: string, how: Way, name = 'process'): Promise<number> {
  await (await openLedger({ url })).close();
  const given = [...process.execArgv, import.meta.filename, ...process.argv.slice(2), '--writer', url, file, how];
  const children = [0, 1].map((index) =>
    spawn(process.execPath, [...given, `${name} ${index}`], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  const started = performance.now();
  const ended = children.map((child) => once(child, 'exit'));
  const written = children.map((child, index) => Promise.race([once(child.stdout, 'data'), ended[index]]));
  for (const child of children) child.stdin.end('go\n');
  await Promise.all(written);
  const seconds = (performance.now() - started) / 1_000;
  for (const [code] of await Promise.all(ended)) if (code !== 0) throw new Error(`A writer ended with ${code}.`);
  return counts[how] / seconds;
}

async function measureAmongDays(url: string, file: string, days: number): Promise<number> {
  await fillDays(url, days, casesOfDay);
  return measureProcesses(url, file, 'rows', 'among days');
}

/** With the settings and the policy that are the same objects for all cases of a process, as they were before. */
function readCases(file: string): GuardCase[] {
  const cases = JSON.parse(readFileSync(file, 'utf8')) as GuardCase[];
  const { settings, policy } = cases[0]!.opened;
  return cases.map((one) => ({ ...one, opened: { ...one.opened, settings, policy } }));
}

async function writeShare([url, file, way, name]: readonly string[]): Promise<void> {
  const clear = readCases(file!);
  const how = way as Way;
  const put = ways[how];
  const cases = makeCases(clear, counts[how] / 2, `timed ${name}`);
  const ledger = await openLedger({ url: url! });
  // One by one at first: there are connections and dictionaries before thousands ask for them.
  await writeAll(ledger, makeCases(clear, clear.length, `first ${name}`), 1, put);
  await writeAll(ledger, makeCases(clear, warmUp[how], `warm-up ${name}`), atOnce[how], put);
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  await writeAll(ledger, cases, atOnce[how], put);
  process.stdout.write('written\n');
  await ledger.close();
  process.exit(0);
}

/** From the row to the answer, the way to the server included. */
async function measureReading(url: string, clear: readonly GuardCase[]): Promise<number> {
  const ledger = await openLedger({ url });
  const times = scale(2_000, 20);
  const started = performance.now();
  for (let index = 0; index < times; index += 1) {
    const found = await ledger.cases.findCase(clear[index % clear.length]!.opened.id);
    if (!found?.answer) throw new Error('A case was not found.');
  }
  const each = ((performance.now() - started) / times) * 1_000;
  await ledger.close();
  return each;
}

function show(figures: {
  old: Measured;
  single: Measured;
  authored: Measured;
  processes: { old: number; single: number };
  amongDays: { days: number; perSecond: number } | null;
  rebuildMicroseconds: number;
  load: readonly number[];
}): string {
  const { old, single, authored, processes, amongDays, rebuildMicroseconds, load } = figures;
  const sum = ({ bytes }: Measured) => Object.values(bytes).reduce((all, one) => all + one, 0);
  const measured = [old, single, authored];
  const names = [...new Set(measured.flatMap(({ bytes }) => Object.keys(bytes)))].toSorted();
  const rows = names.map((name) => [
    `bytes a case: ${name}`,
    ...measured.map(({ bytes }) => whole(bytes[name] ?? 0)),
    '',
  ]);
  const line = (name: string, before: number, after: number, withAuthor?: number) => [
    name,
    whole(before),
    whole(after),
    withAuthor === undefined ? '' : whole(withAuthor),
    decimals(Math.max(before, after) / Math.min(before, after), 1),
  ];
  const lineOf = (name: string, figure: (one: Measured) => number) =>
    line(name, figure(old), figure(single), figure(authored));
  return [
    table(
      ['on PostgreSQL', 'rows of a case', 'a single row', 'and its context', 'ratio'],
      [
        ...rows,
        lineOf('bytes a case', sum),
        ['of them its text, or its first words', ...measured.map(({ textBytes }) => whole(textBytes)), ''],
        lineOf('bytes a case without these', (one) => sum(one) - one.textBytes),
        lineOf('verdicts a second, one process', ({ perSecond }) => perSecond),
        line('verdicts a second, two processes', processes.old, processes.single),
        ...(amongDays ? [line(`the same among ${amongDays.days} days`, processes.old, amongDays.perSecond)] : []),
      ],
    ),
    '',
    `Looked up and built again: ${whole(rebuildMicroseconds)} µs.`,
    `Load of the machine: ${decimals(load[0]!, 1)} before, ${decimals(load[1]!, 1)} after.`,
  ].join('\n');
}
