import type { Command } from 'commander';
import { addExamples, setAction, addLedgerFlags } from '../define-command.ts';
import { exitCodes } from '../print-error.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { formatRow } from '../terminal/table.ts';
import type { InstallationFinding } from './check-installation.ts';

/** `agon doctor` */
export function defineDoctor(command: Command): void {
  command
    .description(
      'Check everything that Agon needs: Node, settings, policy, ledger, disk, precedents, models and keys. It calls ' +
        'no language model unless --try says so; if an embedding model is set, it embeds one word.',
    )
    .option('--try', 'ask every language model that has a seat for one word, to try its address and its key')
    .option('--json', 'print the checks as JSON');
  addLedgerFlags(command);
  addExamples(
    command,
    ['agon doctor', 'agon doctor --try', 'agon doctor --ledger postgres://agon@db/agon --json'],
    'Exit codes: 0 nothing is broken, 1 something is.',
  );
  setAction(command, checkAll);
}

async function checkAll(flags: { config?: string; ledger?: string; try?: boolean; json?: boolean }): Promise<number> {
  const { checkInstallation } = await import('./check-installation.ts');
  const findings: InstallationFinding[] = [];
  for await (const finding of checkInstallation(flags)) {
    findings.push(finding);
    if (!flags.json) printLines(renderFinding(finding));
  }
  const healthy = findings.every(({ outcome }) => outcome !== 'broken');
  if (flags.json) printLines([JSON.stringify({ version: 1, healthy, checks: findings })]);
  return healthy ? exitCodes.judged : exitCodes.failed;
}

const marks = {
  fine: ['green', '✓'],
  broken: ['red', '✗'],
  absent: ['yellow', '–'],
  untried: ['yellow', '?'],
} as const;

function renderFinding({ name, outcome, detail, hint }: InstallationFinding): string[] {
  const [colour, mark] = marks[outcome];
  const end = hint === null ? '' : `${/[.!?]$/.test(detail) ? '' : '.'} ${style('dim', sanitize(hint))}`;
  return formatRow(`${style(colour, mark)} ${name.padEnd(12)} `, `${sanitize(detail)}${end}`);
}
