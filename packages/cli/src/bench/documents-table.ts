import type { DocumentsReport, DocumentsSystemReport, ReportedSet } from '@agonhq/bench';
import { printCost, printInterval, formatMilliseconds, printNumber, printShare } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatColumns, formatTable, type PrintedColumn, type PrintedRow } from '../terminal/table.ts';
import type { ReportTable } from './show-set.ts';

const mostNamed = 8;

export const documentsTable: ReportTable<DocumentsReport> = { job: 'documents', render: renderDocumentsTable };

function renderDocumentsTable({ data, systems }: DocumentsReport): string[] {
  const labels = Object.entries(data.labels)
    .filter(([, count]) => count > 0)
    .map(([label, count]) => `${count} ${label}`);
  return [
    `${style('bold', sanitize(data.file))} · ${data.items} claims, ${labels.join(', ')} · sha256 ` +
      `${data.sha256.slice(0, 12)}…`,
    '',
    ...formatColumns(systems, listColumns(data.withEvidence > 0)),
    '',
    ...formatTable([['by class', 'claims', 'precision', 'recall', 'F1'], ...systems.flatMap(formatClasses)]),
    '',
    style('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed claims count as errors.'),
    ...systems.flatMap(renderUnsettled),
    '',
  ];
}

function listColumns(cites: boolean): PrintedColumn<DocumentsSystemReport>[] {
  return [
    ['system', ({ name }) => sanitize(name)],
    ['accuracy', ({ metrics }) => printShare(metrics.accuracy)],
    ['', ({ intervals }) => printInterval(intervals.accuracy)],
    ['macro-F1', ({ metrics }) => printShare(metrics.macroF1)],
    ['', ({ intervals }) => printInterval(intervals.macroF1)],
    ['balanced', ({ metrics }) => printShare(metrics.balancedAccuracy)],
    ['', ({ intervals }) => printInterval(intervals.balancedAccuracy)],
    cites && ['cite P', ({ metrics }) => printShare(metrics.citationPrecision)],
    cites && ['cite R', ({ metrics }) => printShare(metrics.citationRecall)],
    ['undecided', ({ metrics }) => printNumber(metrics.undecided)],
    ['failed', ({ metrics }) => printNumber(metrics.failed)],
    ['p50 ms', ({ latencyMs }) => formatMilliseconds(latencyMs.p50)],
    ['claims/s', ({ itemsPerSecond }) => itemsPerSecond?.toFixed(1) ?? '–'],
    ['cost', ({ usage }) => printCost(usage)],
  ];
}

function formatClasses({ name, metrics }: DocumentsSystemReport): PrintedRow[] {
  return metrics.byClass.map(({ label, items, precision, recall, f1 }) => [
    `${sanitize(name)}: ${label}`,
    String(items),
    printShare(precision),
    printShare(recall),
    printShare(f1),
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
          printShare(value),
          printInterval(interval),
        ]),
        printNumber(unsettled.undecided.length),
        printNumber(unsettled.failed.length),
        formatMilliseconds(cost.latencyMs.p50),
        printCost(cost),
      ]),
    ]),
    '',
    ...formatTable([
      ['by class', 'items', 'precision', 'recall', 'F1'],
      ...systems.flatMap(({ name, byClass }) =>
        byClass.map(({ label, items: count, precision, recall, f1 }) => [
          `${sanitize(name)}: ${sanitize(label)}`,
          printNumber(count),
          printShare(precision),
          printShare(recall),
          printShare(f1),
        ]),
      ),
    ]),
    '',
    style('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed items count as errors.'),
    '',
  ];
}
