import { type MetricTitle, metricTitles } from '@agonhq/bench/report/metric-names';
import type { BenchSet } from '../../api/client.ts';
import {
  formatCost,
  showCount,
  formatDuration,
  formatInterval,
  formatP,
  showPercent,
} from '../../charts/format-figures.ts';
import { ChartFigure, IntervalChart } from '../../charts/index.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { SelectField } from '../../components/field.tsx';
import { Cell, DataTable, Table } from '../../components/table.tsx';

interface SystemsFigureProps {
  set: BenchSet;
  metric: string;
  onMetric: (metric: string) => void;
}

export function SystemsFigure({ set, metric, onMetric }: SystemsFigureProps) {
  const { title } = findMetric(metric);
  const values = set.systems.map(({ name, metrics }) => ({
    name,
    value: metrics[metric]?.value ?? null,
    interval: metrics[metric]?.interval ?? null,
  }));
  const metrics = [
    ...new Set(
      set.systems.flatMap((system) =>
        Object.entries(system.metrics).flatMap(([name, { value }]) => (value === null ? [] : [name])),
      ),
    ),
  ];
  return (
    <ChartFigure
      title={`${title} by system`}
      lead="Bars show 95 % intervals from 1,000 resamples, the same for all systems."
      summary={values
        .map(
          ({ name, value, interval }) =>
            `${name} ${showPercent(value)}${interval ? ` (${formatInterval(interval)})` : ''}`,
        )
        .join('; ')}
      table={
        <DataTable
          label={`${title} by system`}
          rows={values}
          columns={[
            ['System', ({ name }) => name, 'words'],
            [title, ({ value }) => showPercent(value), 'tabular-nums'],
            ['95 % interval', ({ interval }) => formatInterval(interval), 'tabular-nums whitespace-nowrap'],
          ]}
        />
      }
      aside={
        <SelectField
          label="Metric"
          className="max-w-60"
          value={metric}
          onChange={onMetric}
          options={metrics.map((name) => [name, findMetric(name).title])}
        />
      }
    >
      <IntervalChart series={[{ name: title, colour: 'var(--implicit)', shape: 'circle', values }]} />
    </ChartFigure>
  );
}

const shownMetrics = ['accuracy', 'precision', 'recall', 'f1', 'auc', 'ece'];

/** All systems side by side in numbers, each held against the first. */
export function SystemsTable({ set }: { set: BenchSet }) {
  const metrics = shownMetrics.filter((metric) =>
    set.systems.some((system) => system.metrics[metric]?.value !== null && system.metrics[metric] !== undefined),
  );
  const [first] = set.systems;
  return (
    <Section
      title="Systems"
      lead={
        set.systems.length > 1
          ? `Differences are to ${first!.name} on the same items; p is from McNemar’s exact test with Holm’s ` +
            'correction.'
          : undefined
      }
    >
      <Table
        label="Systems"
        head={[
          'System',
          ...metrics.map((metric) => findMetric(metric).title),
          ...(set.systems.length > 1 ? [`vs. ${first!.name}`] : []),
          'Left open',
          'Latency',
          'Cost',
        ]}
      >
        {set.systems.map(
          ({ name, kind, models, trained, metrics: figures, against, undecided, failed, latencyMs, costUsd }) => (
            <tr key={name}>
              <Cell className="min-w-44">
                <span className="words font-medium">{name}</span> <Badge className="py-0">{kind}</Badge>
                <p className="words text-sm text-quiet">
                  {models.join(', ')}
                  {trained && ` · trained ${trained === 'in-domain' ? 'on similar data' : 'on these items'}`}
                </p>
              </Cell>
              {metrics.map((metric) => (
                <Cell key={metric} className="tabular-nums whitespace-nowrap">
                  {formatMetric(metric, figures[metric]?.value ?? null)}
                  <p className="text-sm text-quiet">
                    {figures[metric]?.interval
                      ? formatInterval(figures[metric].interval, (value) => formatMetric(metric, value))
                      : ''}
                  </p>
                </Cell>
              ))}
              {set.systems.length > 1 && (
                <Cell className="tabular-nums whitespace-nowrap">
                  {against ? (
                    <>
                      {formatDifference(against.difference)}
                      <p className="text-sm text-quiet">
                        {against.interval &&
                          `${formatDifference(against.interval[0])} to ${formatDifference(against.interval[1])}, `}
                        {formatP(against.p)}
                      </p>
                    </>
                  ) : (
                    <span className="text-quiet">–</span>
                  )}
                </Cell>
              )}
              <Cell className="tabular-nums">
                {undecided + failed === 0 ? '0' : `${showCount(undecided)} undecided, ${showCount(failed)} failed`}
              </Cell>
              <Cell className="tabular-nums whitespace-nowrap">{formatDuration(latencyMs.p50)}</Cell>
              <Cell className="tabular-nums">{formatCost(costUsd)}</Cell>
            </tr>
          ),
        )}
      </Table>
    </Section>
  );
}

function formatMetric(metric: string, value: number | null): string {
  if (value === null) return '–';
  return findMetric(metric).better === 'lower' ? value.toFixed(3) : showPercent(value);
}

/** In points of a hundred. */
function formatDifference(difference: number | null): string {
  return difference === null
    ? '–'
    : `${difference > 0 ? '+' : difference < 0 ? '−' : '±'}${Math.abs(difference * 100).toFixed(1)}`;
}

const knownMetrics: Readonly<Record<string, MetricTitle>> = metricTitles;

/** A metric that has no words is shown by its name: a server may be newer than this page. */
function findMetric(metric: string): MetricTitle {
  return knownMetrics[metric] ?? { title: metric, better: 'higher' };
}
