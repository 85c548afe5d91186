import { cell, rankValues, type BenchBlock, type MeasuredSet } from '../block.ts';
import { mainMetric, metricFormats, type ScoreMetric } from '../metric-names.ts';
import { trainingNotes, trainingMark } from '../training-marks.ts';

/**
 * Every system on every set, where there are several: for each job a table by the metric that its sets lead with, and
 * one of accuracy, where that is another.
 */
export function summaryBlocks(sets: readonly MeasuredSet[]): BenchBlock[] {
  if (sets.length < 2) return [];
  const byJob = [...Map.groupBy(sets, ({ result }) => result.job).values()];
  return byJob.flatMap((own) => {
    const { title, accuracyTitle } = own[0]!.job;
    const titled = (what: string) =>
      byJob.length > 1 ? `${title}: ${what.charAt(0).toLowerCase()}${what.slice(1)}` : what;
    const leading = summaryBlock(own, titled('All sets at a glance'), mainMetric);
    const byAccuracy =
      accuracyTitle === null || own.every((set) => mainMetric(set) === 'accuracy')
        ? []
        : [summaryBlock(own, titled(accuracyTitle), () => 'accuracy')];
    return [leading, ...byAccuracy];
  });
}

function summaryBlock(
  sets: readonly MeasuredSet[],
  called: string,
  metricOf: (set: MeasuredSet) => ScoreMetric,
): BenchBlock {
  const names = [...new Set(sets.flatMap(({ result }) => result.systems.map((system) => system.name)))];
  const columns = sets.map((set) => {
    const metric = metricOf(set);
    const rank = rankValues(
      set.result.systems.map(({ trained }, place) =>
        trained === 'these-items' ? null : set.figures.systems[place]!.scores[metric].value,
      ),
    );
    return {
      head: {
        ...cell.title(set.result.data.title),
        number: true,
        detail: `${metricFormats[metric].title}, ${set.result.items.length} items`,
      },
      cellOf: (of: string) => {
        const place = set.result.systems.findIndex((system) => system.name === of);
        if (place < 0) return cell.number('');
        const system = set.result.systems[place]!;
        const estimate = set.figures.systems[place]!.scores[metric];
        return cell.estimate(estimate, {
          emphasis: system.trained === 'these-items' ? undefined : rank(estimate.value),
          mark: trainingMark(system),
        });
      },
    };
  });
  return {
    title: called,
    lead: 'In percent, with the 95 % interval. The best of a set is bold, the next underlined.',
    table: {
      head: [cell.text('System'), ...columns.map(({ head }) => head)],
      rows: names.map((of) => [cell.name(of), ...columns.map(({ cellOf }) => cellOf(of))]),
    },
    notes: trainingNotes(sets.flatMap(({ result }) => result.systems)),
  };
}
