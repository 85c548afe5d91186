import {
  CartesianGrid,
  ErrorBar,
  Legend,
  ReferenceLine,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
  ZAxis,
  ResponsiveContainer,
  Bar,
  BarChart,
  Line,
  LineChart,
} from 'recharts';
import type { Overview } from '../api/types.ts';
import { formatPercent, formatDay } from './format-figures.ts';
import type { ReactElement } from 'react';
import { chartHeight } from './chart-figure.tsx';

/* What all charts share. Colours come from the palette, by what they stand for. */

export const axis = { stroke: 'var(--quiet)', tick: { fill: 'var(--quiet)', fontSize: 12 }, tickLine: false } as const;
export const grid = { stroke: 'var(--line)', vertical: false } as const;
export const tooltip = {
  contentStyle: {
    background: 'var(--surface)',
    border: '1px solid var(--line)',
    borderRadius: '0.5rem',
    color: 'var(--ink)',
  },
  itemStyle: { color: 'var(--ink)' },
  labelStyle: { color: 'var(--quiet)' },
  cursor: { fill: 'var(--line)', fillOpacity: 0.4 },
  isAnimationActive: false,
} as const;
export const legend = {
  iconSize: 10,
  itemSorter: null,
  wrapperStyle: { color: 'var(--ink)' },
  formatter: (name: string) => <span className="text-ink">{name}</span>,
};
/** The figure around it has the words. */
export const quiet = { accessibilityLayer: false } as const;

/** As wide as there is room. */
export function ChartArea({ children }: { children: ReactElement }) {
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 520, height: chartHeight }}>
      {children}
    </ResponsiveContainer>
  );
}

export interface Estimate {
  /** What it is called on the axis: a metric, or a system. */
  name: string;
  value: number | null;
  interval: readonly [number, number] | null;
}

export interface EstimatedSeries {
  name: string;
  colour: string;
  shape: 'circle' | 'square' | 'diamond' | 'triangle';
  values: readonly Estimate[];
}

/** Figures with their intervals as error bars, several series side by side. */
export function IntervalChart({ series }: { series: readonly EstimatedSeries[] }) {
  const names = [...new Set(series.flatMap(({ values }) => values.map(({ name }) => name)))];
  const aside = (index: number) => (index - (series.length - 1) / 2) * Math.min(0.22, 0.7 / series.length);
  return (
    <ChartArea>
      <ScatterChart margin={{ top: 8, right: 12, bottom: 0, left: 0 }} {...quiet}>
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          type="number"
          dataKey="place"
          domain={[-0.5, names.length - 0.5]}
          ticks={names.map((_, index) => index)}
          tickFormatter={(place: number) => names[place] ?? ''}
          interval={0}
          {...axis}
          tick={{ ...axis.tick, width: 90 }}
        />
        <YAxis
          type="number"
          dataKey="value"
          domain={[0, 1]}
          ticks={[0, 0.25, 0.5, 0.75, 1]}
          tickFormatter={formatPercent}
          width={52}
          {...axis}
        />
        <Tooltip
          {...tooltip}
          content={({ payload }) => <IntervalTooltip point={payload[0]?.payload as IntervalPoint | undefined} />}
        />
        {series.length > 1 && <Legend {...legend} />}
        {series.map(({ name, colour, shape, values }, index) => (
          <Scatter
            key={name}
            name={name}
            shape={shape}
            legendType={shape}
            fill={colour}
            isAnimationActive={false}
            data={values.flatMap(({ name: of, value, interval }) =>
              value === null
                ? []
                : [
                    {
                      of: `${name}, ${of}`,
                      place: names.indexOf(of) + aside(index),
                      value,
                      interval,
                      error: interval ? [Math.max(0, value - interval[0]), Math.max(0, interval[1] - value)] : [0, 0],
                    },
                  ],
            )}
          >
            <ErrorBar
              dataKey="error"
              direction="y"
              width={6}
              stroke={colour}
              strokeWidth={1.75}
              isAnimationActive={false}
            />
          </Scatter>
        ))}
      </ScatterChart>
    </ChartArea>
  );
}

interface IntervalPoint {
  of: string;
  value: number;
  interval: readonly [number, number] | null;
}

function IntervalTooltip({ point }: { point: IntervalPoint | undefined }) {
  if (!point) return null;
  return (
    <p className="rounded-lg border bg-surface px-3 py-1.5 text-ink">
      {point.of}: {formatPercent(point.value)}
      {point.interval && ` (${formatPercent(point.interval[0])} to ${formatPercent(point.interval[1])})`}
    </p>
  );
}

type Bin = Overview['calibration']['bins'][number];

/** What was said against what was right: on the diagonal both are the same. */
export function Calibration({ bins }: { bins: readonly Bin[] }) {
  const points = bins
    .filter(({ items }) => items > 0)
    .map(({ predicted, unsafe, interval, items }) => ({
      Predicted: predicted!,
      Observed: unsafe!,
      Cases: items,
      error: interval ? [unsafe! - interval[0], interval[1] - unsafe!] : [0, 0],
    }));
  return (
    <ChartArea>
      <ScatterChart margin={{ top: 8, right: 16, bottom: 16, left: 0 }} {...quiet}>
        <CartesianGrid stroke="var(--line)" />
        <XAxis
          type="number"
          dataKey="Predicted"
          domain={[0, 1]}
          ticks={[0, 0.25, 0.5, 0.75, 1]}
          tickFormatter={formatPercent}
          label={{
            value: 'Predicted unsafe',
            position: 'insideBottom',
            offset: -10,
            fill: 'var(--quiet)',
            fontSize: 12,
          }}
          {...axis}
        />
        <YAxis
          type="number"
          dataKey="Observed"
          domain={[0, 1]}
          ticks={[0, 0.25, 0.5, 0.75, 1]}
          tickFormatter={formatPercent}
          width={52}
          {...axis}
        />
        <ZAxis type="number" dataKey="Cases" range={[50, 320]} />
        <ReferenceLine
          segment={[
            { x: 0, y: 0 },
            { x: 1, y: 1 },
          ]}
          stroke="var(--quiet)"
          strokeDasharray="5 4"
        />
        <Tooltip {...tooltip} formatter={(value, name) => (name === 'Cases' ? value : formatPercent(Number(value)))} />
        <Scatter data={points} fill="var(--implicit)" isAnimationActive={false}>
          <ErrorBar
            dataKey="error"
            direction="y"
            width={5}
            stroke="var(--implicit)"
            strokeWidth={1.5}
            isAnimationActive={false}
          />
        </Scatter>
      </ScatterChart>
    </ChartArea>
  );
}

interface HistogramProps {
  steps: readonly { from: number; to: number; cases: number }[];
  of: string;
}

/** How many fall into each step. */
export function Histogram({ steps, of }: HistogramProps) {
  return (
    <ChartArea>
      <BarChart
        data={steps.map(({ from, to, cases }) => ({ step: `${from.toFixed(1)}–${to.toFixed(1)}`, [of]: cases }))}
        barCategoryGap={2}
        margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
        {...quiet}
      >
        <CartesianGrid {...grid} />
        <XAxis dataKey="step" minTickGap={4} {...axis} />
        <YAxis allowDecimals={false} width={44} {...axis} />
        <Tooltip {...tooltip} />
        <Bar dataKey={of} fill="var(--implicit)" isAnimationActive={false} />
      </BarChart>
    </ChartArea>
  );
}

export interface Stack {
  name: string;
  colour: string;
  /** One for each day. */
  values: readonly number[];
}

/** Bars by day, made of parts. */
export function StackedDays({ days, stacks }: { days: readonly string[]; stacks: readonly Stack[] }) {
  const rows = days.map((day, index) => ({
    day,
    ...Object.fromEntries(stacks.map(({ name, values }) => [name, values[index]])),
  }));
  return (
    <ChartArea>
      <BarChart data={rows} margin={{ top: 4, right: 4, bottom: 0, left: 0 }} {...quiet}>
        <CartesianGrid {...grid} />
        <XAxis dataKey="day" tickFormatter={formatDay} minTickGap={24} {...axis} />
        <YAxis allowDecimals={false} width={44} {...axis} />
        <Tooltip labelFormatter={(day) => (typeof day === 'string' ? formatDay(day) : day)} {...tooltip} />
        <Legend {...legend} />
        {stacks.map(({ name, colour }) => (
          <Bar
            key={name}
            dataKey={name}
            stackId="all"
            fill={colour}
            stroke="var(--surface)"
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ChartArea>
  );
}

export interface DayLine {
  name: string;
  colour: string;
  dashed?: boolean;
  /** One for each day; null where nothing was measured. */
  values: readonly (number | null)[];
}

interface DayLinesProps {
  days: readonly string[];
  lines: readonly DayLine[];
  write: (value: number) => string;
}

/** Figures by day. A day without one is a gap, a single day a dot. */
export function DayLines({ days, lines, write }: DayLinesProps) {
  const rows = days.map((day, index) => ({
    day,
    ...Object.fromEntries(lines.map(({ name, values }) => [name, values[index]])),
  }));
  return (
    <ChartArea>
      <LineChart data={rows} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} {...quiet}>
        <CartesianGrid {...grid} />
        <XAxis dataKey="day" tickFormatter={formatDay} minTickGap={24} {...axis} />
        <YAxis width={64} tickFormatter={write} {...axis} />
        <Tooltip
          labelFormatter={(day) => (typeof day === 'string' ? formatDay(day) : day)}
          formatter={(value) => write(Number(value))}
          {...tooltip}
        />
        {lines.length > 1 && <Legend {...legend} />}
        {lines.map(({ name, colour, dashed }) => (
          <Line
            key={name}
            dataKey={name}
            stroke={colour}
            strokeWidth={2}
            strokeDasharray={dashed ? '6 4' : undefined}
            dot={{ r: 2.5, fill: colour, strokeDasharray: '0' }}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ChartArea>
  );
}
