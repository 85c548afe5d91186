import { formatRow } from '../terminal/table.ts';
import { examineInstallation, type Finding } from '../server/examine.ts';
import { exitCodes } from '../print-error.ts';
import { sanitize, printLines, style } from '../terminal/style.ts';

export interface DoctorFlags {
  config?: string;
  ledger?: string;
  json?: boolean;
}

const marks = { fine: ['green', '✓'], broken: ['red', '✗'], absent: ['yellow', '–'] } as const;

/** `agon doctor`: one line for each thing that Agon needs. */
export async function doctorCommand(flags: DoctorFlags): Promise<number> {
  const findings: Finding[] = [];
  for await (const finding of examineInstallation(flags)) {
    findings.push(finding);
    if (!flags.json) printLines(linesOf(finding));
  }
  const healthy = findings.every(({ outcome }) => outcome !== 'broken');
  if (flags.json) printLines([JSON.stringify({ version: 1, healthy, checks: findings })]);
  return healthy ? exitCodes.judged : exitCodes.failed;
}

function linesOf({ name, outcome, detail, hint }: Finding): string[] {
  const [colour, mark] = marks[outcome];
  const words = `${sanitize(detail)}${hint === null ? '' : `${/[.!?]$/.test(detail) ? '' : '.'} ${style('dim', sanitize(hint))}`}`;
  return formatRow(`${style(colour, mark)} ${name.padEnd(10)} `, words);
}
