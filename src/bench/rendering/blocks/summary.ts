import { figure, name, number, ranking, title, words, type Block } from '../block.ts';
import type { MeasuredSet } from '../measured-set.ts';
import { mainMetric, metricWords } from '../metric-names.ts';
import { markNotes, markOf } from './marks.ts';

/** Every system on every set by the metric that the set leads with. */
export function summaryBlock(sets: readonly MeasuredSet[]): Block {
  const names = [...new Set(sets.flatMap(({ sheet }) => sheet.systems.map((system) => system.name)))];
  const columns = sets.map((set) => {
    const metric = mainMetric(set);
    const rank = ranking(set.sheet.systems.map(({ trained }, place) => (trained === 'these-items' ? null : set.figures.systems[place]!.scores[metric].value)));
    return {
      head: { ...title(set.sheet.data.title), number: true, detail: `${metricWords[metric].title}, ${set.sheet.items.length} items` },
      cellOf: (of: string) => {
        const place = set.sheet.systems.findIndex((system) => system.name === of);
        if (place < 0) return number('');
        const system = set.sheet.systems[place]!;
        const estimate = set.figures.systems[place]!.scores[metric];
        return figure(estimate, { emphasis: system.trained === 'these-items' ? undefined : rank(estimate.value), mark: markOf(system) });
      },
    };
  });
  return {
    title: 'All sets at a glance',
    lead: 'In percent, with the 95 % interval. The best of a set is bold, the next underlined.',
    table: { head: [words('System'), ...columns.map(({ head }) => head)], rows: names.map((of) => [name(of), ...columns.map(({ cellOf }) => cellOf(of))]) },
    notes: markNotes(sets.flatMap(({ sheet }) => sheet.systems)),
  };
}
