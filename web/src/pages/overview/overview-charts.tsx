import type { Overview } from '../../api/types.ts';
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
import { Cell, Table } from '../../components/table.tsx';
import { classes } from '../../components/tones.ts';

type Days = Overview['days'];

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
        <Table
          label="Verdicts by day"
          head={['Day', ...labels.map((label) => findLabelLook(label).title), 'Escalated']}
        >
          {busy.map(({ day, byLabel, escalated }) => (
            <tr key={day}>
              <Cell>{formatDay(day)}</Cell>
              {labels.map((label) => (
                <Cell key={label} className="tabular-nums">
                  {formatCount(byLabel[label] ?? 0)}
                </Cell>
              ))}
              <Cell className="tabular-nums">{formatCount(escalated)}</Cell>
            </tr>
          ))}
        </Table>
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
        <Table label="Cost by day" head={['Day', 'Cost', 'Cases']}>
          {priced.map(({ day, costUsd, cases }) => (
            <tr key={day}>
              <Cell>{formatDay(day)}</Cell>
              <Cell className="tabular-nums">{formatCost(costUsd)}</Cell>
              <Cell className="tabular-nums">{formatCount(cases)}</Cell>
            </tr>
          ))}
        </Table>
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
        <Table label="Latency by day" head={['Day', 'Median', '95th percentile']}>
          {measured.map(({ day, latencyMs }) => (
            <tr key={day}>
              <Cell>{formatDay(day)}</Cell>
              <Cell className="tabular-nums">{formatDuration(latencyMs.p50)}</Cell>
              <Cell className="tabular-nums">{formatDuration(latencyMs.p95)}</Cell>
            </tr>
          ))}
        </Table>
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
        <Table label="Cases by disagreement" head={['Disagreement', 'Cases']}>
          {steps.map(({ from, to, cases }) => (
            <tr key={from}>
              <Cell className="tabular-nums">
                {from.toFixed(1)} to {to.toFixed(1)}
              </Cell>
              <Cell className="tabular-nums">{formatCount(cases)}</Cell>
            </tr>
          ))}
        </Table>
      }
    >
      <Histogram steps={steps} of="Cases" />
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
        <Table label="Calibration" head={['Predicted', 'Cases', 'Mean predicted', 'Observed unsafe', '95 % interval']}>
          {seen.map((bin) => (
            <tr key={bin.from}>
              <Cell className="tabular-nums whitespace-nowrap">
                {formatPercent(bin.from)} to {formatPercent(bin.to)}
              </Cell>
              <Cell className="tabular-nums">{formatCount(bin.items)}</Cell>
              <Cell className="tabular-nums">{formatPercent(bin.predicted)}</Cell>
              <Cell className="tabular-nums">{formatPercent(bin.unsafe)}</Cell>
              <Cell className="tabular-nums whitespace-nowrap">{formatInterval(bin.interval)}</Cell>
            </tr>
          ))}
        </Table>
      }
      aside={
        ece !== null && (
          <p className="text-sm text-quiet">
            Expected calibration error{' '}
            <strong className={classes('font-medium text-ink tabular-nums')}>{ece.toFixed(3)}</strong> over{' '}
            {formatCount(items)} {items === 1 ? 'case' : 'cases'}.
          </p>
        )
      }
    >
      <Calibration bins={bins} />
    </ChartFigure>
  );
}
