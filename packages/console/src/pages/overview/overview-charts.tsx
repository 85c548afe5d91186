import type { SentOverview } from '../../api/client.ts';
import {
  formatCost,
  showCount,
  formatDay,
  formatDuration,
  formatInterval,
  showPercent,
} from '../../charts/format-figures.ts';
import { Calibration, ChartFigure, DayLines, Histogram, StackedDays } from '../../charts/index.ts';
import { findLabelLook } from '../../components/badge.tsx';
import { type TableColumn, DataTable } from '../../components/table.tsx';

type Days = SentOverview['days'];
type Day = Days[number];

const dayColumn: TableColumn<Day> = ['Day', ({ day }) => formatDay(day)];

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
  const most = busiest ? `Most on ${formatDay(busiest.day)}: ${showCount(busiest.cases)}.` : 'None.';
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
            ...labels.map((label): TableColumn<Day> => [
              findLabelLook(label).title,
              ({ byLabel }) => showCount(byLabel[label] ?? 0),
              'tabular-nums',
            ]),
            ['Escalated', ({ escalated }) => showCount(escalated), 'tabular-nums'],
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
            ['Cases', ({ cases }) => showCount(cases), 'tabular-nums'],
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

export function DisagreementFigure({ steps, mean }: { steps: SentOverview['disagreement']; mean: number | null }) {
  const all = steps.reduce((sum, { cases }) => sum + cases, 0);
  return (
    <ChartFigure
      title="Disagreement"
      lead="How far apart the two sides ended, from 0 (agreement) to 1."
      summary={
        `Disagreement of ${showCount(all)} cases in ten ` +
        `steps${mean === null ? '' : `; the mean is ${mean.toFixed(2)}`}.`
      }
      table={
        <DataTable
          label="Cases by disagreement"
          rows={steps}
          columns={[
            ['Disagreement', ({ from, to }) => `${from.toFixed(1)} to ${to.toFixed(1)}`, 'tabular-nums'],
            ['Cases', ({ cases }) => showCount(cases), 'tabular-nums'],
          ]}
        />
      }
    >
      <Histogram steps={steps} />
    </ChartFigure>
  );
}

export function CalibrationFigure({ calibration: { bins, items, ece } }: { calibration: SentOverview['calibration'] }) {
  const seen = bins.filter((bin) => bin.items > 0);
  const compared = seen.map(
    ({ predicted, unsafe }) => `predicted ${showPercent(predicted)}, observed ${showPercent(unsafe)}`,
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
        `Calibration over ${showCount(items)} ` +
        `cases${ece === null ? '' : `; expected calibration error ${ece.toFixed(3)}`}. ` +
        `${compared.join('; ')}.`
      }
      table={
        <DataTable
          label="Calibration"
          rows={seen}
          columns={[
            ['Predicted', ({ from, to }) => formatInterval([from, to]), 'tabular-nums whitespace-nowrap'],
            ['Cases', (bin) => showCount(bin.items), 'tabular-nums'],
            ['Mean predicted', ({ predicted }) => showPercent(predicted), 'tabular-nums'],
            ['Observed unsafe', ({ unsafe }) => showPercent(unsafe), 'tabular-nums'],
            ['95 % interval', ({ interval }) => formatInterval(interval), 'tabular-nums whitespace-nowrap'],
          ]}
        />
      }
      aside={
        ece !== null && (
          <p className="text-sm text-quiet">
            Expected calibration error <strong className="font-medium text-ink tabular-nums">{ece.toFixed(3)}</strong>{' '}
            over {showCount(items)} {items === 1 ? 'case' : 'cases'}.
          </p>
        )
      }
    >
      <Calibration bins={bins} />
    </ChartFigure>
  );
}
