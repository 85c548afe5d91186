import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync } from 'node:zlib';
import type { FakeReply, FakeRequest, FakeScript } from '../fake-provider/index.ts';

/* What the release 6a0e44e judged, with every word that was exchanged with the models. See the README beside it. */

export const releaseFolder = path.join(import.meta.dirname, '..', 'fixtures', 'release-6a0e44e');

/** What a model was asked, whatever else its SDK sends along. */
export interface Asked {
  path: string;
  model: string;
  stream: boolean;
  prompt: string;
  images: number;
  schema: unknown;
}

export interface Exchanged {
  asked: Asked;
  reply: FakeReply;
}

/** A command of that release, and the surroundings it ran in. */
export interface Command {
  name: string;
  args: readonly string[];
  stdin?: string;
  /** What stood in agon.config.json. */
  settings: object;
}

interface Checked {
  id: string;
  holds: boolean;
  checks: readonly { name: string; outcome: string }[];
}

interface Verdict {
  label: string;
  rule: { id: string };
}

/** What is looked at in the answer of any job. */
export interface Answered {
  id: string;
  seal: string;
  usage: object;
  verdict?: Verdict;
  retrieval?: object;
  transcript: readonly { key: string }[];
  provenance: { edition?: number; eyes?: string };
  claims?: readonly Answered[];
}

/** A case that was judged to its end. */
export interface JudgedCase extends Command {
  exchanged: readonly Exchanged[];
  answer: Answered;
  /** What `agon verify --json` said, alone and with the files that were judged. */
  verified: Checked;
  source?: { flags: readonly string[]; verified: Checked };
  /** What was asked when the same was judged again on the same ledger: nothing, unless a seat could not be reached. */
  askedAgain: readonly Asked[];
}

/** Work that was cut, or that goes on from what is on record, and how the release itself went on with it. */
export interface Continuation extends Omit<Command, 'args'> {
  /** The ledger that was left, by the name of its fixture. */
  ledger: string;
  /** What lay beside it: results that were begun. */
  left: Readonly<Record<string, string>>;
  /** The commands, one after the other. */
  commands: readonly (readonly string[])[];
  /** What was asked for. */
  missing: readonly Exchanged[];
  /** What came of it, line by line: what the last command printed, or this file. */
  file?: string;
  outcome: readonly unknown[];
}

/** A command or a request that only reads, and the JSON that it gave, line by line. */
export interface Reading {
  args?: readonly string[];
  get?: string;
  lines: readonly unknown[];
}

export const readCases = () => readJson('cases') as JudgedCase[];
export const readContinuations = () =>
  ['continued', 'continued-whole'].flatMap((name) => readJson(name) as Continuation[]);
export const readReadings = () => readJson('readings') as Reading[];

function readJson(name: string): unknown {
  return JSON.parse(unpacked(`${name}.json`).toString());
}

export function readLedger(name: string): Buffer {
  return unpacked(`${name}.sqlite`);
}

/** Runs know where their files lie: a ledger that is kept says so in a word, and one that goes on by a folder. */
export function moveRuns(ledger: string, from: string, to: string): void {
  using database = new DatabaseSync(ledger);
  for (const [table, column] of [
    ['runs', 'settings'],
    ['runs', 'input'],
    ['run_items', 'input'],
  ])
    database.prepare(`update ${table} set ${column} = replace(${column}, ?, ?)`).run(from, to);
}
export const somewhere = '{folder}';

function unpacked(name: string): Buffer {
  return brotliDecompressSync(readFileSync(path.join(releaseFolder, `${name}.br`)));
}

/** The JSON of each line. */
export function linesOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown);
}

/** Models are at an address of no machine, which is part of the configuration; the fake provider is their proxy. */
export const modelsAt = 'http://models.invalid';
export const secret = 'of the fixtures, thirty-two characters or more';

export function proxied(provider: { url: string }): Record<string, string> {
  return { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: provider.url, AGON_SECRET: secret };
}

export function askedOf({ path: at, model, stream, prompt, images, schema }: FakeRequest): Asked {
  return { path: at, model, stream, prompt, images, schema: schema ?? null };
}

/** Requests in an order of their own: seats that speak together ask in any. */
export function inOrder(asked: readonly Asked[]): Asked[] {
  return [...asked].sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}

const textOf = (asked: Asked) => JSON.stringify(asked);

/** A provider that says what was said then to what is most alike: for what is read otherwise by now. */
export function replayNearest(exchanged: readonly Exchanged[]): FakeScript {
  return (request) => {
    const asked = askedOf(request);
    const alike = exchanged.filter((one) => textOf({ ...one.asked, prompt: '' }) === textOf({ ...asked, prompt: '' }));
    const nearest = alike.toSorted(
      (one, other) => countShared(other.asked.prompt, asked.prompt) - countShared(one.asked.prompt, asked.prompt),
    )[0];
    return nearest?.reply ?? { kind: 'status', status: 400, headers: {}, body: '{"error":{"message":"unheard of"}}' };
  };
}

/** How many characters two prompts end and begin with alike: their tasks are at the end, their cases before. */
function countShared(one: string, other: string): number {
  let [start, end] = [0, 0];
  while (start < one.length && one[start] === other[start]) start += 1;
  while (end < one.length && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return start + 2 * end;
}

/** A provider that says what was said then; what it was not asked then it notes, and declines to answer. */
export function replay(exchanged: readonly Exchanged[]): { script: FakeScript; unknown: Asked[] } {
  const replies = Map.groupBy(exchanged, ({ asked }) => textOf(asked));
  const times = new Map<string, number>();
  const unknown: Asked[] = [];
  const script: FakeScript = (request) => {
    const asked = askedOf(request);
    const words = textOf(asked);
    const known = replies.get(words);
    if (!known) {
      unknown.push(asked);
      return { kind: 'status', status: 400, headers: {}, body: '{"error":{"message":"6a0e44e asked no such thing"}}' };
    }
    const time = times.get(words) ?? 0;
    times.set(words, time + 1);
    return known[Math.min(time, known.length - 1)]!.reply;
  };
  return { script, unknown };
}

/** Where a request first differs from the one of then that is most alike. */
export function difference(asked: Asked, exchanged: readonly Exchanged[]): string {
  const words = textOf(asked);
  const shared = (other: string) => {
    let length = 0;
    while (length < other.length && other[length] === words[length]) length += 1;
    return length;
  };
  const nearest = exchanged.map((one) => textOf(one.asked)).sort((one, other) => shared(other) - shared(one))[0];
  if (nearest === undefined) return `Nothing was asked then; now: ${words.slice(0, 400)}`;
  const at = shared(nearest);
  const around = (text: string) => text.slice(Math.max(0, at - 80), at + 160);
  return `Asked then: …${around(nearest)}…\nAsked now:  …${around(words)}…`;
}

/** What the clock has put into a value, the seals over that, and words for people that are no part of a verdict. */
const unweighed = new Set([
  'latencyMs',
  'seal',
  'itemsPerSecond',
  'closedAt',
  'openedAt',
  'startedAt',
  'endedAt',
  'decidedAt',
  'hint',
  'message',
]);

/**
 * A value without what answers say only since then: a verdict's risk, bar and action, the sensitivity, images' hashes,
 * the rule of the seal.
 */
export function withoutNews(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNews);
  if (value === null || typeof value !== 'object') return value;
  // A score that contradicts the rule is told as a risk since then.
  if ('kind' in value && value.kind === 'score-contradicts-rule') return { ...value, detail: null };
  const news = [
    ...('rule' in value && 'score' in value ? ['risk', 'bar', 'action', 'severity'] : []),
    ...('configuration' in value ? ['sensitivity'] : []),
    ...('mediaType' in value ? ['fingerprint'] : []),
    ...('seal' in value ? ['sealVersion'] : []),
  ];
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (news.includes(key) ? [] : [[key, withoutNews(member)]])),
  );
}

/** A value without these. */
export function timeless(value: unknown, name = ''): unknown {
  // What is done at once is added up in any order.
  if (name === 'costUsd' && typeof value === 'number') return Number(value.toPrecision(9));
  if (Array.isArray(value)) return value.map((member) => timeless(member));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => (unweighed.has(key) ? [] : [[key, timeless(member, key)]])),
  );
}
