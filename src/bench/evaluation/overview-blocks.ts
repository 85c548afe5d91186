import { column, countOf, headOf, name, number, percent, percentEstimate, percentInterval, pointsEstimate, ranking, words, type Bar, type Block, type Cell } from '../rendering/block.ts';
import type { EvaluationReport, EvaluationSystemReport, Place } from './report.ts';

/** Table 1: every evaluator on every set of data. */
export function overallAccuracy(reports: readonly EvaluationReport[]): Block {
  const evaluators = [...new Set(reports.flatMap(({ systems }) => systems.map((system) => system.name)))];
  const find = (report: EvaluationReport, evaluator: string) => report.systems.find((system) => system.name === evaluator);
  const rank = reports.map(({ systems }) => ranking(systems.map(({ metrics }) => metrics.accuracy)));
  return {
    title: 'Table 1: overall accuracy',
    lead: `Accuracy in percent with its 95 % interval${several(reports) ? ', the mean over repeats with its standard deviation' : ''}. The best of a set is bold, the next underlined.`,
    table: {
      head: [words('Evaluator'), ...reports.map(({ data }) => column(data.file))],
      rows: evaluators.map((evaluator) => [
        name(evaluator),
        ...reports.map((report, place) => {
          const system = find(report, evaluator);
          return system ? number(withSpread(system), rank[place]!(system.metrics.accuracy)) : number('–');
        }),
      ]),
    },
  };
}

function withSpread({ metrics, intervals, repeats }: EvaluationSystemReport): string {
  const spread = repeats.spread.accuracy === null ? '' : ` ± ${percent(repeats.spread.accuracy)}`;
  return `${percent(metrics.accuracy)}${spread}${percentInterval(intervals.accuracy)}`;
}

function several(reports: readonly EvaluationReport[]): boolean {
  return reports.some(({ parameters }) => parameters.repeats > 1);
}

const leadWords = 'The last two columns are the lead of the first evaluator over the others in points, on the same resamples: an interval without zero is a difference.';

/** Accuracy, precision, recall and F1, and how far each evaluator is behind the first. */
export function metricsBlock({ systems }: EvaluationReport): Block {
  const compared = systems.length > 1;
  const rank = { accuracy: ranking(systems.map(({ metrics }) => metrics.accuracy)), f1: ranking(systems.map(({ metrics }) => metrics.f1)) };
  return {
    title: 'Figures',
    lead: ['Unsafe is the positive class. Undecided and failed items count as errors.', ...(compared ? [leadWords] : [])].join(' '),
    chart: {
      kind: 'bars',
      title: 'Accuracy with its 95 % interval',
      groups: systems.map((system) => ({
        label: system.name,
        bars: [{ name: system.name, tone: toneOf(system), estimate: { value: system.metrics.accuracy, interval: system.intervals.accuracy } }],
      })),
    },
    table: {
      head: headOf(['Evaluator', 'Accuracy', 'F1', 'Precision', 'Recall', 'Undecided', 'Failed', ...(compared ? ['Lead, accuracy', 'Lead, F1'] : [])]),
      rows: systems.map(({ name: evaluator, metrics, intervals, behindFirst }) => [
        name(evaluator),
        number(percentEstimate({ value: metrics.accuracy, interval: intervals.accuracy }), rank.accuracy(metrics.accuracy)),
        number(percentEstimate({ value: metrics.f1, interval: intervals.f1 }), rank.f1(metrics.f1)),
        number(percent(metrics.precision)), number(percent(metrics.recall)), number(countOf(metrics.undecided)), number(countOf(metrics.failed)),
        ...(compared ? leadCells(behindFirst) : []),
      ]),
    },
  };
}

function toneOf({ method }: EvaluationSystemReport): Bar['tone'] {
  return method === 'debate' || method === 'judge' ? method : 'other';
}

function leadCells(behindFirst: EvaluationSystemReport['behindFirst']): Cell[] {
  if (!behindFirst) return [number(''), number('')];
  return [number(pointsEstimate(behindFirst.accuracy)), number(pointsEstimate({ value: behindFirst.f1, interval: behindFirst.interval }))];
}

export function repeatsBlock({ systems, parameters }: EvaluationReport): Block {
  const title = 'Repeats';
  const lead = 'How much the same evaluator differs from itself when it judges everything anew.';
  if (parameters.repeats < 2) return { title, lead, missing: 'There was one repeat: give --repeats 3.' };
  return {
    title,
    lead: `${lead} ${parameters.repeats} repeats; the spread is the standard deviation in points.`,
    table: {
      head: headOf(['Evaluator', 'Accuracy', 'Spread', 'F1', 'Spread', 'Same label always', 'Right always (pass^k)']),
      rows: systems.map(({ name: evaluator, metrics, repeats }) => [
        name(evaluator),
        ...[metrics.accuracy, repeats.spread.accuracy, metrics.f1, repeats.spread.f1, repeats.sameLabel, repeats.alwaysRight].map((value) => number(percent(value))),
      ]),
    },
  };
}

export function usageBlock({ systems }: EvaluationReport): Block {
  return {
    title: 'What it cost',
    lead: 'Calls, tokens and cost of all repeats together; by item, the mean of one judgement.',
    table: {
      head: headOf(['Evaluator', 'Models', 'Calls', 'Tokens in', 'Tokens out', 'Cost', 'Calls by item', 'Tokens by item', 'Cost by item', 'ms by item', 'Items/s'], 2),
      rows: systems.map(({ name: evaluator, models, usage, perItem, itemsPerSecond }) => [
        name(evaluator),
        models.length === 0 ? words('none') : name([...new Set(models)].join(', ')),
        number(count(usage.calls)), number(count(usage.inputTokens)), number(count(usage.outputTokens)), number(dollars(usage.costUsd)),
        number(perItem.calls === null ? '–' : perItem.calls.toFixed(1)), number(perItem.tokens === null ? '–' : count(Math.round(perItem.tokens))),
        number(dollars(perItem.costUsd, 6)), number(perItem.latencyMs === null ? '–' : perItem.latencyMs.toFixed(perItem.latencyMs < 10 ? 1 : 0)),
        number(itemsPerSecond === null ? '–' : itemsPerSecond.toFixed(1)),
      ]),
    },
  };
}

/** The items that count as errors because nobody decided them. */
export function unsettledBlock({ systems }: EvaluationReport): Block {
  const rows = systems.flatMap(({ name: evaluator, unsettled }) =>
    (['undecided', 'failed'] as const)
      .filter((kind) => unsettled[kind].length > 0)
      .map((kind) => [name(evaluator), words(kind), number(String(unsettled[kind].length)), name(placesIn(unsettled[kind]))]),
  );
  const title = 'Undecided and failed items';
  const lead = 'They count as errors above.';
  if (rows.length === 0) return { title, lead: 'Every evaluator decided every item.' };
  return { title, lead, table: { head: [words('Evaluator'), words('What'), number('Items'), words('Which (the line where there is no id)')], rows } };
}

const mostListed = 100;

function placesIn(places: readonly Place[]): string {
  const listed = places.slice(0, mostListed).map(({ line, id }) => id ?? `line ${line}`);
  return `${listed.join(', ')}${places.length > mostListed ? `, and ${places.length - mostListed} more (all of them in the JSON)` : ''}`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

function dollars(value: number | null, digits = 4): string {
  return value === null ? 'unknown' : `$${value.toFixed(digits)}`;
}
