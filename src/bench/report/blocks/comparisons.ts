import type { Comparison } from '../../figures/set-figures.ts';
import {
  amount,
  name,
  number,
  points,
  words,
  type Block,
  type MeasuredSet,
  figure,
  percent,
  title,
  type Cell,
} from '../block.ts';
import { metricWords, type ScoreMetric } from '../metric-names.ts';
import { count, probability } from '../write-values.ts';
import { markNotes, markOf } from '../training-marks.ts';

const isKnown = (metric: string): metric is ScoreMetric => Object.hasOwn(metricWords, metric);

/** What others published on the data, beside what was measured here. */
export function publishedBlock({ sheet, figures }: MeasuredSet): Block | null {
  const { published } = sheet.data;
  if (published.length === 0) return null;
  const metrics = [...new Set(published.map(({ metric }) => metric))];
  // What is left of a debate without a part is held against the debate, in the scores.
  const ours = figures.systems.flatMap((system, place): Cell[][] => {
    const about = sheet.systems[place]!;
    return about.kind === 'ablation'
      ? []
      : [
          [
            name(about.name),
            ...metrics.map((metric) =>
              isKnown(metric)
                ? figure(system.scores[metric], { write: metricWords[metric].write, mark: markOf(about) })
                : number('–'),
            ),
            words('measured here'),
          ],
        ];
  });
  const theirs = [...Map.groupBy(published, ({ system, source }) => JSON.stringify([system, source])).values()].map(
    (all): Cell[] => [
      title(all[0]!.system),
      ...metrics.map((metric) => {
        const given = all.find((one) => one.metric === metric);
        return given ? amount(given.value, isKnown(metric) ? metricWords[metric].write : percent) : number('');
      }),
      title(all[0]!.source),
    ],
  );
  return {
    title: 'Beside published figures',
    lead:
      'Figures that others published on this data, as they gave them: other splits, prompts and rules may lie ' +
      'behind them.',
    table: {
      head: [
        words('System'),
        ...metrics.map((metric) =>
          isKnown(metric) ? number(metricWords[metric].title) : { text: metric, name: true, number: true },
        ),
        words('Source'),
      ],
      rows: [...theirs, ...ours],
    },
    notes: markNotes(sheet.systems),
  };
}

/** What a comparison says, in words. Clear is what the interval and the corrected test both say. */
export function comparisonWords({
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
export function comparisonsBlock({ figures: { comparisons } }: MeasuredSet): Block | null {
  if (comparisons.length === 0) return null;
  const metrics = [...new Set(comparisons.map(({ metric }) => metric))];
  const pairs = [...Map.groupBy(comparisons, ({ first, second }) => JSON.stringify([first, second])).values()];
  return {
    title: 'Comparisons',
    lead:
      'The first system of a row against the second on the same items: the difference in points, on the same ' +
      'resamples, and the items that only one of them judged rightly.',
    table: {
      head: [
        words('System'),
        words('against'),
        ...metrics.map((metric) => number(`${metricWords[metric].title}, points`)),
        words('In words'),
        number('Only the first right'),
        number('Only the second right'),
        number('McNemar p'),
        number('corrected p'),
        number('bootstrap p'),
      ],
      rows: pairs.map((pair) => {
        const [main] = pair;
        const { first, second, onlyFirst, onlySecond, mcnemar, corrected, bootstrap } = main!;
        return [
          name(first),
          name(second),
          ...metrics.map((metric) =>
            points(
              pair.find((comparison) => comparison.metric === metric)?.difference ?? { value: null, interval: null },
            ),
          ),
          words(comparisonWords(main!)),
          amount(onlyFirst, count),
          amount(onlySecond, count),
          amount(mcnemar, probability),
          amount(corrected, probability),
          amount(bootstrap, probability),
        ];
      }),
    },
    notes: [
      'McNemar’s exact test, corrected after Holm over all comparisons of this set. Clearly better or worse: the ' +
        'interval is without zero and the corrected p is below 0.05. The words and the bootstrap are about ' +
        `${metricWords[metrics[0]!].title}.`,
    ],
  };
}
