import { describeComparison, type ReportedSet, type Comparison, type BenchJobReport } from '@agonhq/bench';
import { printCount, printShare, formatSigned } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';
import { documentsTable, renderFiguresTable } from './documents-table.ts';
import { evaluationTable } from './evaluation-table.ts';
import { moderationTable } from './moderation-table.ts';
import { renderGains } from './show-gains.ts';

/** One dataset: the figures of its job, then comparisons and what debates add. */
export function renderSet(set: ReportedSet): string[] {
  const [title, ...figures] = renderFigures(set);
  return [
    title!,
    ...renderRule(set),
    ...figures,
    ...renderMarks(set),
    ...renderComparisons(set),
    ...renderAllGains(set),
  ];
}

function renderFigures(set: ReportedSet): string[] {
  const { data } = set.result;
  const [heading, ...lines] = renderTable(set);
  return [data.title === data.file ? heading! : `${style('bold', sanitize(data.title))} · ${heading!}`, ...lines];
}

/** How a terminal shows the report of a job; any other job is shown by the figures that every job has. */
export interface ReportTable<Report extends BenchJobReport = BenchJobReport> {
  job: Report['job'];
  render(report: Report): string[];
}

const tables: readonly ReportTable[] = [moderationTable, evaluationTable, documentsTable];

function renderTable(set: ReportedSet): string[] {
  const { report } = set;
  return tables.find(({ job }) => job === report.job)?.render(report) ?? renderFiguresTable(set);
}

/** Figures mean little on training data, and where seats did not answer. */
function renderMarks({ result: { systems } }: ReportedSet): string[] {
  const named = (trained: string) =>
    systems.filter((system) => system.trained === trained).map(({ name }) => sanitize(name));
  const line = (names: readonly string[], what: string) =>
    names.length === 0 ? [] : [style('yellow', `${names.join(', ')}: ${what}`)];
  const lines = [
    ...line(named('these-items'), 'a model was trained on these very items; the figures say nothing about others.'),
    ...line(named('in-domain'), 'a model was trained on other items of this dataset.'),
    ...systems.flatMap((system) =>
      describeSilence(system).flatMap((silence) => line([sanitize(system.name)], silence)),
    ),
  ];
  return lines.length === 0 ? [] : [...lines, ''];
}

/** How often a seat gave no answer, and why; nothing if all answered. */
function describeSilence({ repeats }: ReportedSet['result']['systems'][number]): string[] {
  const judged = repeats.flat().filter(({ usage }) => usage !== null);
  const silent = judged
    .map(({ turns }) => turns.flatMap(({ fallback }) => fallback ?? []))
    .filter(({ length }) => length > 0);
  return silent.length === 0
    ? []
    : [
        `in ${silent.length} of ${judged.length} judgements a seat gave no answer and its fallback was used ` +
          `(${sanitize([...new Set(silent.flat())].join(', '))}).`,
      ];
}

/** By the paper's rule, its figures lead; the tables below them count undecided and failed items as errors. */
function renderRule({ result: { parameters, positive }, figures }: ReportedSet): string[] {
  if (parameters.invalid !== 'exclude') return [];
  const main = positive === null ? 'balancedAccuracy' : 'f1';
  const rows = figures.systems.map(({ name, scores, otherRule }) => [
    sanitize(name),
    printShare(scores[main].value),
    printShare(scores.accuracy.value),
    printShare(otherRule.scores[main].value),
    printShare(otherRule.scores.accuracy.value),
    String(otherRule.leftOut),
  ]);
  const called = positive === null ? 'balanced accuracy' : 'F1';
  return [
    '',
    "Without undecided and failed items (the paper's rule), beside ours, which counts them as errors:",
    ...formatTable([['system', called, 'accuracy', `${called}, ours`, 'accuracy, ours', 'left out'], ...rows]),
  ];
}

function renderComparisons({ result: { parameters, positive }, figures: { comparisons } }: ReportedSet): string[] {
  const shown = comparisons.filter(({ metric }) => metric !== 'accuracy');
  if (shown.length === 0) return [];
  return [
    `${sanitize(shown[0]!.first)} compared with the others, ` +
      `${parameters.invalid === 'exclude' ? 'each on the items it decided' : 'on the same items'}; ` +
      `p by McNemar's exact test, corrected for ${printCount(shown.length, 'comparison')} (Holm)`,
    ...formatTable([
      [
        'against',
        positive === null ? 'balanced accuracy' : 'F1',
        '95 %',
        'only it correct',
        'only other correct',
        'p',
        'corrected',
        '',
      ],
      ...shown.map(formatComparison),
    ]),
    '',
  ];
}

function formatComparison(comparison: Comparison): string[] {
  const {
    second,
    difference: { value, interval },
    onlyFirst,
    onlySecond,
    mcnemar,
    corrected,
  } = comparison;
  return [
    sanitize(second),
    value === null ? '–' : formatSigned(value),
    interval ? interval.map(formatSigned).join(' to ') : '',
    String(onlyFirst),
    String(onlySecond),
    formatP(mcnemar),
    formatP(corrected),
    describeComparison(comparison),
  ];
}

function formatP(value: number | null): string {
  return value === null ? '–' : value < 0.001 ? '<.001' : value.toFixed(3);
}

function renderAllGains({ figures }: ReportedSet): string[] {
  return figures.receipts.flatMap((receipt) => [...renderGains(receipt), '']);
}
