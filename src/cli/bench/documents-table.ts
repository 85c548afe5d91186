import type { DocumentsReport, DocumentsSystemReport } from '../../bench/index.ts';
import { textTable, type Row } from '../terminal/table.ts';
import { between, milliseconds, number, share } from '../terminal/format.ts';
import { plain, styled } from '../terminal/style.ts';

const mostNamed = 8;

/** The figures of one set of claims, for people. */
export function documentsTable({ data, systems }: DocumentsReport): string[] {
  const labels = Object.entries(data.labels)
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${count} ${label}`);
  const cites = data.withEvidence > 0;
  return [
    `${styled('bold', plain(data.file))} · ${data.items} claims, ${labels.join(', ')} · sha256 ` +
      `${data.sha256.slice(0, 12)}…`,
    '',
    ...textTable([heading(cites), ...systems.map((system) => systemRow(system, cites))]),
    '',
    ...textTable([['by class', 'claims', 'precision', 'recall', 'F1'], ...systems.flatMap(classRows)]),
    '',
    styled('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed claims count as errors.'),
    ...systems.flatMap(unsettledLines),
    '',
  ];
}

function heading(cites: boolean): Row {
  return [
    'system',
    'accuracy',
    '',
    'macro-F1',
    '',
    'balanced',
    '',
    ...(cites ? ['cite P', 'cite R'] : []),
    'undecided',
    'failed',
    'p50 ms',
    'claims/s',
    'cost',
  ];
}

function systemRow(
  { name, metrics, intervals, latencyMs, itemsPerSecond, usage }: DocumentsSystemReport,
  cites: boolean,
): Row {
  return [
    plain(name),
    share(metrics.accuracy),
    between(intervals.accuracy),
    share(metrics.macroF1),
    between(intervals.macroF1),
    share(metrics.balancedAccuracy),
    between(intervals.balancedAccuracy),
    ...(cites ? [share(metrics.citationPrecision), share(metrics.citationRecall)] : []),
    number(metrics.undecided),
    number(metrics.failed),
    milliseconds(latencyMs.p50),
    itemsPerSecond === null ? '–' : itemsPerSecond.toFixed(1),
    usage.costUsd === null ? 'unknown' : `$${usage.costUsd.toFixed(4)}`,
  ];
}

function classRows({ name, metrics }: DocumentsSystemReport): Row[] {
  return metrics.byClass.map(({ label, items, precision, recall, f1 }) => [
    `${plain(name)}: ${label}`,
    String(items),
    share(precision),
    share(recall),
    share(f1),
  ]);
}

function unsettledLines({ name, unsettled }: DocumentsSystemReport): string[] {
  return Object.entries(unsettled).flatMap(([how, some]) => {
    if (some.length === 0) return [];
    const named = some
      .slice(0, mostNamed)
      .map(({ id, line }) => plain(id ?? `line ${line}`))
      .join(', ');
    return [styled('yellow', `${plain(name)}: ${some.length} ${how}: ${named}${some.length > mostNamed ? ', …' : ''}`)];
  });
}
