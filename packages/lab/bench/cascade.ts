import { appendFile, readFile } from 'node:fs/promises';
import { ownJobs } from '@agonhq/core/own-jobs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readClearScore, readLabelledItems, openGuardTrial, type LabelledSubject } from '@agonhq/core/runs/cascade';
import { percent, type ScoredItem } from '@agonhq/core/runs';
import { heldOut, type HeldOut } from './cascade-folds.ts';
import { table } from './table.ts';

/*
 * What the cascade promises, on held-out folds of real data: npm run bench:cascade [-- --job evaluation] [--scores
 * FILE] [--limit N] [--risk 0.05,0.1] The guard's scores are kept in --scores, a file for each guard; a run that was
 * stopped goes on from there. The guard is the one in models/guard-2: to measure another, put its file there and seal
 * it (packages/lab/training/README.md). --limit takes so many items of each set, by lot.
 */

const { values: flags } = parseArgs({
  options: {
    job: { type: 'string', default: 'moderation' },
    scores: { type: 'string' },
    limit: { type: 'string', default: 'Infinity' },
    risk: { type: 'string', default: '0.05,0.1' },
    confidence: { type: 'string', default: '0.95' },
    divisions: { type: 'string', default: '20' },
  },
});
const job = flags.job === 'evaluation' ? 'evaluation' : 'moderation';
const sets =
  job === 'moderation'
    ? { text: 'a_air_text', image: 'a_air_only_img', 'text+image': 'a_air_text_img' }
    : { BeaverTails: 'b_beavertails_test', DiaSafety: 'b_diasafety_test', HarmBench: 'b_harmbench_response' };
/**
 * Calls of a debate that runs all its rounds: supporter, two rounds of two and the arbiter; three rounds of three and
 * the arbiter.
 */
const callsOfADebate = job === 'moderation' ? 6 : 10;

const root = process.env['AGON_DATASETS'];
if (!root) {
  process.stderr.write(
    `AGON_DATASETS is not set: the risk of the cascade on ${Object.values(sets).join(', ')} was not measured.\n`,
  );
  process.exit(1);
}

interface Kept extends ScoredItem {
  set: string;
  hash: string;
}

const known = new Map((await keptIn(flags.scores)).map((kept) => [`${kept.set} ${kept.hash}`, kept]));
const measured: Record<string, ScoredItem[]> = {};
for (const [name, set] of Object.entries(sets)) measured[name] = await scoresOf(set);
const groups = Object.entries({ all: Object.values(measured).flat(), ...measured });

const [confidence, divisions] = [Number(flags.confidence), Number(flags.divisions)];
console.log(
  `Fitted on four folds, measured on the fifth, ${divisions} divisions. A debate has up to ${callsOfADebate} ` +
    'calls; what the guard decides has none.',
);
for (const risk of flags.risk.split(',').map(Number)) {
  console.log(`\nAt most ${percent(risk)} of the decided wrong, with ${percent(confidence)} confidence:\n`);
  const header = [
    '',
    'items',
    'fits with a band',
    'held-out risk, % (95 % interval)',
    `fits above ${percent(risk)}`,
    'clearly',
    'debated, %',
    'calls saved an item',
    'saved, %',
  ];
  console.log(
    table(
      header,
      groups.map(([name, items]) => rowOf(name, heldOut(items, { risk, confidence, divisions }))),
    ),
  );
}
process.exit(0);

function rowOf(name: string, { items, bands, fits, risk, above, clearlyAbove, decided }: HeldOut): (string | number)[] {
  const [share, from, to, saved, debated] = [risk.share, risk.from, risk.to, decided, 1 - decided].map((part) =>
    (100 * part).toFixed(1),
  );
  return [
    name,
    items,
    `${bands} of ${fits}`,
    bands === 0 ? 'nothing decided' : `${share} (${from}–${to})`,
    above,
    clearlyAbove,
    debated!,
    (callsOfADebate * decided).toFixed(2),
    saved!,
  ];
}

async function scoresOf(set: string): Promise<ScoredItem[]> {
  const byContent = new Map<string, LabelledSubject>();
  for await (const item of readLabelledItems(path.join(root!, 'dev', `${set}.jsonl`), ownJobs.require(job)))
    if (!byContent.has(item.hash)) byContent.set(item.hash, item);
  // The order of hashes is as good as a lot.
  const items = [...byContent.values()].toSorted((a, b) => (a.hash < b.hash ? -1 : 1)).slice(0, Number(flags.limit));
  const trial = items.every(({ hash }) => known.has(`${set} ${hash}`)) ? null : await openGuardTrial(job, {});
  const scored = Array<ScoredItem>(items.length);
  const places = items.entries();
  const lane = async () => {
    for (const [place, { hash, subject, label }] of places) {
      scored[place] =
        known.get(`${set} ${hash}`) ??
        (await keep({ set, hash, label, score: readClearScore(await trial!.judge(subject)) }));
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
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Kept);
}
