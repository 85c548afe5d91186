import type { EvaluationReport, EvaluationSystemReport } from '../../bench/index.ts';
import { formatInterval, formatMilliseconds, formatShare } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatTable, type Row } from '../terminal/table.ts';
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
    ...formatTable([heading(report), ...systems.map((system) => formatSystem(system, report))]),
    '',
    ...formatTable([['evaluator', 'calls/item', 'tokens/item', 'p50 ms', 'cost'], ...systems.map(formatCost)]),
    '',
    style('dim', 'Intervals: 95 %, by bootstrap. Undecided and failed items count as errors.'),
    ...renderBias(report),
    ...renderDivergence(report),
    '',
  ];
}

function shown({ data, systems, parameters }: EvaluationReport) {
  return {
    repeats: parameters.repeats > 1,
    models: systems[0]!.byModel.spread !== null,
    risks: data.risks.explicit + data.risks.implicit > 0,
  };
}

function heading(report: EvaluationReport): Row {
  const { repeats, models, risks } = shown(report);
  return [
    'evaluator',
    'accuracy',
    '',
    ...(repeats ? ['±'] : []),
    'F1',
    '',
    'precision',
    'recall',
    ...(models ? ['std over models'] : []),
    ...(risks ? ['explicit', 'implicit'] : []),
    ...(repeats ? ['same label'] : []),
    'undecided',
    'failed',
  ];
}

function formatSystem(
  { name, metrics, intervals, repeats, byModel, byRisk }: EvaluationSystemReport,
  report: EvaluationReport,
): Row {
  const columns = shown(report);
  return [
    sanitize(name),
    formatShare(metrics.accuracy),
    formatInterval(intervals.accuracy),
    ...(columns.repeats ? [formatShare(repeats.spread.accuracy)] : []),
    formatShare(metrics.f1),
    formatInterval(intervals.f1),
    formatShare(metrics.precision),
    formatShare(metrics.recall),
    ...(columns.models ? [formatShare(byModel.spread)] : []),
    ...(columns.risks
      ? [formatShare(byRisk.explicit.accuracy.value), formatShare(byRisk.implicit.accuracy.value)]
      : []),
    ...(columns.repeats ? [formatShare(repeats.sameLabel)] : []),
    formatAmount(metrics.undecided),
    formatAmount(metrics.failed),
  ];
}

function formatCost({ name, perItem, latencyMs, usage }: EvaluationSystemReport): Row {
  const tokens = perItem.tokens === null ? '–' : Math.round(perItem.tokens).toString();
  return [
    sanitize(name),
    formatAmount(perItem.calls),
    tokens,
    formatMilliseconds(latencyMs.p50),
    usage.costUsd === null ? 'unknown' : `$${usage.costUsd.toFixed(4)}`,
  ];
}

function renderBias({ selfEvaluation, parameters }: EvaluationReport): string[] {
  return selfEvaluation.flatMap(({ model, judges, others }) =>
    judges
      .filter(({ breach }) => breach)
      .map(({ name, saysUnsafe }) => {
        const shares = `${formatShare(saysUnsafe)} of the time (others: ${formatShare(others.saysUnsafe)})`;
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

function formatAmount(value: number | null): string {
  return value === null ? '–' : Number.isInteger(value) ? String(value) : value.toFixed(1);
}
