import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { createAgon } from '@agonhq/core/app';
import { sha256 } from '@agonhq/engine/hash';
import type { Answer, JournalEntry } from '@agonhq/engine/debate';
import { openLedger, type Ledger, type UnrecordedCase, type UnrecordedOpening } from '@agonhq/ledger';
import type { Settings } from '@agonhq/core/settings';
import { startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { startPostgres } from '@agonhq/test/support/postgres.ts';
import { benchSettings, scriptOf } from './bench-settings.ts';
import { mediumPost } from './cases/index.ts';
import { longText, shortText } from './embedded-texts.ts';
import { decimals, table, whole } from './table.ts';
import { randomNumbers } from '@agonhq/engine/statistics';
import { scale } from './scale.ts';

/*
 * What a case takes in the ledger, table by table, and what the queue of a fleet can do: `npm run bench:storage [--
 * --json]`. Cases with a shorter and with a longer text tell what a case takes by itself and what each byte of its
 * text adds.
 */

const copies = scale(400, 40);
const atOnce = 40;
const queued = scale(2_000, 40);
const workers = 4;

/** Bytes by table; SQLite's file is one. */
type Sizes = Record<string, number>;
/** Of one case: a part of its own, and a part for each byte of its text. */
interface Taken {
  fixed: number;
  perByte: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-storage-'));
const before = loadavg()[0]!;
const server = await startPostgres({ durable: true });
const provider = await startFakePanel(scriptOf(mediumPost));
/**
 * The first tier of a cascade: the guard as the only judge. And full debates of two rounds, with answers near their
 * cap.
 */
const guard: Settings = {
  seats: { default: 'embedded:guard-2' },
  moderation: { without: ['supporter', 'retrieval', 'debate'] },
};
const debate: Settings = benchSettings(provider.url);
try {
  const file = path.join(folder, 'ledger.sqlite');
  const sqlite = await openLedger({ file });
  const url = await server.newDatabase();
  const postgres = await openLedger({ url });
  const storage = {
    sqlite: await measureCases(sqlite, async () => sizeOfFile(file)),
    postgresql: await measureCases(postgres, () => sizesOf(url)),
  };
  const { length: entries } = (await held(postgres, debate, mediumPost.content.text!)).entries;
  const queue = await measureQueue(postgres, url);
  await sqlite.close();
  await postgres.close();
  if (process.argv.includes('--json')) console.log(JSON.stringify({ storage, entries, queue }, null, 2));
  else print(storage, entries, queue);
} finally {
  await provider.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** A trial as it goes on record. */
interface Trial {
  textBytes: number;
  opened: UnrecordedOpening;
  entries: JournalEntry[];
  answer: Answer;
  description: UnrecordedCase['description'];
}

async function measureCases(
  ledger: Ledger,
  sizes: () => Promise<Sizes>,
): Promise<Record<'guard' | 'debate', Record<string, Taken>>> {
  return { guard: await takenBy(ledger, guard, sizes), debate: await takenBy(ledger, debate, sizes) };
}

/** One trial of each length is held, and put on record many times under other names. */
async function takenBy(
  ledger: Ledger,
  settings: Settings,
  sizes: () => Promise<Sizes>,
): Promise<Record<string, Taken>> {
  const grown: { textBytes: number; sizes: Sizes }[] = [];
  for (const words of [20, 300]) {
    const trial = await held(ledger, settings, `${mediumPost.content.text} ${shuffled(words)}`);
    await putOnRecord(ledger, trial, 'first'); // What is there once, like the policy, is not the case's.
    const start = await sizes();
    for (let from = 0; from < copies; from += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, index) => putOnRecord(ledger, trial, String(from + index))));
    const end = await sizes();
    grown.push({
      textBytes: trial.textBytes,
      sizes: Object.fromEntries(
        Object.entries(end).map(([name, bytes]) => [name, (bytes - (start[name] ?? 0)) / copies]),
      ),
    });
  }
  const [short, long] = grown as [(typeof grown)[number], (typeof grown)[number]];
  return Object.fromEntries(
    Object.entries(long.sizes)
      .filter(([name, bytes]) => bytes > 0 || short.sizes[name]! > 0)
      .map(([name, bytes]) => {
        const perByte = Math.max(0, (bytes - short.sizes[name]!) / (long.textBytes - short.textBytes));
        return [name, { fixed: Math.max(0, short.sizes[name]! - perByte * short.textBytes), perByte }];
      }),
  );
}

async function held(ledger: Ledger, settings: Settings, text: string): Promise<Trial> {
  const trial = { textBytes: Buffer.byteLength(text), entries: [] as JournalEntry[] } as Trial;
  const listening: Ledger = {
    ...ledger,
    journal: { find: async () => undefined, insert: async (_, entry) => (trial.entries.push(entry), entry) },
    cases: {
      ...ledger.cases,
      openCase: async (opened) => void (trial.opened = opened),
      closeCase: async (answer, description) => {
        Object.assign(trial, { answer, description });
        return answer;
      },
    },
  };
  const agon = await createAgon(settings, { environment: {}, only: ['moderation'], ledger: listening });
  await agon.moderate({ text });
  await agon.close();
  return trial;
}

/** As its own trial would have put it there: the first tier of a cascade keeps no entries. */
async function putOnRecord(
  ledger: Ledger,
  { opened, entries, answer, description }: Trial,
  name: string,
): Promise<void> {
  const id = sha256(`${opened.id} ${name}`).slice(7, 23);
  await ledger.cases.openCase({
    ...opened,
    id: `mod-${id}`,
    subject: { ...opened.subject, hash: sha256(`${opened.subject.hash} ${opened.configuration} ${name}`) },
  });
  if (answer.usage.byModel['embedded:guard-2'] === undefined)
    await Promise.all(entries.map((entry) => ledger.journal.insert(`mod-${id}`, entry)));
  await ledger.cases.closeCase({ ...answer, id: `mod-${id}`, seal: sha256(`${answer.seal} ${name}`) }, description);
}

/**
 * English words in no order: databases compress repetitions, and people do not repeat themselves as our made-up posts
 * do.
 */
function shuffled(words: number): string {
  const random = randomNumbers(words);
  const known = [...new Set(`${mediumPost.content.text} ${longText(1)} ${longText(2)}`.split(/[^a-z]+/i))];
  return Array.from({ length: words }, () => known[Math.floor(random() * known.length)]).join(' ');
}

function sizeOfFile(file: string): Sizes {
  const database = new DatabaseSync(file);
  try {
    database.exec('pragma wal_checkpoint(truncate)');
    const { page_count: pages } = database.prepare('pragma page_count').get() as { page_count: number };
    const { page_size: size } = database.prepare('pragma page_size').get() as { page_size: number };
    return { file: pages * size };
  } finally {
    database.close();
  }
}

async function sizesOf(url: string): Promise<Sizes> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; bytes: string }>(
      `select relname as name, sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') group by relname`,
    );
    return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  } finally {
    await client.end();
  }
}

interface QueueFigures {
  putPerSecond: number;
  takenAndDonePerSecond: number;
  bytesWaiting: number;
  bytesDone: number;
}

/**
 * Items through the queue: put in batches of 500, taken 16 at a time and ended one by one by
 * workers.
 */
async function measureQueue(ledger: Ledger, url: string): Promise<QueueFigures> {
  const all = (sizes: Sizes) => Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0);
  await ledger.runs.startRun({
    id: 'run-storage',
    name: null,
    job: 'moderation',
    configuration: 'none',
    settings: {},
    input: null,
  });
  const hands = await Promise.all(
    Array.from({ length: workers }, (_, index) => ledger.openQueue({ worker: `worker-${index}` })),
  );
  const start = await sizesOf(url);
  const putting = performance.now();
  for (let from = 0; from < queued; from += 500) {
    await ledger.runs.putItems(
      'run-storage',
      Array.from({ length: 500 }, (_, index) => {
        const text = shortText(1_000_000 + from + index);
        return { position: from + index + 1, key: `item-${from + index}`, hash: sha256(text), input: { text } };
      }),
    );
  }
  const put = performance.now() - putting;
  const waiting = await sizesOf(url);
  const working = performance.now();
  const usage = { calls: 6, inputTokens: 6_000, outputTokens: 700, cachedTokens: 0, costUsd: 0.01, latencyMs: 4_000 };
  await Promise.all(
    hands.map(async (queue) => {
      for (
        let items = await queue.takeItems('run-storage', 16);
        items.length > 0;
        items = await queue.takeItems('run-storage', 16)
      ) {
        await Promise.all(
          items.map((item) =>
            queue.finishItem(item, {
              case: `mod-${item.key}`,
              label: 'safe',
              risk: 0.1,
              escalate: false,
              by: 'debate',
              usage,
            }),
          ),
        );
      }
    }),
  );
  const worked = performance.now() - working;
  const { run_items: done = 0 } = await sizesOf(url);
  await Promise.all(hands.map((queue) => queue.close()));
  return {
    putPerSecond: queued / (put / 1_000),
    takenAndDonePerSecond: queued / (worked / 1_000),
    bytesWaiting: (all(waiting) - all(start)) / queued,
    bytesDone: (done - (start['run_items'] ?? 0)) / queued,
  };
}

function print(
  storage: Record<string, Awaited<ReturnType<typeof measureCases>>>,
  entries: number,
  queue: QueueFigures,
): void {
  const rows = Object.entries(storage).flatMap(([kind, measured]) =>
    Object.entries(measured).flatMap(([what, tables]) =>
      Object.entries(tables).map(([name, { fixed, perByte }]) => [
        `${kind}, ${what}: ${name}`,
        whole(fixed),
        decimals(perByte, 2),
      ]),
    ),
  );
  console.log(`${table(['', 'bytes a case', 'bytes a byte of text'], rows)}\n`);
  console.log(
    table(
      ['on PostgreSQL', ''],
      [
        ['entries of a debate', entries],
        ['items put a second', whole(queue.putPerSecond)],
        [`items taken and ended a second, ${workers} workers`, whole(queue.takenAndDonePerSecond)],
        ['bytes of an item that waits, its job included', whole(queue.bytesWaiting)],
        ['bytes of run_items for one that was judged', whole(queue.bytesDone)],
      ],
    ),
  );
  console.log(`\nLoad of the machine: ${decimals(before, 1)} before, ${decimals(loadavg()[0]!, 1)} after.`);
}
