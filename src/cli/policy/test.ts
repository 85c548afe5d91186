import type { Command } from 'commander';
import type { ClauseReport } from '../../runs/index.ts';
import { addExamples, setAction } from '../define-command.ts';
import { concurrency, list } from '../flags.ts';
import { exitCodes } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addSettingsFlags, type SettingsSelection } from '../settings-flags.ts';
import { sanitize, style } from '../terminal/style.ts';

/** The policy is an argument. */
const selection: SettingsSelection = { kind: 'judge', job: 'moderation', without: ['policy'] };

interface TestFlags extends SettingsFlags {
  clause?: string[];
  concurrency: number;
  json?: boolean;
  quiet?: boolean;
}

/** `agon policy test [FILE]` */
export function definePolicyTest(command: Command): void {
  command
    .description("Judge a policy's own examples and report the clauses that miss theirs.")
    .argument('[file]', 'policy file (default: the policy that Agon ships)')
    .option('--clause <ids>', 'test only these clauses or categories', list)
    .option('--concurrency <n>', 'examples to judge at once', concurrency, 8)
    .option('--json', 'print the results as JSON')
    .option('-q, --quiet', 'print no progress');
  addSettingsFlags(command, selection);
  addExamples(
    command,
    ['agon policy test my.yaml', 'agon policy test my.yaml --clause weapons,fraud.scam --json'],
    'Exit codes: 0 every clause catches its examples, 1 some do not.',
  );
  setAction(command, testPolicyFile);
}

async function testPolicyFile(file: string | undefined, flags: TestFlags): Promise<number> {
  const { createAgon } = await import('../../app/index.ts');
  const { withoutLedger } = await import('../../bench/index.ts');
  const { defaultPolicy, loadPolicy } = await import('../../policy/index.ts');
  const { testPolicy } = await import('../../runs/index.ts');
  const { readJobSettings } = await import('../read-settings.ts');
  const policy = file ? await loadPolicy(file) : await defaultPolicy();
  const { policy: _, ...settings } = await readJobSettings(flags, selection);
  const agon = await createAgon(withoutLedger(settings), { policy, jobs: ['moderation'] });
  const interrupt = listenForInterrupt();
  const live = !flags.quiet && process.stderr.isTTY;
  const clear = () => live && process.stderr.write('\r\u001b[K');
  try {
    const reports = await testPolicy(policy, {
      moderate: (content, signal) => agon.moderate(content, { signal }),
      only: flags.clause,
      concurrency: flags.concurrency,
      signal: interrupt.signal,
      onProgress: (done, total) => {
        if (live) process.stderr.write(`\r\u001b[K${done}/${total} examples`);
      },
    });
    clear();
    const caught = reports.every((report) => report.missed.length === 0);
    process.stdout.write(
      flags.json
        ? `${JSON.stringify({ version: 1, policy: policy.hash, caught, clauses: reports })}\n`
        : `${renderReports(reports).join('\n')}\n`,
    );
    return caught ? exitCodes.judged : exitCodes.failed;
  } finally {
    clear();
    interrupt.dispose();
    await agon.close();
  }
}

function renderReports(reports: readonly ClauseReport[]): string[] {
  const wrong = reports.filter((report) => report.missed.length > 0);
  return [
    ...reports.flatMap(({ clause, examples, missed }) => [
      `${missed.length === 0 ? style('green', '✓') : style('red', '✗')} ${sanitize(clause)}  ` +
        `${examples - missed.length} of ${examples}`,
      ...missed.map(
        ({ kind, example, outcome }) =>
          `    ${kind === 'violation' ? 'missed' : 'wrongly caught'}: ${sanitize(JSON.stringify(example))} ` +
          style('dim', `→ ${sanitize(outcome)}`),
      ),
    ]),
    wrong.length === 0
      ? style('green', 'Every clause catches its examples.')
      : style('red', `${wrong.length} of ${reports.length} clauses do not catch their examples.`),
  ];
}
