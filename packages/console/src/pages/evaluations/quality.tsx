import type { SentRunReport } from '../../api/client.ts';
import { showCount, formatInterval, showPercent } from '../../charts/format-figures.ts';
import { ChartFigure, IntervalChart } from '../../charts/index.ts';
import type { EstimatedSeries } from '../../charts/charts.tsx';
import { type TableColumn, DataTable } from '../../components/table.tsx';

type Quality = NonNullable<SentRunReport['quality']>;

const metrics = [
  ['accuracy', 'Accuracy'],
  ['precision', 'Precision'],
  ['recall', 'Recall'],
  ['f1', 'F1'],
] as const;

export interface NamedQuality {
  name: string;
  quality: Quality;
}

const looks = [
  { colour: 'var(--implicit)', shape: 'circle' },
  { colour: 'var(--both)', shape: 'diamond' },
] as const;

/** How right verdicts were, with 95 % intervals; of one run, or of two side by side. */
export function QualityFigure({ runs }: { runs: readonly NamedQuality[] }) {
  const series = runs.map(({ name, quality }, index): EstimatedSeries => ({
    name,
    ...looks[index % looks.length]!,
    values: metrics.map(([metric, words]) => ({
      name: words,
      value: quality[metric],
      interval: quality.intervals[metric],
    })),
  }));
  return (
    <ChartFigure
      title="Quality"
      lead={
        `Based on ${runs.map(({ quality }) => showCount(quality.items)).join(' and ')} judged items with labels. ` +
        'Unsafe is the positive class; undecided counts as an error. Bars show 95 % intervals.'
      }
      summary={runs
        .map(
          ({ name, quality }) =>
            `${name}: ${metrics.map(([metric, words]) => `${words} ${showPercent(quality[metric])}`).join(', ')}`,
        )
        .join('. ')}
      table={
        <DataTable
          label="Quality"
          rows={metrics}
          columns={[
            ['Metric', ([, words]) => words],
            ...runs.flatMap(({ name, quality }): TableColumn<(typeof metrics)[number]>[] => [
              [name, ([metric]) => showPercent(quality[metric]), 'tabular-nums'],
              [
                '95 % interval',
                ([metric]) => formatInterval(quality.intervals[metric]),
                'tabular-nums whitespace-nowrap',
              ],
            ]),
          ]}
        />
      }
    >
      <IntervalChart series={series} />
    </ChartFigure>
  );
}

interface ConfusionTableProps {
  confusion: Record<string, number>;
  label?: string;
}

export function ConfusionTable({ confusion, label = 'True label against verdict' }: ConfusionTableProps) {
  const cells = Object.entries(confusion).map(([cell, items]) => ({
    right: cell.split(' as ')[0]!,
    said: cell.split(' as ')[1]!,
    items,
  }));
  const rights = [...new Set(cells.map(({ right }) => right))].toSorted();
  const saids = [...new Set(cells.map(({ said }) => said))].toSorted();
  return (
    <DataTable
      label={label}
      rows={rights}
      columns={[
        ['True label', (right) => right, 'font-medium'],
        ...saids.map((said): TableColumn<string> => [
          `Judged ${said}`,
          (right) => showCount(cells.find((cell) => cell.right === right && cell.said === said)?.items ?? 0),
          'tabular-nums',
        ]),
      ]}
    />
  );
}
