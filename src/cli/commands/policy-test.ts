import { createAgon } from '../../app/index.ts';
import { offTheRecord } from '../../bench/index.ts';
import { defaultPolicy, loadPolicy } from '../../policy/index.ts';
import { testPolicy, type ClauseReport } from '../../runs/index.ts';
import { listenForInterrupt } from '../process.ts';
import { exitCodes } from '../print-error.ts';
import { readModerationSettings, type ModerationSettingsFlags } from '../settings-flags.ts';
import { sanitize, style } from '../terminal/style.ts';

export interface PolicyTestFlags extends ModerationSettingsFlags {
  clause?: string[];
  concurrency: number;
  json?: boolean;
  quiet?: boolean;
}

/** `agon policy test`: returns the exit code. */
export async function policyTestCommand(file: string | undefined, flags: PolicyTestFlags): Promise<number> {
  const policy = file ? await loadPolicy(file) : await defaultPolicy();
  const { policy: _, ...settings } = await readModerationSettings(flags);
  const agon = await createAgon(offTheRecord(settings), { policy, jobs: ['moderation'] });
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
        : `${lines(reports).join('\n')}\n`,
    );
    return caught ? exitCodes.judged : exitCodes.failed;
  } finally {
    clear();
    interrupt.dispose();
    await agon.close();
  }
}

function lines(reports: readonly ClauseReport[]): string[] {
  const wrong = reports.filter((report) => report.missed.length > 0);
  return [
    ...reports.flatMap((report) => {
      const right = report.examples - report.missed.length;
      const mark = report.missed.length === 0 ? style('green', '✓') : style('red', '✗');
      return [
        `${mark} ${sanitize(report.clause)}  ${right} of ${report.examples}`,
        ...report.missed.map(
          ({ kind, example, outcome }) =>
            `    ${kind === 'violation' ? 'not caught' : 'wrongly caught'}: ${sanitize(JSON.stringify(example))} ${style('dim', `→ ${sanitize(outcome)}`)}`,
        ),
      ];
    }),
    wrong.length === 0
      ? style('green', 'Every clause catches its own examples.')
      : style('red', `${wrong.length} of ${reports.length} clauses do not catch their own examples.`),
  ];
}
