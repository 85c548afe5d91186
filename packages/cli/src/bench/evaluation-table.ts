import type { EvaluationReport, EvaluationSystemReport } from '@agonhq/bench';
import { printCost, printInterval, formatMilliseconds, printNumber, printShare } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatColumns, type PrintedColumn } from '../terminal/table.ts';
import type { ReportTable } from './show-set.ts';

export const evaluationTable: ReportTable<EvaluationReport> = { job: 'evaluation', render: renderEvaluationTable };

function renderEvaluationTable(report: EvaluationReport): string[] {
  const { data, systems, parameters } = report;
  const facts = [
    `${data.items} items, ${data.unsafe} unsafe`,
    parameters.repeats > 1 && `${parameters.repeats} repeats`,
    `sha256 ${data.sha256.slice(0, 12)}…`,
  ];
  return [
    `${style('bold', sanitize(data.file))} · ${facts.filter(Boolean).join(' · ')}`,
    '',
    ...formatColumns(systems, listColumns(report)),
    '',
    ...formatColumns(systems, costColumns),
    '',
    style('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed items count as errors.'),
    ...renderBias(report),
    ...renderDivergence(report),
    '',
  ];
}

/** Columns for what the data has. */
function listColumns({ data, systems, parameters }: EvaluationReport): PrintedColumn<EvaluationSystemReport>[] {
  const repeated = parameters.repeats > 1;
  const risks = data.risks.explicit + data.risks.implicit > 0;
  return [
    ['evaluator', ({ name }) => sanitize(name)],
    ['accuracy', ({ metrics }) => printShare(metrics.accuracy)],
    ['', ({ intervals }) => printInterval(intervals.accuracy)],
    repeated && ['±', ({ repeats }) => printShare(repeats.spread.accuracy)],
    ['F1', ({ metrics }) => printShare(metrics.f1)],
    ['', ({ intervals }) => printInterval(intervals.f1)],
    ['precision', ({ metrics }) => printShare(metrics.precision)],
    ['recall', ({ metrics }) => printShare(metrics.recall)],
    systems[0]!.byModel.spread !== null && ['std over models', ({ byModel }) => printShare(byModel.spread)],
    risks && ['explicit', ({ byRisk }) => printShare(byRisk.explicit.accuracy.value)],
    risks && ['implicit', ({ byRisk }) => printShare(byRisk.implicit.accuracy.value)],
    repeated && ['same label', ({ repeats }) => printShare(repeats.sameLabel)],
    ['undecided', ({ metrics }) => printNumber(metrics.undecided)],
    ['failed', ({ metrics }) => printNumber(metrics.failed)],
  ];
}

const costColumns: PrintedColumn<EvaluationSystemReport>[] = [
  ['evaluator', ({ name }) => sanitize(name)],
  ['calls/item', ({ perItem: { calls } }) => (calls === null ? '–' : printNumber(calls))],
  ['tokens/item', ({ perItem: { tokens } }) => (tokens === null ? '–' : String(Math.round(tokens)))],
  ['p50 ms', ({ latencyMs }) => formatMilliseconds(latencyMs.p50)],
  ['cost', ({ usage }) => printCost(usage)],
];

function renderBias({ selfEvaluation, parameters }: EvaluationReport): string[] {
  return selfEvaluation.flatMap(({ model, judges, others }) =>
    judges
      .filter(({ breach }) => breach)
      .map(({ name, saysUnsafe }) => {
        const shares = `${printShare(saysUnsafe)} of the time (others: ${printShare(others.saysUnsafe)})`;
        return style(
          'yellow',
          `${sanitize(name)} calls ${sanitize(model)}, of its own family, unsafe ${shares}: breaches equation 3 (γ = ` +
            `${parameters.gamma})`,
        );
      }),
  );
}

function renderDivergence({ divergence, parameters }: EvaluationReport): string[] {
  const pairs = divergence.filter(({ breach }) => breach);
  if (pairs.length === 0) return [];
  const { first, second, value } = pairs.toSorted((a, b) => b.value! - a.value!)[0]!;
  const most = `${sanitize(first)} from ${sanitize(second)}: ${value!.toFixed(2)}`;
  return [
    style(
      'yellow',
      `${pairs.length} of ${divergence.length} ordered pairs diverge by δ = ${parameters.delta} or more (equation ` +
        `2), most of all ${most}`,
    ),
  ];
}
