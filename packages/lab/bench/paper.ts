import { readFile, writeFile } from 'node:fs/promises';
import { ownJobs } from '@agonhq/core/own-jobs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  loadCrossfits,
  renderBenchMarkdown,
  readBench,
  renderBenchPage,
  measureBench,
  readBenchFile,
  type ReportedSet,
  type BenchPlan,
  type WatchRun,
} from '@agonhq/bench';
import { AgonError } from '@agonhq/engine/agon-error';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { everydayParts } from './everyday-rows.ts';
import { everydayTable, measureEveryday, readMeasuredEveryday } from './everyday-suite.ts';

/**
 * `npm run bench:paper` with AGON_DATASETS set: measures packages/lab/bench/paper.yaml and writes docs/results.md. Without a key,
 * without a network, and the same bytes from the same data.
 *
 * --only WORDS     sets whose title has these words; then nothing is written unless --out says where
 * --limit N        the first items of each set
 * --out FILE.md    instead of docs/results.md
 * --page FILE.html also the page with charts and every item
 * --ledger FILE    keep the judgements there; a run that was stopped goes on
 * --everyday FILE  what `npm run bench:everyday -- --json` wrote, instead of measuring the everyday suite again
 * --again          make the reports of the last one in --ledger again, without judging anything
 */
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    limit: { type: 'string' },
    out: { type: 'string' },
    page: { type: 'string' },
    ledger: { type: 'string' },
    everyday: { type: 'string' },
    again: { type: 'boolean' },
  },
});
const root = path.join(import.meta.dirname, '..', '..', '..');
const started = performance.now();

const watch: WatchRun = async ({ file, system }, work) => {
  const begun = performance.now();
  const run = await work({
    onError: (error, line) => console.error(`${file}, ${system}, line ${line}: ${error.message}`),
  });
  console.error(`${seconds(started)} s · ${file} · ${system} · ${run.outcomes.length} items in ${seconds(begun)} s`);
  return run;
};

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

function chosen(plan: BenchPlan): BenchPlan {
  const sets = plan.sets.filter(
    ({ title = '' }) => flags.only === undefined || title.toLowerCase().includes(flags.only.toLowerCase()),
  );
  return {
    ...plan,
    sets: sets.map((set) => (flags.limit === undefined ? set : { ...set, limit: Number(flags.limit) })),
  };
}

const introduction = `Made by \`npm run bench:paper\` from the everyday suite that ships with the project and from the data that \`AGON_DATASETS\` points at (its README names sources and licences; none of it ships). Every system here runs without a key or a network, with one configuration and one threshold for all sets of a job. The same data and seed give the same bytes. [bench.md](bench.md) explains each figure and system.

**Every figure is about items that the measured model had not seen.** Where the shipped models were trained on the items of a set, they are not measured on it: the tables called cross-fitted show what the same recipe does on items that were held out, and other systems are measured as everywhere. †: a model was trained on other items of the same set. The embedded reasoner's few weights for documents were chosen on the development halves, so documents are measured here on test halves alone; [bench.md](bench.md#documents) tells what it does on the development halves.
`;

try {
  const { plan, notes } = await readBenchFile(path.join(root, 'packages', 'lab', 'bench', 'paper.yaml'), {
    jobs: ownJobs,
    settings: { ledger: false },
    environment: process.env,
  });
  const ledger = flags.ledger === undefined ? null : await openLedger({ file: path.resolve(flags.ledger) });
  const sets =
    flags.again && ledger
      ? await measuredBefore(ledger)
      : await measureBench(chosen(plan), {
          ledger,
          watch,
          unseenOnly: true,
          onNote: (note) => console.error(note),
        });
  await ledger?.close();
  const out =
    flags.out ?? (flags.only === undefined && flags.limit === undefined ? path.join(root, 'docs', 'results.md') : null);
  const crossfits = await loadCrossfits();
  if (out !== null) {
    const everyday = flags.only === undefined ? await everydaySection() : '';
    const rendered = renderBenchMarkdown(sets, { title: plan.title, times: false, details: false, crossfits });
    await writeFile(out, withIntroduction(rendered, everyday, notes));
  }
  if (flags.page !== undefined)
    await writeFile(flags.page, await renderBenchPage(sets, { title: plan.title, times: true, crossfits }));
  console.error(`${seconds(started)} s in all${out === null ? '' : `: ${path.relative(process.cwd(), out)}`}`);
} catch (error) {
  if (!AgonError.is(error)) throw error;
  console.error(`${error.message} ${error.hint}`);
  process.exitCode = 1;
}

async function measuredBefore(ledger: Ledger): Promise<ReportedSet[]> {
  const [latest] = await ledger.benches.listBenches({ limit: 1 });
  return latest ? (await readBench(ledger, latest.id)).sets : [];
}

/** The everyday suite by kind, which the tables of a bench do not show. */
async function everydaySection(): Promise<string> {
  const measured =
    flags.everyday === undefined
      ? await measureEveryday(everydayParts, () => {})
      : readMeasuredEveryday(await readFile(flags.everyday, 'utf8'));
  const parts = measured.map(
    (part) =>
      `### Everyday ${part.part}: ${part.all.pairs} pairs of ${part.byKind.length} kinds\n\n${everydayTable(part)}\n`,
  );
  const lead =
    'What the embedded debate says of the [everyday suite](../packages/lab/bench/everyday/README.md): harmless content of our ' +
    'own writing, and for each item a harmful neighbour that differs in little. False alarms, undecided and escalated are ' +
    'shares of the harmless rows, caught of the harmful ones; both right are pairs. No model was trained on it.';
  return ['## Everyday content', lead, ...parts].join('\n\n');
}

function withIntroduction(rendered: string, everyday: string, notes: readonly string[]): string {
  const [heading, ...rest] = rendered.split('\n');
  return [heading, '', introduction, ...notes.map((note) => `${note}\n`), everyday, ...rest.slice(1)].join('\n');
}
