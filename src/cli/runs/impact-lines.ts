import type { ImpactReport } from '../../runs/index.ts';
import { formatCount, formatCounts, formatMoney, formatPercent } from '../terminal/format.ts';
import { fitLines, formatRow, formatTable } from '../terminal/table.ts';
import { sanitize, style } from '../terminal/style.ts';

/** What a policy would have changed: the figures, then clause by clause. */
export function renderImpact(report: ImpactReport): string[] {
  const { policy, cases, byClause, embedded } = report;
  if (cases === 0 && report.stopped === null)
    return [
      'No case could be judged ' +
        `again${report.skipped > 0 ? `: ${formatCount(report.skipped, 'case')} without content or verdict` : ''}.`,
    ];
  const rows = rowsOf(report);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    style('bold', sanitize(`Under ${policy.name} ${policy.version}`)),
    ...rows.flatMap(([name, words]) => formatRow(`  ${name.padEnd(width)}  `, sanitize(words))),
    ...(embedded > 0
      ? [
          style(
            'yellow',
            `${formatCount(embedded, 'case')} ${embedded === 1 ? 'was' : 'were'} decided by the embedded reasoner, ` +
              "whose score follows no policy's words: only clauses can change there.",
          ),
        ]
      : []),
    ...(byClause.length === 0
      ? []
      : fitLines(formatTable([heading, ...byClause.map(clauseCells)], [0, 1, 4]).map((line) => `  ${line}`))),
    ...(byClause.length === 0
      ? []
      : [style('dim', 'Look at one: agon show CASE shows it as it was, and the replay beside it.')]),
  ];
}

function rowsOf({
  cases,
  unchanged,
  flips,
  otherClauses,
  escalated,
  degraded,
  failed,
  skipped,
  recalled,
  argued,
  usage,
  stopped,
}: ImpactReport): [string, string][] {
  const flipped = Object.values(flips).reduce((sum, number) => sum + number, 0);
  const share = (number: number) => (cases === 0 ? '' : ` (${formatPercent(number / cases)})`);
  const rows: ([string, string] | false)[] = [
    ['cases', `${formatCount(cases, 'case')} judged again${stopped ? ', then it was stopped' : ''}`],
    ['unchanged', `${unchanged.toLocaleString('en')}${share(unchanged)}`],
    ['flips', flipped === 0 ? 'none' : `${flipped.toLocaleString('en')}${share(flipped)}: ${formatCounts(flips)}`],
    otherClauses > 0 && [
      'other clauses',
      `${otherClauses.toLocaleString('en')} with the same verdict under other clauses`,
    ],
    ['for a person', `${escalated.before.toLocaleString('en')} before, ${escalated.after.toLocaleString('en')} after`],
    degraded > 0 && [
      'degraded',
      `${formatCount(degraded, 'case')} lacked a voice: those may have flipped for that alone`,
    ],
    Object.keys(failed).length > 0 && ['failed', formatCounts(failed)],
    skipped > 0 && ['skipped', `${skipped.toLocaleString('en')} without content or verdict`],
    ['memory', `${recalled.toLocaleString('en')} entries recalled, ${argued.toLocaleString('en')} argued anew`],
    [
      'spend',
      `${usage.costUsd === null ? 'price unknown' : formatMoney(usage.costUsd)}, ${formatCount(usage.calls, 'call')}`,
    ],
  ];
  return rows.filter((row) => row !== false);
}

const heading = ['clause', 'flips', 'named now', 'no more', 'cases'];

function clauseCells({ clause, flips, entered, left, examples }: ImpactReport['byClause'][number]): string[] {
  return [
    sanitize(clause ?? '(no clause)'),
    sanitize(formatCounts(flips)) || '–',
    String(entered),
    String(left),
    sanitize(examples.slice(0, 3).join(' ')),
  ];
}
