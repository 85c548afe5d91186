import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import manifest from '../../../package.json' with { type: 'json' };
import { roomyMemory } from '@agonhq/test/support/roomy-memory.ts';
import { shortText } from './embedded-texts.ts';
import { reportPairs } from './reports/generate.ts';
import { decimals, table } from './table.ts';

/*
 * `npm run bench:short`: a short run of the bench:* commands, on data made up here where one needs data. It measures
 * nothing; it shows that each figure of the docs can be made again. A name (`-- ledger runs`) runs those alone. What
 * takes long is run in part, or left where another shows the same; it says so at its end, and `-- --all` runs all.
 */

/** What makes a command short beyond `--short`. */
const flags: Record<string, readonly string[]> = {
  cascade: ['--divisions', '2'],
  paper: ['--only', 'AIR-Bench text', '--limit', '4'],
  reports: ['--pairs', '1', '--format', 'csv'],
  filings: ['--each', '1'],
  statements: ['--reports', '1'],
};
/** What is enough each time, of those that take long: a part of it, or nothing beside what shows the same. */
const enough: Record<string, readonly string[] | { shownBy: string }> = {
  throughput: { shownBy: 'runs' },
  long: { shownBy: 'guard' },
  fleet: { shownBy: 'queue' },
  storage: { shownBy: 'verdicts' },
  everyday: ['--only', 'texts'],
  runs: ['throughput', 'resume'],
  server: ['--only', 'rate'],
  wrappers: ['--only', 'code,JSON,base64,leetspeak,homoglyphs,claimed verdict'],
};
const takesNoShort = new Set(['paper', 'cascade', 'reports', 'filings', 'statements', 'walk']);

const root = path.join(import.meta.dirname, '..', '..', '..');
const all = Object.entries(manifest.scripts).flatMap(([name, command]) =>
  name.startsWith('bench:') && name !== 'bench:short' ? [{ name: name.slice('bench:'.length), command }] : [],
);
const isWhole = process.argv.includes('--all');
const asked = process.argv.slice(2).filter((argument) => argument !== '--all');
const partOf = (name: string) => (isWhole || asked.includes(name) ? [] : (enough[name] ?? []));
const chosen = all.filter(({ name }) => (asked.length === 0 ? !('shownBy' in partOf(name)) : asked.includes(name)));

const folder = await mkdtemp(path.join(roomyMemory(), 'agon-bench-short-'));
// PostgreSQL does not run as root: its user must get through.
await chmod(folder, 0o711);
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
  if (asked.length === 0 && !isWhole) console.log(`\nLeft for npm run bench:short -- --all: ${describeLeft()}.`);
} finally {
  await rm(folder, { recursive: true });
}

function describeLeft(): string {
  return Object.entries(enough)
    .map(([name, part]) =>
      'shownBy' in part ? `bench:${name} (like ${part.shownBy})` : `bench:${name} beyond ${part.join(' ')}`,
    )
    .join(', ');
}

async function runShortly({ name, command }: (typeof all)[number]): Promise<[string, string]> {
  const began = performance.now();
  const short = takesNoShort.has(name) ? [] : ['--short'];
  const part = partOf(name);
  const { code, output } = await run(command, [...short, ...(flags[name] ?? []), ...('shownBy' in part ? [] : part)]);
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
    // Many processes load the same code, and nothing is measured that would have to wait for the disk.
    env: {
      ...process.env,
      TMPDIR: folder,
      AGON_DATASETS: folder,
      AGON_HOME: folder,
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    },
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
