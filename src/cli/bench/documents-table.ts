import type { DocumentsReport, DocumentsSystemReport, ReportedSet } from '../../bench/index.ts';
import { formatInterval, formatMilliseconds, formatNumber, formatShare } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatTable, type Row } from '../terminal/table.ts';
import type { ReportTable } from './show-set.ts';

const mostNamed = 8;

export const documentsTable: ReportTable<DocumentsReport> = { job: 'documents', render: renderDocumentsTable };

function renderDocumentsTable({ data, systems }: DocumentsReport): string[] {
  const labels = Object.entries(data.labels)
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${count} ${label}`);
  const cites = data.withEvidence > 0;
  return [
    `${style('bold', sanitize(data.file))} · ${data.items} claims, ${labels.join(', ')} · sha256 ` +
      `${data.sha256.slice(0, 12)}…`,
    '',
    ...formatTable([heading(cites), ...systems.map((system) => formatSystem(system, cites))]),
    '',
    ...formatTable([['by class', 'claims', 'precision', 'recall', 'F1'], ...systems.flatMap(formatClasses)]),
    '',
    style('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed claims count as errors.'),
    ...systems.flatMap(renderUnsettled),
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

function formatSystem(
  { name, metrics, intervals, latencyMs, itemsPerSecond, usage }: DocumentsSystemReport,
  cites: boolean,
): Row {
  return [
    sanitize(name),
    formatShare(metrics.accuracy),
    formatInterval(intervals.accuracy),
    formatShare(metrics.macroF1),
    formatInterval(intervals.macroF1),
    formatShare(metrics.balancedAccuracy),
    formatInterval(intervals.balancedAccuracy),
    ...(cites ? [formatShare(metrics.citationPrecision), formatShare(metrics.citationRecall)] : []),
    formatNumber(metrics.undecided),
    formatNumber(metrics.failed),
    formatMilliseconds(latencyMs.p50),
    itemsPerSecond === null ? '–' : itemsPerSecond.toFixed(1),
    usage.costUsd === null ? 'unknown' : `$${usage.costUsd.toFixed(4)}`,
  ];
}

function formatClasses({ name, metrics }: DocumentsSystemReport): Row[] {
  return metrics.byClass.map(({ label, items, precision, recall, f1 }) => [
    `${sanitize(name)}: ${label}`,
    String(items),
    formatShare(precision),
    formatShare(recall),
    formatShare(f1),
  ]);
}

function renderUnsettled({ name, unsettled }: DocumentsSystemReport): string[] {
  return Object.entries(unsettled).flatMap(([how, some]) => {
    if (some.length === 0) return [];
    const named = some
      .slice(0, mostNamed)
      .map(({ id, line }) => sanitize(id ?? `line ${line}`))
      .join(', ');
    return [
      style('yellow', `${sanitize(name)}: ${some.length} ${how}: ${named}${some.length > mostNamed ? ', …' : ''}`),
    ];
  });
}

/** The figures that every job has, for a job without a table of its own. */
export function renderFiguresTable({ result, figures: { systems } }: ReportedSet): string[] {
  const { data, items, classes } = result;
  const labels = classes.map((label) => `${items.filter(({ gold }) => gold === label).length} ${sanitize(label)}`);
  return [
    `${style('bold', sanitize(data.file))} · ${items.length} items, ${labels.join(', ')} · sha256 ` +
      `${data.sha256.slice(0, 12)}…`,
    '',
    ...formatTable([
      ['system', 'accuracy', '', 'macro-F1', '', 'balanced', '', 'undecided', 'failed', 'p50 ms', 'cost'],
      ...systems.map(({ name, scores, unsettled, cost }) => [
        sanitize(name),
        ...[scores.accuracy, scores.macroF1, scores.balancedAccuracy].flatMap(({ value, interval }) => [
          formatShare(value),
          formatInterval(interval),
        ]),
        formatNumber(unsettled.undecided.length),
        formatNumber(unsettled.failed.length),
        formatMilliseconds(cost.latencyMs.p50),
        cost.costUsd === null ? 'unknown' : `$${cost.costUsd.toFixed(4)}`,
      ]),
    ]),
    '',
    ...formatTable([
      ['by class', 'items', 'precision', 'recall', 'F1'],
      ...systems.flatMap(({ name, byClass }) =>
        byClass.map(({ label, items: count, precision, recall, f1 }) => [
          `${sanitize(name)}: ${sanitize(label)}`,
          formatNumber(count),
          formatShare(precision),
          formatShare(recall),
          formatShare(f1),
        ]),
      ),
    ]),
    '',
    style('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed items count as errors.'),
    '',
  ];
}
