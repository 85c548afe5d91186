import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  renderBenchMarkdown,
  readBench,
  renderBenchPage,
  measureBench,
  readBenchFile,
  type ReportedSet,
  type BenchPlan,
  type WatchRun,
} from '../src/bench/index.ts';
import { AgonError } from '../src/errors.ts';
import { openLedger, type Ledger } from '../src/ledger/index.ts';

/**
 * `npm run bench:paper` with AGON_DATASETS set: measures bench/paper.yaml and writes docs/results.md. Without a key,
 * without a network, and the same bytes from the same data.
 *
 * --only WORDS     sets whose title has these words; then nothing is written unless --out says where
 * --limit N        the first items of each set
 * --out FILE.md    instead of docs/results.md
 * --page FILE.html also the page with charts and every item
 * --ledger FILE    keep the judgements there; a run that was stopped goes on
 * --again          make the reports of the last one in --ledger again, without judging anything
 */
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    limit: { type: 'string' },
    out: { type: 'string' },
    page: { type: 'string' },
    ledger: { type: 'string' },
    again: { type: 'boolean' },
  },
});
const root = path.join(import.meta.dirname, '..');
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

const introduction = `Made by \`npm run bench:paper\` from the data that \`AGON_DATASETS\` points at (its README names sources and licences; none of it ships). Every system here runs without a key or a network, with one configuration and one threshold for all sets of a job. The same data and seed give the same bytes. [bench.md](bench.md) explains each figure and system.

**Read the marks.** ‡: a model was trained on these very items, so the figure says nothing about others; the cross-validated figures for those sets are among the published ones. †: a model was trained on other items of the same set, or, for documents, the few weights of the embedded reasoner were chosen on the development half of the set (the very items, where that half is measured). Figures without a mark were measured on data that no model of ours has seen.
`;

try {
  const { plan, notes } = await readBenchFile(path.join(root, 'bench', 'paper.yaml'), {
    settings: { ledger: false },
    environment: process.env,
  });
  const ledger = flags.ledger === undefined ? null : await openLedger({ file: path.resolve(flags.ledger) });
  const sets =
    flags.again && ledger
      ? await measuredBefore(ledger)
      : await measureBench(chosen(plan), { ledger, watch, onNote: (note) => console.error(note) });
  await ledger?.close();
  const out =
    flags.out ?? (flags.only === undefined && flags.limit === undefined ? path.join(root, 'docs', 'results.md') : null);
  if (out !== null) await writeFile(out, markdownOf(sets, plan.title, notes));
  if (flags.page !== undefined) await writeFile(flags.page, renderBenchPage(sets, { title: plan.title, times: true }));
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

function markdownOf(sets: readonly ReportedSet[], title: string, notes: readonly string[]): string {
  const [heading, ...rest] = renderBenchMarkdown(sets, { title, times: false, details: false }).split('\n');
  return [heading, '', introduction, ...notes.map((note) => `${note}\n`), ...rest.slice(1)].join('\n');
}
