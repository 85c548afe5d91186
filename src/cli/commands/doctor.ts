import { namedRow } from '../terminal/table.ts';
import { examine, type Finding } from '../server/examine.ts';
import { exitCodes } from '../print-error.ts';
import { plain, printLines, styled } from '../terminal/style.ts';

export interface DoctorFlags {
  config?: string;
  ledger?: string;
  json?: boolean;
}

const marks = { fine: ['green', '✓'], broken: ['red', '✗'], absent: ['yellow', '–'] } as const;

/** `agon doctor`: one line for each thing that Agon needs. */
export async function doctorCommand(flags: DoctorFlags): Promise<number> {
  const findings: Finding[] = [];
  for await (const finding of examine(flags)) {
    findings.push(finding);
    if (!flags.json) printLines(linesOf(finding));
  }
  const healthy = findings.every(({ outcome }) => outcome !== 'broken');
  if (flags.json) printLines([JSON.stringify({ version: 1, healthy, checks: findings })]);
  return healthy ? exitCodes.judged : exitCodes.failed;
}

function linesOf({ name, outcome, detail, hint }: Finding): string[] {
  const [colour, mark] = marks[outcome];
  const words = `${plain(detail)}${hint === null ? '' : `${/[.!?]$/.test(detail) ? '' : '.'} ${styled('dim', plain(hint))}`}`;
  return namedRow(`${styled(colour, mark)} ${name.padEnd(10)} `, words);
}
