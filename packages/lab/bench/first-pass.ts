import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { messageOf, startChild } from './children.ts';
import { shortText } from './embedded-texts.ts';
import { readEverydayTexts } from './everyday-rows.ts';
import type { Judged } from './first-pass-process.ts';
import { isShort, scale } from './scale.ts';
import { median } from './statistics.ts';
import { decimals, table, whole } from './table.ts';

/*
 * `npm run bench:first-pass`: how many texts a second the guard judges alone, as it was while every text was read whole and
 * as it is now that a smaller model makes a first pass over short ones, and whether the verdicts are the same. Everyday
 * texts are those of packages/lab/bench/everyday, which neither model has seen; with AGON_DATASETS the development sets
 * are compared as well, which the first pass has not seen. `--json` prints the numbers alone. It ends with 1 where harm
 * of the contrast set is lost, or fewer than 99.7 % of all verdicts are the same.
 */

const longest = 320;
/** Reading every longer one twice would take hours. */
const longestCompared = 1_500;
const block = scale(150, 8);
/** Of the verdicts on all texts that are compared. */
const leastEqual = 0.997;
const wordCounts = isShort ? [4, 64] : [4, 8, 16, 32, 64, 128, 256];
const perLength = scale(120, 4);

const pairs = await readEverydayTexts();
const harmless = pairs.map(({ safe }) => safe.text);
const harmful = pairs.map(({ unsafe }) => unsafe.text);

const load = loadavg()[0]!;
const module = new URL('./first-pass-process.ts', import.meta.url);
const children = { before: startChild(module, 'before'), after: startChild(module, 'after') };
try {
  for (const child of Object.values(children)) await messageOf(child);
  await judgeBoth(Array.from({ length: scale(64, 4) }, (_, index) => shortText(2_000_000 + index)));
  const mixes = await inTurn({
    'everyday, harmless': short(harmless),
    'everyday, harmful': short(harmful).slice(0, 2 * block),
    'posts of bench:embedded': Array.from({ length: 2 * block }, (_, index) => shortText(index)),
  });
  const lengths = await inTurn(
    Object.fromEntries(wordCounts.map((count) => [`${count} words`, textsOf(count).slice(0, perLength)])),
  );
  const contrast = await readContrast();
  const guarded = await compareSets({
    'threats of the contrast set': contrast.threats,
    'harm of the contrast set': contrast.harm,
    'threats between harmless texts': hideAll(contrast.threats),
  });
  const sets = [
    ...mixes.map(({ name, same }) => ({ name, ...same })),
    ...guarded,
    ...(await compareSets(await readDevelopmentSets())),
  ];
  const result: Result = {
    cores: availableParallelism(),
    load: { before: load, after: loadavg()[0]! },
    mixes,
    lengths,
    sets,
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result, null, 2));
  else print(result);
  if (guarded.some(({ lost }) => lost.length > 0) || shareEqual(sets) < leastEqual) process.exitCode = 1;
} finally {
  for (const child of Object.values(children)) if (child.connected) child.disconnect();
}

function short(texts: readonly string[]): string[] {
  return texts.filter((text) => text.length <= longest).slice(0, scale(texts.length, block));
}

/** Texts of so many words, out of harmless everyday ones. */
function textsOf(words: number): string[] {
  const stream = harmless.join(' ').split(/\s+/);
  return Array.from({ length: Math.floor(stream.length / words) }, (_, index) =>
    stream.slice(index * words, (index + 1) * words).join(' '),
  );
}

/** Each in the midst of harmless everyday texts, longer than a first pass over the whole takes in. */
function hideAll(threats: readonly string[]): string[] {
  return threats.map((threat, index) => {
    const around = Array.from({ length: 6 }, (_, place) => harmless[(6 * index + place) % harmless.length]!);
    return [...around.slice(0, 3), threat, ...around.slice(3)].join(' ');
  });
}

async function judgeBoth(texts: readonly string[]): Promise<Record<'before' | 'after', Judged>> {
  const take = async (child: (typeof children)['before']) => {
    const judged = messageOf<Judged>(child);
    child.send(texts);
    return judged;
  };
  return { before: await take(children.before), after: await take(children.after) };
}

interface Result {
  cores: number;
  load: { before: number; after: number };
  mixes: Awaited<ReturnType<typeof inTurn>>;
  lengths: Awaited<ReturnType<typeof inTurn>>;
  sets: Awaited<ReturnType<typeof compareSets>>;
}

interface Same {
  texts: number;
  passed: number;
  equal: number;
  /** Unsafe before and safe now. */
  lost: string[];
}

function compare(texts: readonly string[], { before, after }: Record<'before' | 'after', Judged>): Same {
  const lost = texts.filter((_, at) => before.answers[at]!.label === 'unsafe' && after.answers[at]!.label !== 'unsafe');
  return {
    texts: texts.length,
    passed: after.answers.filter(({ passed }) => passed).length,
    equal: texts.filter((_, at) => before.answers[at]!.label === after.answers[at]!.label).length,
    lost,
  };
}

/** Block by block in turn, so that whatever else the machine does falls on both. */
async function inTurn(works: Record<string, readonly string[]>) {
  const rows = [];
  for (const [name, texts] of Object.entries(works)) {
    const rounds: { count: number; before: Judged; after: Judged }[] = [];
    const same: Same = { texts: 0, passed: 0, equal: 0, lost: [] };
    for (let at = 0; at < texts.length; at += block) {
      const part = texts.slice(at, at + block);
      const both = await judgeBoth(part);
      rounds.push({ count: part.length, ...both });
      const found = compare(part, both);
      for (const key of ['texts', 'passed', 'equal'] as const) same[key] += found[key];
      same.lost.push(...found.lost);
    }
    const rate = (key: 'before' | 'after') => median(rounds.map((round) => (round.count * 1_000) / round[key].wallMs));
    const cores = (key: 'before' | 'after') => median(rounds.map((round) => round[key].cpuMs / round.count));
    rows.push({
      name,
      before: rate('before'),
      after: rate('after'),
      ratio: median(rounds.map((round) => round.before.wallMs / round.after.wallMs)),
      coreMs: { before: cores('before'), after: cores('after') },
      same,
    });
  }
  return rows;
}

async function compareSets(sets: Record<string, readonly string[]>): Promise<({ name: string } & Same)[]> {
  const rows = [];
  for (const [name, texts] of Object.entries(sets)) {
    const chosen = texts.slice(0, scale(texts.length, block));
    rows.push({ name, ...compare(chosen, await judgeBoth(chosen)) });
  }
  return rows;
}

function shareEqual(sets: readonly Same[]): number {
  const sum = (key: 'equal' | 'texts') => sets.reduce((all, one) => all + one[key], 0);
  return sum('equal') / sum('texts');
}

/** The harmful rows that were written by hand, of texts. */
async function readContrast(): Promise<{ threats: string[]; harm: string[] }> {
  const folder = path.join(import.meta.dirname, '..', 'training', 'contrast');
  const files = (await readdir(folder)).filter((name) => /^hand_(?!image|pair)/.test(name)).toSorted();
  const found = { threats: [] as string[], harm: [] as string[] };
  for (const file of files) {
    let kind = '';
    for (const line of (await readFile(path.join(folder, file), 'utf8')).split('\n')) {
      if (line.startsWith('@ ')) kind = line.slice(2).trim();
      const text = /^1 (.+)/.exec(line)?.[1]?.replaceAll('\\n', '\n');
      if (text === undefined || text.length > longest || kind === 'image' || kind === 'pair') continue;
      found.harm.push(text);
      if (kind === 'threat') found.threats.push(text);
    }
  }
  return found;
}

async function readDevelopmentSets(): Promise<Record<string, string[]>> {
  const folder = process.env['AGON_DATASETS'];
  if (folder === undefined || isShort) return {};
  const names = ['a_air_text', 'a_openai_mod', 'a_xstest_prompts', 'a_hatecheck', 'a_toxicchat_test'];
  const read = async (name: string) => {
    const lines = (await readFile(path.join(folder, 'dev', `${name}.jsonl`), 'utf8')).trimEnd().split('\n');
    const texts = lines.map((line) => (JSON.parse(line) as { text: string }).text);
    const longer = texts.filter(({ length }) => length > longest && length <= longestCompared);
    return [[name, short(texts)] as const, [`${name}, longer`, longer] as const];
  };
  const sets = (await Promise.all(names.map(read))).flat();
  return Object.fromEntries(sets.filter(([, texts]) => texts.length > 0));
}

function print({ cores, load: loads, mixes, lengths, sets }: Result): void {
  const speed = ({ name, before, after, ratio, coreMs, same }: (typeof mixes)[number]) => [
    name,
    decimals(before, 1),
    decimals(after, 1),
    decimals(ratio, 2),
    `${decimals(coreMs.before, 1)} → ${decimals(coreMs.after, 1)}`,
    share(same.passed, same.texts),
  ];
  console.log(`${cores} cores, load ${decimals(loads.before, 1)} before and ${decimals(loads.after, 1)} after\n`);
  const heads = [
    'items a second, the guard alone',
    'every text read',
    'with a first pass',
    'ratio',
    'core-ms an item',
    'passed in the first pass',
  ];
  console.log(table(heads, mixes.map(speed)));
  console.log(`\n${table(['by length', ...heads.slice(1)], lengths.map(speed))}`);
  const rows = sets.map(({ name, texts, passed, equal, lost }) => [
    name,
    whole(texts),
    share(passed, texts),
    `${whole(equal)} (${decimals((100 * equal) / texts, 2)} %)`,
    whole(lost.length),
  ]);
  console.log(`\n${table(['the same verdicts', 'texts', 'in the first pass', 'equal', 'no longer unsafe'], rows)}`);
}

function share(part: number, all: number): string {
  return `${decimals((100 * part) / all, 1)} %`;
}
