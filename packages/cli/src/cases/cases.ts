import type { Command } from 'commander';
import stringWidth from 'string-width';
import type { CaseFilter, CaseSummary } from '@agonhq/ledger';
import { toOneLine } from '@agonhq/engine/text';
import { addExamples, choice, setAction, addLedgerFlags, degree, positive } from '../define-command.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { readPastMoment } from '../read-flags.ts';
import { formatMoment } from '../terminal/format.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { colourVerdict, printLines, sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';

interface CasesFlags extends LedgerFlags {
  label?: string;
  job?: string;
  category?: string;
  modality?: string;
  action?: string;
  severity?: string;
  author?: string;
  thread?: string;
  run?: string;
  model?: string;
  minDisagreement?: number;
  since?: string;
  until?: string;
  search?: string;
  escalated?: boolean;
  degraded?: boolean;
  unfinished?: boolean;
  limit: number;
  json?: boolean;
}

/** `agon cases` */
export function defineCases(command: Command): void {
  command
    .description('List past cases, newest first.')
    .option('--label <label>', 'only cases with this verdict')
    .option('--job <job>', 'only cases of this job: its id or its module')
    .option('--category <id>', 'only cases under this category or clause')
    .addOption(
      choice('--modality <modality>', 'only cases of this modality', [
        'text',
        'image',
        'text+image',
        'audio',
        'video',
        'documents',
      ]),
    )
    .option('--action <action>', 'only cases for which this action is proposed')
    .addOption(choice('--severity <severity>', 'only cases of this severity', ['low', 'medium', 'high', 'critical']))
    .option('--author <id>', 'only cases whose context names this author')
    .option('--thread <id>', 'only cases of this thread')
    .option('--run <id>', 'only cases of this run')
    .option('--model <provider:model>', 'only cases in which this model had a seat')
    .option('--min-disagreement <degree>', 'only cases whose sides ended at least this far apart, 0 to 1', degree)
    .option('--search <words>', 'only cases whose excerpt contains these words')
    .option('--since <time>', 'only cases since this time: 7d, 12h, or a date')
    .option('--until <time>', 'only cases before this time')
    .option('--escalated', 'only cases that need human review')
    .option('--degraded', 'only cases in which a part of the debate failed')
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

async function listCases(flags: CasesFlags): Promise<void> {
  const { withLedger } = await import('../open-ledger.ts');
  const { loadJobModule } = await import('../read-settings.ts');
  const filter = readFilter({ ...flags, job: (await loadJobModule(flags.job))?.id ?? flags.job });
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

function readFilter({ since, until, escalated, degraded, unfinished, ...flags }: CasesFlags): CaseFilter {
  const { label, job, category, modality, run, model, minDisagreement, search } = flags;
  const { action, severity, author, thread } = flags;
  return {
    label,
    action,
    severity,
    author,
    thread,
    job,
    category,
    modality,
    run,
    model,
    minDisagreement,
    search,
    ...(since === undefined ? {} : { since: readPastMoment('--since', since) }),
    ...(until === undefined ? {} : { until: readPastMoment('--until', until) }),
    ...(escalated ? { escalate: true } : {}),
    ...(degraded ? { degraded: true } : {}),
    ...(unfinished ? { finished: false } : {}),
  };
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
