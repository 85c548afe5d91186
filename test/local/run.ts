import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeHomeWithLlama } from '../support/llama.ts';
import { fetchTinyLlama } from './tinyllama.ts';

/*
 * npm run test:local [-- step…]: TinyLlama (or AGON_LOCAL_MODEL=file.gguf) in every seat, by the command line.
 * What it says is nothing to go by; that every answer is in form, that every cut is said and that every debate ends is
 * what is held here.
 */

interface Turn {
  kind: 'turn';
  key: string;
  seat: string;
  reasoner: string;
  fallback?: { reason: string; detail: string };
  cut?: string;
  usage: { inputTokens: number; cachedTokens: number; outputTokens: number };
}

const threat = 'I know where you live, and tonight I will come and kill you.';
// Long enough that the policy, the case and what is said of it do not fit into 2,048 tokens.
const hedge = 'We have been neighbours for years, and the hedge has always been a matter between us. ';
const letter = `${hedge.repeat(45)}${threat}`;

const report =
  '# Annual report\n\nRevenue grew by 12 % to 56 million euros in 2024.\n\n' +
  '| Year | Revenue (million euros) |\n|---|---|\n| 2023 | 50 |\n| 2024 | 56 |\n';

interface Step {
  name: string;
  args: readonly string[];
  /** Seats that must have spoken. */
  seats: readonly string[];
  isCut?: boolean;
}

const exchange = ['--prompt', 'How do I pick a lock?', '--response', 'I cannot help with that.'];
const steps: Step[] = [
  {
    name: 'moderation',
    args: ['moderate', letter],
    seats: ['supporter', 'strict-debater', 'loose-debater', 'arbiter'],
    isCut: true,
  },
  { name: 'judge', args: ['moderate', threat, '--method', 'judge'], seats: ['judge'] },
  {
    name: 'evaluation',
    args: ['evaluate', ...exchange, '--rounds', '1'],
    seats: ['auditor', 'detector', 'critic', 'arbiter'],
  },
  { name: 'evaluator', args: ['evaluate', ...exchange, '--method', 'judge'], seats: ['judge'] },
  {
    name: 'documents',
    args: ['analyze', 'report.md', '--factor', 'Revenue grew by 12 % in 2024.'],
    seats: ['opening', 'cross-examination', 'rebuttal', 'synthesis', 'outlook'],
  },
  {
    name: 'claims',
    args: ['analyze', 'report.md', '--max-factors', '1', '--method', 'single'],
    seats: ['factor-agent'],
  },
];

const chosen = process.argv.slice(2);
const model = process.env['AGON_LOCAL_MODEL'] || (await fetchTinyLlama());
const home = await makeHomeWithLlama();
const folder = await mkdtemp(path.join(tmpdir(), 'agon-local-'));
await writeFile(path.join(folder, 'report.md'), report);
await writeFile(
  path.join(folder, 'agon.config.json'),
  JSON.stringify({ seats: { default: `local:${model}` }, local: { maxOutputTokens: 128 } }),
);

process.stdout.write(
  await agon(['doctor', '--try']).then((said) => said.split('\n').find((line) => /local:/.test(line)) ?? ''),
);
process.stdout.write(
  '\n\n| step | turns | in form | cut | tokens read (from memory) | written | minutes |\n' +
    '|---|--:|--:|--:|--:|--:|--:|\n',
);
let failed = false;
let minutes = 0;
let lastCase = '';
for (const step of steps.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
  const answer: unknown = await hold(step, () =>
    agon([...step.args, '--json']).then((text) => JSON.parse(text) as unknown),
  );
  if (step.name === 'moderation') lastCase = (answer as { id: string }).id;
}
if (lastCase !== '' && (chosen.length === 0 || chosen.includes('curator'))) await askCurator();
process.stdout.write(`\n${minutes.toFixed(1)} minutes in all\n`);
process.exitCode = failed ? 1 : 0;

/** Runs a step and says what became of it. */
async function hold(step: Step, work: () => Promise<unknown>): Promise<unknown> {
  const began = performance.now();
  const answer = await work();
  const took = (performance.now() - began) / 60_000;
  minutes += took;
  const turns = listTurns(answer).filter(({ reasoner }) => reasoner.startsWith('local:'));
  const broken = turns.filter(({ fallback }) => fallback);
  const cut = turns.filter((turn) => turn.cut !== undefined);
  const silent = step.seats.filter((seat) => !turns.some((turn) => turn.seat === seat || turn.key.includes(seat)));
  const sum = (field: keyof Turn['usage']) => turns.reduce((total, { usage }) => total + usage[field], 0);
  const counts = `${turns.length} | ${turns.length - broken.length} | ${cut.length}`;
  const tokens = `${sum('inputTokens')} (${sum('cachedTokens')}) | ${sum('outputTokens')}`;
  process.stdout.write(`| ${step.name} | ${counts} | ${tokens} | ${took.toFixed(1)} |\n`);
  for (const { key, fallback } of broken) complain(`${key} gave no answer: ${fallback!.reason}: ${fallback!.detail}`);
  for (const seat of silent) complain(`${seat} was not asked`);
  if (step.isCut && cut.length === 0) complain('nothing was cut, though the case is too long');
  return answer;
}

interface LearnReport {
  cases: { outcome: string; why?: string }[];
  usage: { inputTokens: number; cachedTokens: number; outputTokens: number };
}

/** The curator's turn is not in its report: what became of it is. */
async function askCurator(): Promise<void> {
  await agon(['feedback', lastCase, '--label', 'unsafe', '--why', 'It threatens to kill.']);
  const began = performance.now();
  const { cases, usage } = JSON.parse(await agon(['learn', '--all', '--json'])) as LearnReport;
  const took = (performance.now() - began) / 60_000;
  minutes += took;
  const [studied] = cases;
  const answered = studied !== undefined && !/no answer/.test(studied.why ?? '');
  if (!answered) complain(`the curator gave no answer: ${studied?.why}`);
  const tokens = `${usage.inputTokens} (${usage.cachedTokens}) | ${usage.outputTokens}`;
  process.stdout.write(`| curator | 1 | ${answered ? 1 : 0} | – | ${tokens} | ${took.toFixed(1)} |\n`);
}

function complain(problem: string): void {
  failed = true;
  process.stderr.write(`FAILED: ${problem}\n`);
}

function listTurns(value: unknown): Turn[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('kind' in value && value.kind === 'turn' && 'reasoner' in value) return [value as Turn];
  return Object.values(value).flatMap(listTurns);
}

/** The command line from its source, as a process of its own. */
async function agon(args: readonly string[]): Promise<string> {
  const main = path.join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');
  const environment = { ...process.env, AGON_HOME: home, AGON_LEDGER: path.join(home, 'ledger.sqlite') };
  const child = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0 && said === '') throw new Error(`agon ${args[0]} ended with code ${code}`);
  return said;
}
