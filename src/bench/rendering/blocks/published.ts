import { figure, name, number, percent, title, words, amount, type Block, type Cell } from '../block.ts';
import type { MeasuredSet } from '../measured-set.ts';
import { metricWords, type ScoreMetric } from '../metric-names.ts';
import { markNotes, markOf } from './marks.ts';

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
