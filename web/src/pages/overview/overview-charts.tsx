import type { Overview } from '../../api/client.ts';
import {
  formatCost,
  formatCount,
  formatDay,
  formatDuration,
  formatInterval,
  formatPercent,
} from '../../charts/format-figures.ts';
import { Calibration, ChartFigure, DayLines, Histogram, StackedDays } from '../../charts/index.ts';
import { findLabelLook } from '../../components/badge.tsx';
import { type Column, DataTable } from '../../components/table.tsx';

type Days = Overview['days'];
type Day = Days[number];

const dayColumn: Column<Day> = ['Day', ({ day }) => formatDay(day)];

const usualLabels = ['safe', 'unsafe', 'undecided'];

/** Labels in an order that stays: those of everyday first. */
function listLabels(days: Days): string[] {
  const there = new Set(days.flatMap(({ byLabel }) => Object.keys(byLabel)));
  return [
    ...usualLabels.filter((label) => there.has(label)),
    ...[...there].filter((label) => !usualLabels.includes(label)).toSorted(),
  ];
}

export function VerdictsOverTime({ days }: { days: Days }) {
  const labels = listLabels(days);
  const busy = days.filter(({ cases }) => cases > 0);
  const busiest = busy.toSorted((one, other) => other.cases - one.cases)[0];
  const most = busiest ? `Most on ${formatDay(busiest.day)}: ${formatCount(busiest.cases)}.` : 'None.';
  return (
    <ChartFigure
      title="Verdicts over time"
      summary={`Verdicts by day. ${most}`}
      table={
        <DataTable
          label="Verdicts by day"
          rows={busy}
          columns={[
            dayColumn,
            ...labels.map((label): Column<Day> => [
              findLabelLook(label).title,
              ({ byLabel }) => formatCount(byLabel[label] ?? 0),
              'tabular-nums',
            ]),
            ['Escalated', ({ escalated }) => formatCount(escalated), 'tabular-nums'],
          ]}
        />
      }
    >
      <StackedDays
        days={days.map(({ day }) => day)}
        stacks={labels.map((label) => ({
          name: findLabelLook(label).title,
          colour: `var(--${label === 'mixed' ? 'both' : findLabelLook(label).tone})`,
          values: days.map(({ byLabel }) => byLabel[label] ?? 0),
        }))}
      />
    </ChartFigure>
  );
}

export function CostOverTime({ days }: { days: Days }) {
  const priced = days.filter(({ costUsd }) => costUsd !== null);
  return (
    <ChartFigure
      title="Cost"
      lead={priced.length === 0 ? 'No prices are known for this period.' : 'Cost per day, where prices are known.'}
      summary={`Cost by day: ${formatCost(priced.reduce((sum, { costUsd }) => sum + costUsd!, 0))} in total.`}
      table={
        <DataTable
          label="Cost by day"
          rows={priced}
          columns={[
            dayColumn,
            ['Cost', ({ costUsd }) => formatCost(costUsd), 'tabular-nums'],
            ['Cases', ({ cases }) => formatCount(cases), 'tabular-nums'],
          ]}
        />
      }
    >
      <DayLines
        days={days.map(({ day }) => day)}
        lines={[{ name: 'Cost', colour: 'var(--implicit)', values: days.map(({ costUsd }) => costUsd) }]}
        write={formatCost}
      />
    </ChartFigure>
  );
}

export function LatencyOverTime({ days }: { days: Days }) {
  const measured = days.filter(({ latencyMs }) => latencyMs.p50 !== null);
  const last = measured.at(-1)?.latencyMs;
  const latest = last
    ? `Last: median ${formatDuration(last.p50)}, 95th percentile ${formatDuration(last.p95)}.`
    : 'No data.';
  return (
    <ChartFigure
      title="Latency"
      lead="Time to verdict: median and 95th percentile."
      summary={`Latency by day. ${latest}`}
      table={
        <DataTable
          label="Latency by day"
          rows={measured}
          columns={[
            dayColumn,
            ['Median', ({ latencyMs }) => formatDuration(latencyMs.p50), 'tabular-nums'],
            ['95th percentile', ({ latencyMs }) => formatDuration(latencyMs.p95), 'tabular-nums'],
          ]}
        />
      }
    >
      <DayLines
        days={days.map(({ day }) => day)}
        lines={[
          { name: 'Median', colour: 'var(--implicit)', values: days.map(({ latencyMs }) => latencyMs.p50) },
          {
            name: '95th percentile',
            colour: 'var(--both)',
            dashed: true,
            values: days.map(({ latencyMs }) => latencyMs.p95),
          },
        ]}
        write={formatDuration}
      />
    </ChartFigure>
  );
}

export function DisagreementFigure({ steps, mean }: { steps: Overview['disagreement']; mean: number | null }) {
  const all = steps.reduce((sum, { cases }) => sum + cases, 0);
  return (
    <ChartFigure
      title="Disagreement"
      lead="How far apart the two sides ended, from 0 (agreement) to 1."
      summary={
        `Disagreement of ${formatCount(all)} cases in ten ` +
        `steps${mean === null ? '' : `; the mean is ${mean.toFixed(2)}`}.`
      }
      table={
        <DataTable
          label="Cases by disagreement"
          rows={steps}
          columns={[
            ['Disagreement', ({ from, to }) => `${from.toFixed(1)} to ${to.toFixed(1)}`, 'tabular-nums'],
            ['Cases', ({ cases }) => formatCount(cases), 'tabular-nums'],
          ]}
        />
      }
    >
      <Histogram steps={steps} />
    </ChartFigure>
  );
}

export function CalibrationFigure({ calibration: { bins, items, ece } }: { calibration: Overview['calibration'] }) {
  const seen = bins.filter((bin) => bin.items > 0);
  const compared = seen.map(
    ({ predicted, unsafe }) => `predicted ${formatPercent(predicted)}, observed ${formatPercent(unsafe)}`,
  );
  return (
    <ChartFigure
      title="Calibration"
      lead={
        items === 0
          ? 'Available once people have decided cases: predictions are compared with their decisions.'
          : 'Predicted probability against human decisions or labels. On the dashed line they match; bars show ' +
            '95 % intervals.'
      }
      summary={
        `Calibration over ${formatCount(items)} ` +
        `cases${ece === null ? '' : `; expected calibration error ${ece.toFixed(3)}`}. ` +
        `${compared.join('; ')}.`
      }
      table={
        <DataTable
          label="Calibration"
          rows={seen}
          columns={[
            ['Predicted', ({ from, to }) => formatInterval([from, to]), 'tabular-nums whitespace-nowrap'],
            ['Cases', (bin) => formatCount(bin.items), 'tabular-nums'],
            ['Mean predicted', ({ predicted }) => formatPercent(predicted), 'tabular-nums'],
            ['Observed unsafe', ({ unsafe }) => formatPercent(unsafe), 'tabular-nums'],
            ['95 % interval', ({ interval }) => formatInterval(interval), 'tabular-nums whitespace-nowrap'],
          ]}
        />
      }
      aside={
        ece !== null && (
          <p className="text-sm text-quiet">
            Expected calibration error <strong className="font-medium text-ink tabular-nums">{ece.toFixed(3)}</strong>{' '}
            over {formatCount(items)} {items === 1 ? 'case' : 'cases'}.
          </p>
        )
      }
    >
      <Calibration bins={bins} />
    </ChartFigure>
  );
}
