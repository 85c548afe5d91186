import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * Starts Agon for the action: builds the command from the inputs, prints annotations, and leaves the reports, the
 * summary and the exit code to the steps after it. Has no dependencies: it runs before anything is installed.
 */

/** The inputs that are lists, one word on each line; any other is one line. */
const lists = ['WITH_ARGS', 'WITH_COMMAND'];
// A line break would begin an output or a command of its own for GitHub. YAML leaves one at the end of a block.
const env = Object.fromEntries(
  Object.entries(process.env).map(([name, value]) => [name, name.startsWith('WITH_') ? value.trim() : value]),
);
for (const [name, value] of Object.entries(env))
  if (name.startsWith('WITH_') && !lists.includes(name) && /[\r\n]/.test(value))
    fail(`${name.slice('WITH_'.length).toLowerCase().replaceAll('_', '-')} has a line break: it takes one line.`);
const reports = env.WITH_REPORTS || 'agon-reports';
const inFolder = (name) => path.posix.join(reports, name);
const lines = (text) =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** What is judged, and how; exactly one of the three. */
function buildArguments() {
  const { WITH_JOB: job, WITH_FILE: file, WITH_DATA: data, WITH_BENCH: bench } = env;
  const given = [file, data, bench].filter(Boolean);
  if (given.length !== 1) fail('Give exactly one of file, data and bench.');
  const common = ['--report', 'github', '--report', inFolder('agon.sarif'), '--report', inFolder('junit.xml')];
  const results = ['--out', inFolder('results.jsonl')];
  const summary = ['--report', inFolder('summary.md')];
  const thresholds = env.WITH_FAIL_UNDER ? ['--fail-under', env.WITH_FAIL_UNDER] : [];
  if (file) {
    const command = { moderation: 'moderate', evaluation: 'evaluate' }[job];
    if (!command) fail(`A file of items is judged as moderation or evaluation, not as ${job}; use data or bench.`);
    const verdicts = env.WITH_FAIL_ON ? ['--fail-on', env.WITH_FAIL_ON] : [];
    return [command, '--file', file, ...results, ...common, ...summary, ...verdicts, ...lines(env.WITH_ARGS)];
  }
  const measured = data ? ['bench', job, '--data', data, ...results] : ['bench', 'run', bench];
  return [...measured, ...common, ...summary, ...thresholds, ...lines(env.WITH_ARGS)];
}

function fail(message) {
  console.log(`::error title=Agon::${message}`);
  process.exit(2);
}

function tell(name, value) {
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `${name}=${value}\n`);
}

const args = buildArguments();
mkdirSync(reports, { recursive: true });
const own = lines(env.WITH_COMMAND);
const [command, ...before] = own.length > 0 ? own : ['npx', '--yes', `agon@${env.WITH_VERSION || 'latest'}`];
const { status, error } = spawnSync(command, [...before, ...args], {
  stdio: 'inherit',
  shell: process.platform === 'win32' && own.length === 0,
});
if (error) console.log(`::error title=Agon::${command} could not be started: ${error.message}`);
tell('exit-code', status ?? 1);
tell('reports', reports);
if (existsSync(inFolder('agon.sarif'))) tell('sarif', inFolder('agon.sarif'));
if (env.GITHUB_STEP_SUMMARY && existsSync(inFolder('summary.md')))
  appendFileSync(env.GITHUB_STEP_SUMMARY, readFileSync(inFolder('summary.md')));
