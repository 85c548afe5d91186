import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import manifest from '../package.json' with { type: 'json' };
import { shortText } from './embedded-texts.ts';
import { reportPairs } from './reports/generate.ts';
import { decimals, table } from './table.ts';

/*
 * `npm run bench:short`: a short run of every bench:* command, on data made up here where one needs data. It measures
 * nothing; it shows that each figure of the docs can be made again. A name (`-- ledger runs`) runs those alone.
 */

/** What makes a command short beyond `--short`. */
const flags: Record<string, readonly string[]> = {
  cascade: ['--divisions', '2'],
  paper: ['--only', 'AIR-Bench text', '--limit', '4'],
  reports: ['--pairs', '1', '--format', 'csv'],
  filings: ['--each', '1'],
  statements: ['--reports', '1'],
};
const takesNoShort = new Set(['paper', 'cascade', 'reports', 'filings', 'statements', 'walk']);

const root = path.join(import.meta.dirname, '..');
const all = Object.entries(manifest.scripts).flatMap(([name, command]) =>
  name.startsWith('bench:') && name !== 'bench:short' ? [{ name: name.slice('bench:'.length), command }] : [],
);
const asked = process.argv.slice(2);
const chosen = all.filter(({ name }) => asked.length === 0 || asked.includes(name));

const folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-short-'));
try {
  await makeData();
  const waiting = chosen.values();
  const rows: [string, string][] = [];
  // Three at once: most of them wait for a provider most of the time.
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      for (const bench of waiting) rows.push(await runShortly(bench));
    }),
  );
  console.log(table(['short run of', 'seconds'], rows));
} finally {
  await rm(folder, { recursive: true });
}

async function runShortly({ name, command }: (typeof all)[number]): Promise<[string, string]> {
  const began = performance.now();
  const short = takesNoShort.has(name) ? [] : ['--short'];
  const { code, output } = await run(command, [...short, ...(flags[name] ?? [])]);
  if (code !== 0) {
    console.error(`bench:${name} failed (${code}):\n${output.slice(-4_000)}`);
    process.exitCode = 1;
  }
  return [`bench:${name}`, decimals((performance.now() - began) / 1_000, 1)];
}

async function run(command: string, given: readonly string[]): Promise<{ code: number; output: string }> {
  const [, ...args] = command.split(' ');
  const child = spawn(process.execPath, [...args, ...given], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, AGON_DATASETS: folder, AGON_HOME: folder },
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code ?? 1, output: `${out}\n${err}` };
}

/** A few items of each set that a bench reads, laid out as the folder of the data sets is. */
async function makeData(): Promise<void> {
  const items = Array.from({ length: 40 }, (_, id) => ({ id: String(id), text: shortText(id), label: id % 2 }));
  const sets: Record<string, (item: (typeof items)[number]) => object> = {
    a_air_text: (item) => item,
    a_air_only_img: ({ text: image_description, ...item }) => ({ ...item, image_description }),
    a_air_text_img: (item) => ({ ...item, image_description: 'A street at night.' }),
  };
  await mkdir(path.join(folder, 'dev'), { recursive: true });
  for (const [name, describe] of Object.entries(sets))
    await writeFile(
      path.join(folder, 'dev', `${name}.jsonl`),
      items.map((item) => `${JSON.stringify(describe(item))}\n`).join(''),
    );
  const [pdfs, reports] = [
    path.join(folder, 'files/financebench/pdfs'),
    path.join(folder, 'files/findver/financial_reports'),
  ];
  await mkdir(pdfs, { recursive: true });
  await mkdir(reports, { recursive: true });
  for await (const { id, format, consistent } of reportPairs(2, 1, ['pdf', 'json']))
    if (format === 'pdf') await writeFile(path.join(pdfs, `${id}.pdf`), consistent);
    else await writeFile(path.join(reports, `${id}.json.gz`), gzipSync(consistent));
}
