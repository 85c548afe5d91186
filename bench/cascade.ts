import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { clearScore, labelledIn, openGuardTrial, type LabelledSubject } from '../src/runs/cascade/index.ts';
import type { ScoredItem } from '../src/runs/index.ts';
import { heldOut, type HeldOut } from './cascade-folds.ts';
import { table } from './table.ts';

/*
 * What the cascade promises, on held-out folds of real data: npm run bench:cascade [-- --job evaluation] [--scores FILE] [--risk 0.05]
 * The guard's scores are kept in --scores; a run that was stopped goes on from there. The guard is the one in
 * models/guard-1: to measure another, put its file there and seal it (training/README.md).
 */

const { values: flags } = parseArgs({
  options: { job: { type: 'string', default: 'moderation' }, scores: { type: 'string' }, risk: { type: 'string', default: '0.05' }, confidence: { type: 'string', default: '0.95' }, repeats: { type: 'string', default: '20' } },
});
const job = flags.job === 'evaluation' ? 'evaluation' : 'moderation';
const sets =
  job === 'moderation'
    ? { text: 'a_air_text', image: 'a_air_only_img', 'text+image': 'a_air_text_img' }
    : { HarmBench: 'b_harmbench_response', DiaSafety: 'b_diasafety_test', BeaverTails: 'b_beavertails_test' };
/** Calls of a debate that runs all its rounds: supporter, two rounds of two and the arbiter; three rounds of three and the arbiter. */
const callsOfADebate = job === 'moderation' ? 6 : 10;

const root = process.env['AGON_DATASETS'];
if (!root) {
  process.stderr.write(`AGON_DATASETS is not set: the risk of the cascade on ${Object.values(sets).join(', ')} was not measured.\n`);
  process.exit(1);
}

interface Kept extends ScoredItem {
  set: string;
  hash: string;
}

const goal = { risk: Number(flags.risk), confidence: Number(flags.confidence), repeats: Number(flags.repeats) };
const known = new Map((await keptIn(flags.scores)).map((kept) => [`${kept.set} ${kept.hash}`, kept]));
const measured: Record<string, ScoredItem[]> = {};
for (const [name, set] of Object.entries(sets)) measured[name] = await scoresOf(set);

const rows = Object.entries({ all: Object.values(measured).flat(), ...measured }).map(([name, items]) => rowOf(name, heldOut(items, goal)));
console.log(`Fitted on four folds for a risk of at most ${100 * goal.risk} % with ${100 * goal.confidence} % confidence, measured on the fifth; mean of ${goal.repeats} divisions (2.5th to 97.5th percentile).\n`);
console.log(table(['', 'items', 'fits with a band', 'risk, %', 'decided, %', 'debated, %', `calls saved of ${callsOfADebate} an item`], rows));
process.exit(0);

function rowOf(name: string, { items, bands, fits, risk, decided }: HeldOut): (string | number)[] {
  const percents = ({ mean, from, to }: NonNullable<HeldOut['risk']>) => `${(100 * mean).toFixed(1)} (${(100 * from).toFixed(1)}–${(100 * to).toFixed(1)})`;
  return [name, items, `${bands} of ${fits}`, risk ? percents(risk) : '–', percents(decided), (100 * (1 - decided.mean)).toFixed(1), (callsOfADebate * decided.mean).toFixed(2)];
}

async function scoresOf(set: string): Promise<ScoredItem[]> {
  const items: LabelledSubject[] = [];
  for await (const item of labelledIn(path.join(root!, 'dev', `${set}.jsonl`), job)) items.push(item);
  const trial = items.every(({ hash }) => known.has(`${set} ${hash}`)) ? null : await openGuardTrial(job, {});
  const scored = Array<ScoredItem>(items.length);
  const places = items.entries();
  const lane = async () => {
    for (const [place, { hash, subject, label }] of places) {
      scored[place] = known.get(`${set} ${hash}`) ?? (await keep({ set, hash, label, score: clearScore(await trial!.judge(subject)) }));
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  await trial?.close();
  return scored;
}

async function keep(kept: Kept): Promise<Kept> {
  if (flags.scores !== undefined) await appendFile(flags.scores, `${JSON.stringify(kept)}\n`);
  return kept;
}

async function keptIn(file: string | undefined): Promise<Kept[]> {
  if (file === undefined) return [];
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').filter(Boolean).map((line) => JSON.parse(line) as Kept);
}
