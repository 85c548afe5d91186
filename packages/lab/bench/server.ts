import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createAgon } from '@agonhq/core/app';
import { openLedger } from '@agonhq/ledger';
import { startChild, messageOf } from './children.ts';
import { shortText } from './embedded-texts.ts';
import { fillLedger } from './many-cases.ts';
import { median, percentile } from './statistics.ts';
import { decimals, table, whole } from './table.ts';
import { scale } from './scale.ts';

/*
 * What the server adds and what it bears: `npm run bench:server [-- --only rate,streams,list,overload] [--cases
 * 100000] [--json]`. The server is a process of its own on the embedded reasoner and a SQLite ledger; the load comes
 * from this one.
 */

const option = (name: string) =>
  process.argv.includes(`--${name}`) ? process.argv[process.argv.indexOf(`--${name}`) + 1] : undefined;
const parts = option('only')?.split(',') ?? ['rate', 'streams', 'list', 'overload'];
const cases = Number(option('cases') ?? scale(100_000, 100));
const folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-server-'));
const before = loadavg()[0]!;
let started = 0;

interface Served {
  url: string;
  child: ChildProcess;
  memory(): Promise<number>;
}

async function withServer<Result>(
  server: object,
  file: string,
  use: (served: Served) => Promise<Result>,
): Promise<Result> {
  const home = path.join(folder, `home-${(started += 1)}`);
  const child = startChild(
    new URL('./server-process.ts', import.meta.url),
    file,
    home,
    JSON.stringify({ port: 0, ...server }),
  );
  try {
    const { url } = await messageOf<{ url: string }>(child);
    return await use({
      url,
      child,
      async memory() {
        const answer = messageOf<{ rss: number }>(child);
        child.send('memory');
        return (await answer).rss;
      },
    });
  } finally {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  }
}

const fileNamed = (name: string) => path.join(folder, `${name}.sqlite`);
let texts = 0;

/** Judges for a while with so many at once; says how many a second. */
async function rateOf(judge: (text: string) => Promise<unknown>, atOnce: number, ms: number): Promise<number> {
  const until = performance.now() + ms;
  const began = performance.now();
  let judged = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < until) {
        await judge(shortText((texts += 1)));
        judged += 1;
      }
    }),
  );
  return (judged * 1000) / (performance.now() - began);
}

async function post(url: string, where: string, body: object): Promise<{ status: number; retryAfter: string | null }> {
  const response = await fetch(`${url}${where}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

async function judgedOver(url: string, text: string): Promise<void> {
  const { status } = await post(url, '/api/jobs/moderation/cases', { text });
  if (status !== 200) throw new Error(`The server answered ${status}.`);
}

/** The library's own rate and the server's, in turn, in one run. */
async function measureRate() {
  const ledger = await openLedger({ file: fileNamed('library') });
  const agon = await createAgon(
    {},
    { ledger, only: ['moderation'], environment: { AGON_HOME: path.join(folder, 'library') } },
  );
  try {
    return await withServer({}, fileNamed('rate'), async ({ url }) => {
      const ways: Record<string, (text: string) => Promise<unknown>> = {
        'library, debate': (text) => agon.moderate(text),
        'POST /api/jobs/moderation/cases': (text) => judgedOver(url, text),
        'POST /v1/moderations, agon-debate': (text) =>
          post(url, '/v1/moderations', { input: text, model: 'agon-debate' }),
        'POST /v1/moderations, agon-guard': (text) => post(url, '/v1/moderations', { input: text }),
      };
      for (const judge of Object.values(ways)) await rateOf(judge, 16, scale(2_000, 100));
      const rounds: Record<string, number>[] = [];
      for (let round = 0; round < scale(5, 1); round += 1) {
        const rates: Record<string, number> = {};
        for (const [name, judge] of Object.entries(ways)) rates[name] = await rateOf(judge, 16, scale(3_000, 200));
        rounds.push(rates);
      }
      return Object.keys(ways).map((name) => ({
        name,
        perSecond: median(rounds.map((rates) => rates[name]!)),
        ofLibrary: median(rounds.map((rates) => rates[name]! / rates['library, debate']!)),
      }));
    });
  } finally {
    await agon.close();
    await ledger.close();
  }
}

function openStream(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) =>
    get(url, { agent: false, headers: { accept: 'text/event-stream' } }, (response) => resolve(response.resume())).on(
      'error',
      reject,
    ),
  );
}

/** 500 streams that only listen, and 50 on which debates are told, one after the other. */
async function measureStreams() {
  return withServer({ concurrency: 50 }, fileNamed('streams'), async ({ url, memory }) => {
    const atRest = await memory();
    await judgedOver(url, shortText((texts += 1)));
    const loaded = await memory();
    const idle = await Promise.all(Array.from({ length: scale(500, 20) }, () => openStream(`${url}/api/events`)));
    const withIdle = await memory();
    const until = performance.now() + scale(20_000, 300);
    let told = 0;
    const peak = { rss: 0 };
    const watching = (async () => {
      for (; performance.now() < until; await pause(200)) peak.rss = Math.max(peak.rss, await memory());
    })();
    await Promise.all(
      Array.from({ length: scale(50, 6) }, async () => {
        while (performance.now() < until) {
          const response = await fetch(`${url}/api/jobs/moderation/cases`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
            body: JSON.stringify({ text: shortText((texts += 1)) }),
          });
          const events = await response.text();
          if (!events.includes('event: answer'))
            throw new Error(`A stream ended without an answer: ${events.slice(-300)}`);
          told += 1;
        }
      }),
    );
    await watching;
    for (const stream of idle) stream.destroy();
    return { atRest, loaded, withIdle, peak: peak.rss, debates: told };
  });
}

const lists: Record<string, string> = {
  newest: '',
  'one label': 'label=undecided',
  'one category': 'category=weapons',
  escalated: 'escalated=true',
  'not decided': 'decided=false',
  'one model': 'model=fake:model-7',
  disagreement: 'minDisagreement=0.9',
  words: 'search=number%204711',
  'rare words': 'search=zymurgy',
  several: 'label=unsafe&category=weapons&modality=text&degraded=false&search=words',
};

async function measureList() {
  const file = fileNamed('list');
  const ledger = await openLedger({ file });
  await fillLedger(ledger, cases);
  await ledger.close();
  return withServer({}, file, async ({ url }) => {
    const rows: { name: string; p50: number; p99: number }[] = [];
    for (const [name, query] of Object.entries(lists)) {
      const times: number[] = [];
      for (let after: string | null = null; times.length < scale(200, 5);) {
        const began = performance.now();
        const response = await fetch(`${url}/api/cases?limit=50&${query}${after === null ? '' : `&after=${after}`}`);
        const page = (await response.json()) as { next: string | null };
        times.push(performance.now() - began);
        if (response.status !== 200) throw new Error(`The list of ${name} answered ${response.status}.`);
        after = page.next;
      }
      rows.push({ name, p50: percentile(times, 0.5), p99: percentile(times, 0.99) });
    }
    return rows;
  });
}

/** Twenty times what there is room for, and what comes afterwards. */
async function measureOverload() {
  return withServer({ concurrency: 4, queue: 8 }, fileNamed('overload'), async ({ url, memory }) => {
    await judgedOver(url, shortText((texts += 1)));
    const rss = await memory();
    const answers = await Promise.all(
      Array.from({ length: scale(240, 30) }, () =>
        post(url, '/api/jobs/moderation/cases', { text: shortText((texts += 1)) }),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    const began = performance.now();
    await judgedOver(url, shortText((texts += 1)));
    return {
      asked: answers.length,
      judged: answers.filter(({ status }) => status === 200).length,
      refused: refused.length,
      others: answers.filter(({ status }) => status !== 200 && status !== 429).length,
      withRetryAfter: refused.filter(({ retryAfter }) => Number(retryAfter) >= 1).length,
      afterwardsMs: performance.now() - began,
      grownBy: (await memory()) - rss,
    };
  });
}

const megabytes = (bytes: number) => whole(bytes / 1e6);
try {
  const rate = parts.includes('rate') ? await measureRate() : null;
  const streams = parts.includes('streams') ? await measureStreams() : null;
  const list = parts.includes('list') ? await measureList() : null;
  const overload = parts.includes('overload') ? await measureOverload() : null;
  const load = { before, after: loadavg()[0]! };
  if (process.argv.includes('--json'))
    console.log(JSON.stringify({ version: 1, rate, streams, cases, list, overload, load }, null, 2));
  else {
    if (rate)
      console.log(
        `Embedded moderation, 16 at once, each text another (goal: 0.8 of the library):\n\n${table(
          ['', 'a second', 'of the library'],
          rate.map(({ name, perSecond, ofLibrary }) => [name, decimals(perSecond, 1), decimals(ofLibrary, 2)]),
        )}\n`,
      );
    if (streams)
      console.log(
        `Memory of the server, MB (goal: under 700):\n\n${table(['at rest', 'models loaded', '500 idle streams', 'and 50 active, peak', 'debates told in 20 s'], [[megabytes(streams.atRest), megabytes(streams.loaded), megabytes(streams.withIdle), megabytes(streams.peak), whole(streams.debates)]])}\n`,
      );
    if (list)
      console.log(
        `GET /api/cases, a page of 50 among ${whole(cases)} cases on SQLite, ms (goal: p99 of 50):\n\n${table(
          ['', 'p50', 'p99'],
          list.map(({ name, p50, p99 }) => [name, decimals(p50, 1), decimals(p99, 1)]),
        )}\n`,
      );
    if (overload)
      console.log(
        `${overload.asked} at once where 12 have room:\n\n${table(['judged', '429', 'of those with Retry-After', 'anything else', 'the next afterwards, ms', 'memory grown by, MB'], [[overload.judged, overload.refused, overload.withRetryAfter, overload.others, whole(overload.afterwardsMs), megabytes(overload.grownBy)]])}\n`,
      );
    console.log(`Load of the machine: ${decimals(load.before, 1)} before, ${decimals(load.after, 1)} after.`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
