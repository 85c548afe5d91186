import type { Scores } from '../../figures/set-figures.ts';
import { cell, rankValues, type BenchBlock, type BlockCell, type MeasuredSet } from '../block.ts';
import { mainMetric, metricFormats, type ScoreMetric } from '../metric-names.ts';
import { trainingNotes, trainingMark } from '../training-marks.ts';
import type { Estimate } from '@agonhq/engine/statistics';

interface Column {
  title: string;
  cells: readonly BlockCell[];
  measured: boolean;
}

function metricColumn(
  { result, figures }: MeasuredSet,
  title: string,
  better: 'higher' | 'lower',
  write: (value: number) => string,
  estimateOf: (system: MeasuredSet['figures']['systems'][number]) => Estimate,
): Column {
  const estimates = figures.systems.map(estimateOf);
  const rank = rankValues(
    estimates.map(({ value }, place) => (result.systems[place]!.trained === 'these-items' ? null : value)),
    better,
  );
  const cells = estimates.map((estimate, place) => {
    const system = result.systems[place]!;
    return cell.estimate(estimate, {
      write,
      mark: trainingMark(system),
      emphasis: system.trained === 'these-items' ? undefined : rank(estimate.value),
    });
  });
  return { title, cells, measured: estimates.some(({ value }) => value !== null) };
}

const scoreColumn = (set: MeasuredSet, metric: ScoreMetric): Column => {
  const { title, better, write } = metricFormats[metric];
  return metricColumn(set, title, better, write, ({ scores }) => scores[metric]);
};

/** What nothing in the data measures has no column. */
function tableOf({ result }: MeasuredSet, columns: readonly Column[]) {
  const shown = columns.filter(({ measured }) => measured);
  return {
    head: [cell.text('System'), ...shown.map(({ title }) => cell.number(title))],
    rows: result.systems.map((system, place) => [cell.name(system.name), ...shown.map(({ cells }) => cells[place]!)]),
  };
}

const ruleWords = {
  error: 'Undecided and failed items count as errors.',
  exclude: 'Undecided and failed items are left out, as in the paper.',
};

const mostBars = 16;

/** How often the labels are right. */
export function labelScores(set: MeasuredSet): BenchBlock {
  const main = mainMetric(set);
  const { result, figures } = set;
  const metrics: ScoreMetric[] = ['accuracy', 'balancedAccuracy', 'macroF1', 'precision', 'recall', 'f1'];
  const times = ({ repeats }: MeasuredSet['result']['systems'][number], kind: string) =>
    repeats.flat().filter(({ said }) => said === kind).length / Math.max(1, repeats.length);
  const unsettled = (kind: 'undecided' | 'failed') => ({
    title: kind === 'undecided' ? 'Undecided' : 'Failed',
    cells: result.systems.map((system) => cell.amount(times(system, kind))),
    measured: true,
  });
  return {
    title: 'Scores',
    lead:
      `In percent, with the 95 % interval. ${ruleWords[result.parameters.invalid]}` +
      (result.parameters.repeats > 1 ? ` Means over ${result.parameters.repeats} repeats.` : ''),
    ...(figures.systems.length > 1 &&
      figures.systems.length <= mostBars && {
        chart: {
          kind: 'bars' as const,
          title: `${metricFormats[main].title} with its 95 % interval`,
          groups: figures.systems.map(({ name, scores }, place) => ({
            label: name,
            bars: [
              {
                name,
                tone: result.systems[place]!.kind === 'debate' ? ('debate' as const) : ('other' as const),
                estimate: scores[main],
                mark: trainingMark(result.systems[place]!),
              },
            ],
          })),
        },
      }),
    table: tableOf(set, [
      ...metrics.map((metric) => scoreColumn(set, metric)),
      metricColumn(
        set,
        'Cohen’s κ',
        'higher',
        (value) => value.toFixed(3),
        ({ kappa }) => kappa,
      ),
      unsettled('undecided'),
      unsettled('failed'),
    ]),
    notes: trainingNotes(result.systems),
  };
}

/** How good the scores behind the labels are. */
export function sureness(set: MeasuredSet): BenchBlock | null {
  const table = tableOf(
    set,
    (['auc', 'averagePrecision', 'recallAt1PercentFpr', 'ece', 'brier'] as const).map((metric) =>
      scoreColumn(set, metric),
    ),
  );
  if (table.head.length === 1) return null;
  return {
    title: 'Ranking and calibration',
    lead:
      'How well the scores rank the items (in percent; higher is better), and how far they are from the truth ' +
      '(ECE and Brier; lower is better).',
    table,
  };
}

const sideBySide = ['accuracy', 'balancedAccuracy', 'f1'] as const;

function besideBlock(
  set: MeasuredSet,
  title: string,
  lead: string,
  [mine, theirs]: readonly [string, string],
  otherOf: (system: MeasuredSet['figures']['systems'][number]) => { count: number; scores: Scores } | null,
  counted: string,
): BenchBlock | null {
  const { result, figures } = set;
  const others = figures.systems.map(otherOf);
  if (others.every((other) => other === null)) return null;
  const metrics = sideBySide.filter((metric) => figures.systems.some(({ scores }) => scores[metric].value !== null));
  return {
    title,
    lead,
    table: {
      head: [
        cell.text('System'),
        cell.number(counted),
        ...metrics.flatMap((metric) => [
          cell.number(`${metricFormats[metric].title}, ${mine}`),
          cell.number(`${metricFormats[metric].title}, ${theirs}`),
        ]),
      ],
      rows: figures.systems.flatMap(({ scores }, place) => {
        const other = others[place];
        if (!other) return [];
        const mark = trainingMark(result.systems[place]!);
        return [
          [
            cell.name(result.systems[place]!.name),
            cell.amount(other.count),
            ...metrics.flatMap((metric) => [
              cell.estimate(scores[metric], { mark }),
              cell.estimate(other.scores[metric], { mark }),
            ]),
          ],
        ];
      }),
    },
  };
}

/** Our rule for items that nobody decided beside the paper's, where they differ. */
export function bothRules(set: MeasuredSet): BenchBlock | null {
  const ours = set.result.parameters.invalid;
  const names = { error: 'as errors', exclude: 'left out' } as const;
  const other = ours === 'error' ? 'exclude' : 'error';
  return besideBlock(
    set,
    'Undecided items, by both rules',
    'Undecided and failed items as errors, and left out as the papers do.',
    [names[ours], names[other]],
    ({ otherRule }) => (otherRule.leftOut > 0 ? { count: otherRule.leftOut, scores: otherRule.scores } : null),
    'Undecided or failed',
  );
}

/** With and without the items that anybody gets right. */
export function withoutTrivial(set: MeasuredSet): BenchBlock | null {
  return besideBlock(
    set,
    'Without trivial items',
    'Items whose text is a refusal are easy. The same figures with and without them.',
    ['all', 'without'],
    ({ withoutTrivial: other }) => (other ? { count: other.items, scores: other } : null),
    'Items without',
  );
}
