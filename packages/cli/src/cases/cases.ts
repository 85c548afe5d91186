import { type Command, Option } from 'commander';
import stringWidth from 'string-width';
import type { CaseFilter, CaseSummary } from '@agonhq/ledger';
import {
  caseFilterParts,
  type AskedCases,
  type CaseFilterName,
  type CaseFilterPart,
} from '@agonhq/ledger/cases/case-filter';
import { toOneLine } from '@agonhq/engine/text';
import { addExamples, choice, setAction, addLedgerFlags, degree, positive } from '../define-command.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { readPastMoment } from '../read-flags.ts';
import { formatMoment } from '../terminal/format.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { colourVerdict, printLines, sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';

interface CasesFlags extends AskedCases, LedgerFlags {
  unfinished?: boolean;
  limit: number;
  json?: boolean;
}

/** `agon cases` */
export function defineCases(command: Command): void {
  command.description('List past cases, newest first.');
  for (const [name, part] of Object.entries(caseFilterParts)) command.addOption(makeOption(name, part));
  command
    .option('--unfinished', 'only cases without a verdict')
    .option('--limit <n>', 'list at most n cases', positive, 20)
    .option('--json', 'print one JSON object per line');
  addLedgerFlags(command);
  addExamples(command, [
    'agon cases --label unsafe --since 7d',
    'agon cases --search "process linux" --json',
    'agon cases --escalated --limit 100',
    'agon cases --author user-4711 --label unsafe',
    'agon cases --action remove --severity critical --since 24h',
    'agon cases --min-disagreement 0.3',
  ]);
  setAction(command, listCases);
}

/** The flag of a part of the filter. */
function makeOption(name: string, part: CaseFilterPart): Option {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const help = `only cases ${part.means}`;
  switch (part.kind) {
    case 'text':
      return new Option(`${flag} <${part.value ?? name}>`, help);
    case 'choice':
      return choice(`${flag} <${name}>`, help, part.of);
    case 'flag':
      return new Option(flag, help);
    case 'share':
      return new Option(`${flag} <degree>`, help).argParser(degree);
    case 'moment':
      return new Option(`${flag} <time>`, `${help}: 7d, 12h, or a date`).argParser((given) =>
        readPastMoment(flag, given),
      );
  }
}

async function listCases(flags: CasesFlags): Promise<void> {
  const { withLedger } = await import('../open-ledger.ts');
  const { loadJobModule } = await import('../read-settings.ts');
  const parts = Object.keys(caseFilterParts) as CaseFilterName[];
  const filter: CaseFilter = {
    ...Object.fromEntries(parts.map((name) => [name, flags[name]])),
    ...(flags.unfinished ? { finished: false } : {}),
    job: (await loadJobModule(flags.job))?.id ?? flags.job,
  };
  return withLedger(flags, async (ledger) => {
    const { rows, next } = await ledger.cases.listCases(filter, { limit: flags.limit });
    const more = `There are more: use --limit ${flags.limit * 5}, or narrow it down with --search, --label or --since.`;
    if (flags.json) printLines(rows.map((row) => JSON.stringify(row)));
    else if (rows.length === 0) printLines(['No matching cases.']);
    else
      printLines([
        ...renderCaseList(rows, readableWidth(process.stdout)),
        ...(next === null ? [] : [style('dim', more)]),
      ]);
  });
}

const labelWidth = 'undecided 0.00'.length;

/** With less room than this, the excerpt goes on a line of its own. */
const leastRoom = 32;

function renderCaseList(rows: readonly CaseSummary[], width: number): string[] {
  const idWidth = Math.max(...rows.map(({ id }) => id.length));
  return rows.flatMap((row) => {
    const verdict = formatVerdict(row);
    const shown = row.label === null ? style('dim', verdict) : style(colourVerdict(row.label), verdict);
    const padding = ' '.repeat(Math.max(0, labelWidth - verdict.length));
    const head = `${formatMoment(row.openedAt)}  ${shown}${padding}  ${style('cyan', row.id.padEnd(idWidth))}`;
    const room = width - stringWidth(head) - 2;
    return room < leastRoom
      ? [head.trimEnd(), `  ${cutText(formatBeginning(row), width - 2)}`]
      : [`${head}  ${cutText(formatBeginning(row), room)}`.trimEnd()];
  });
}

function formatVerdict(summary: CaseSummary): string {
  const { label, risk, forgottenAt, state } = summary;
  if (label === null) return forgottenAt !== null ? 'forgotten' : state === 'judging' ? 'being judged' : 'interrupted';
  return `${label}${risk === null ? '' : ` ${risk.toFixed(2)}`}`;
}

function formatBeginning({ excerpt, forgottenAt, again, escalate }: CaseSummary): string {
  const marks = [again && `(${again.how})`, escalate && '(needs review)'].filter(Boolean).join(' ');
  return sanitize([marks, forgottenAt === null ? toOneLine(excerpt ?? '') : '(forgotten)'].filter(Boolean).join(' '));
}

function cutText(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return width < 8 ? '' : `${wrapText(text, width - 1)[0]!}…`;
}
