import type { Comparison } from '../../figures/set-figures.ts';
import { cell, type BenchBlock, type MeasuredSet, writePercent, type BlockCell, tableHead } from '../block.ts';
import { metricFormats, type ScoreMetric } from '../metric-names.ts';
import { writeCount, formatProbability } from '../write-values.ts';
import { trainingNotes, trainingMark } from '../training-marks.ts';

const isKnown = (metric: string): metric is ScoreMetric => Object.hasOwn(metricFormats, metric);

/** What others published on the data, beside what was measured here. */
export function publishedBlock({ result, figures }: MeasuredSet): BenchBlock | null {
  const { published } = result.data;
  if (published.length === 0) return null;
  const metrics = [...new Set(published.map(({ metric }) => metric))];
  // What is left of a debate without a part is held against the debate, in the scores.
  const ours = figures.systems.flatMap((system, place): BlockCell[][] => {
    const about = result.systems[place]!;
    return about.kind === 'ablation'
      ? []
      : [
          [
            cell.name(about.name),
            ...metrics.map((metric) =>
              isKnown(metric)
                ? cell.estimate(system.scores[metric], {
                    write: metricFormats[metric].write,
                    mark: trainingMark(about),
                  })
                : cell.number('–'),
            ),
            cell.text('measured here'),
          ],
        ];
  });
  const theirs = [...Map.groupBy(published, ({ system, source }) => JSON.stringify([system, source])).values()].map(
    (all): BlockCell[] => [
      cell.title(all[0]!.system),
      ...metrics.map((metric) => {
        const given = all.find((one) => one.metric === metric);
        return given
          ? cell.amount(given.value, isKnown(metric) ? metricFormats[metric].write : writePercent)
          : cell.number('');
      }),
      cell.title(all[0]!.source),
    ],
  );
  return {
    title: 'Compared with published figures',
    lead: 'Figures that others published on this data, as published: splits, prompts and rules may differ.',
    table: {
      head: [
        cell.text('System'),
        ...metrics.map((metric) =>
          isKnown(metric) ? cell.number(metricFormats[metric].title) : { text: metric, name: true, number: true },
        ),
        cell.text('Source'),
      ],
      rows: [...theirs, ...ours],
    },
    notes: trainingNotes(result.systems),
  };
}

/** What a comparison says, in words. Clear is what the interval and the corrected test both say. */
export function describeComparison({
  difference: { value, interval },
  corrected,
}: Pick<Comparison, 'difference' | 'corrected'>): 'clearly better' | 'clearly worse' | 'no clear difference' {
  const clear =
    value !== null &&
    interval !== null &&
    corrected !== null &&
    corrected < 0.05 &&
    (interval[0] > 0 || interval[1] < 0);
  return !clear ? 'no clear difference' : value > 0 ? 'clearly better' : 'clearly worse';
}

/** Each pair of systems on the same items. */
export function comparisonsBlock({ result, figures: { comparisons } }: MeasuredSet): BenchBlock | null {
  if (comparisons.length === 0) return null;
  const metrics = [...new Set(comparisons.map(({ metric }) => metric))];
  const pairs = [...Map.groupBy(comparisons, ({ first, second }) => JSON.stringify([first, second])).values()];
  return {
    title: 'Comparisons',
    lead:
      'The first system of a row against the second, ' +
      `${result.parameters.invalid === 'exclude' ? 'each on the items it decided' : 'on the same items'}: the ` +
      'difference in points, on the same resamples, and the items that only one of them got right.',
    table: {
      head: [
        ...tableHead('System | against'),
        ...metrics.map((metric) => cell.number(`${metricFormats[metric].title}, points`)),
        ...tableHead(
          'In words',
          'Only the first right | Only the second right | McNemar p | corrected p | bootstrap p',
        ),
      ],
      rows: pairs.map((pair) => {
        const [main] = pair;
        const { first, second, onlyFirst, onlySecond, mcnemar, corrected, bootstrap } = main!;
        return [
          cell.name(first),
          cell.name(second),
          ...metrics.map((metric) =>
            cell.points(
              pair.find((comparison) => comparison.metric === metric)?.difference ?? { value: null, interval: null },
            ),
          ),
          cell.text(describeComparison(main!)),
          cell.amount(onlyFirst, writeCount),
          cell.amount(onlySecond, writeCount),
          cell.amount(mcnemar, formatProbability),
          cell.amount(corrected, formatProbability),
          cell.amount(bootstrap, formatProbability),
        ];
      }),
    },
    notes: [
      'McNemar’s exact test, with Holm’s correction over all comparisons of this set. Clearly better or worse: the ' +
        'interval excludes zero and the corrected p is below 0.05. The wording and the bootstrap are about ' +
        `${metricFormats[metrics[0]!].title}.`,
    ],
  };
}
