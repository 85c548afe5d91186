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
import type { SentOverview } from '../api/client.ts';
import { formatDay, formatInterval, showPercent } from './format-figures.ts';
import type { ReactElement, ReactNode } from 'react';
import { chartHeight } from './chart-figure.tsx';

/* What all charts share. Colours come from the palette, by what they stand for. */

const axis = { stroke: 'var(--quiet)', tick: { fill: 'var(--quiet)', fontSize: 12 }, tickLine: false } as const;
const shareAxis = {
  ...axis,
  type: 'number',
  domain: [0, 1],
  ticks: [0, 0.25, 0.5, 0.75, 1],
  tickFormatter: showPercent,
} as const;
const dayAxis = { ...axis, dataKey: 'day', tickFormatter: formatDay, minTickGap: 24 } as const;
const countAxis = { ...axis, allowDecimals: false, width: 44 } as const;
const grid = { stroke: 'var(--line)', vertical: false } as const;
const tooltip = {
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
const dayTooltip = {
  ...tooltip,
  labelFormatter: (day: ReactNode) => (typeof day === 'string' ? formatDay(day) : day),
};
const errorBar = { dataKey: 'error', direction: 'y', isAnimationActive: false } as const;
const legend = {
  iconSize: 10,
  itemSorter: null,
  wrapperStyle: { color: 'var(--ink)' },
  formatter: (name: string) => <span className="text-ink">{name}</span>,
};
/** The figure around it has the words. */
const quiet = { accessibilityLayer: false } as const;

function ChartArea({ children }: { children: ReactElement }) {
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 520, height: chartHeight }}>
      {children}
    </ResponsiveContainer>
  );
}

export interface EstimatedSeries {
  name: string;
  colour: string;
  shape: 'circle' | 'diamond';
  /** By what they are called on the axis: metrics, or systems. */
  values: readonly { name: string; value: number | null; interval: readonly [number, number] | null }[];
}

/** Figures with their intervals as error bars, several series side by side. */
export function IntervalChart({ series }: { series: readonly EstimatedSeries[] }) {
  const names = [...new Set(series.flatMap(({ values }) => values.map(({ name }) => name)))];
  const aside = (index: number) => (index - (series.length - 1) / 2) * Math.min(0.22, 0.7 / series.length);
  const points = ({ name, values }: EstimatedSeries, index: number) =>
    values.flatMap(({ name: of, value, interval }) => {
      if (value === null) return [];
      const error = interval ? [Math.max(0, value - interval[0]), Math.max(0, interval[1] - value)] : [0, 0];
      return [{ of: `${name}, ${of}`, place: names.indexOf(of) + aside(index), value, interval, error }];
    });
  return (
    <ChartArea>
      <ScatterChart margin={{ top: 8, right: 12, bottom: 0, left: 0 }} {...quiet}>
        <CartesianGrid {...grid} />
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
        <YAxis dataKey="value" width={52} {...shareAxis} />
        <Tooltip
          {...tooltip}
          content={({ payload }) => <IntervalTooltip point={payload[0]?.payload as IntervalPoint | undefined} />}
        />
        {series.length > 1 && <Legend {...legend} />}
        {series.map((one, index) => (
          <Scatter
            key={one.name}
            name={one.name}
            shape={one.shape}
            legendType={one.shape}
            fill={one.colour}
            isAnimationActive={false}
            data={points(one, index)}
          >
            <ErrorBar {...errorBar} width={6} stroke={one.colour} strokeWidth={1.75} />
          </Scatter>
        ))}
      </ScatterChart>
    </ChartArea>
  );
}

type IntervalPoint = Pick<EstimatedSeries['values'][number], 'interval'> & { of: string; value: number };

function IntervalTooltip({ point }: { point: IntervalPoint | undefined }) {
  if (!point) return null;
  return (
    <p className="rounded-lg border bg-surface px-3 py-1.5 text-ink">
      {point.of}: {showPercent(point.value)}
      {point.interval && ` (${formatInterval(point.interval)})`}
    </p>
  );
}

/** What was said against what was right: on the diagonal both are the same. */
export function Calibration({ bins }: Pick<SentOverview['calibration'], 'bins'>) {
  const points = bins
    .filter(({ items }) => items > 0)
    .map(({ predicted, unsafe, interval, items }) => ({
      Predicted: predicted!,
      Observed: unsafe!,
      Cases: items,
      error: interval ? [unsafe! - interval[0], interval[1] - unsafe!] : [0, 0],
    }));
  const title = { value: 'Predicted unsafe', position: 'insideBottom', offset: -10, ...axis.tick } as const;
  const corner = (at: number) => ({ x: at, y: at });
  return (
    <ChartArea>
      <ScatterChart margin={{ top: 8, right: 16, bottom: 16, left: 0 }} {...quiet}>
        <CartesianGrid stroke="var(--line)" />
        <XAxis dataKey="Predicted" label={title} {...shareAxis} />
        <YAxis dataKey="Observed" width={52} {...shareAxis} />
        <ZAxis type="number" dataKey="Cases" range={[50, 320]} />
        <ReferenceLine segment={[corner(0), corner(1)]} stroke="var(--quiet)" strokeDasharray="5 4" />
        <Tooltip {...tooltip} formatter={(value, name) => (name === 'Cases' ? value : showPercent(Number(value)))} />
        <Scatter data={points} fill="var(--implicit)" isAnimationActive={false}>
          <ErrorBar {...errorBar} width={5} stroke="var(--implicit)" strokeWidth={1.5} />
        </Scatter>
      </ScatterChart>
    </ChartArea>
  );
}

/** How many cases fall into each step. */
export function Histogram({ steps }: { steps: SentOverview['disagreement'] }) {
  return (
    <ChartArea>
      <BarChart
        data={steps.map(({ from, to, cases }) => ({ step: `${from.toFixed(1)}–${to.toFixed(1)}`, Cases: cases }))}
        barCategoryGap={2}
        margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
        {...quiet}
      >
        <CartesianGrid {...grid} />
        <XAxis dataKey="step" minTickGap={4} {...axis} />
        <YAxis {...countAxis} />
        <Tooltip {...tooltip} />
        <Bar dataKey="Cases" fill="var(--implicit)" isAnimationActive={false} />
      </BarChart>
    </ChartArea>
  );
}

interface DaySeries {
  name: string;
  colour: string;
  dashed?: boolean;
  /** One for each day; null where nothing was measured. */
  values: readonly (number | null)[];
}

function pickDay(onPick: DayLinesProps['onPick']) {
  if (!onPick) return {};
  return {
    className: 'cursor-pointer',
    onClick: ({ activeTooltipIndex }: { activeTooltipIndex?: number | string | null | undefined }) => {
      if (activeTooltipIndex !== null && activeTooltipIndex !== undefined) onPick(Number(activeTooltipIndex));
    },
  };
}

function listByDay(days: readonly string[], series: readonly DaySeries[]) {
  return days.map((day, index) => ({
    day,
    ...Object.fromEntries(series.map(({ name, values }) => [name, values[index]])),
  }));
}

interface StackedDaysProps extends Pick<DayLinesProps, 'writeDay' | 'onPick'> {
  days: readonly string[];
  stacks: readonly DaySeries[];
}

/** Bars by day, made of parts. */
export function StackedDays({ days, stacks, writeDay = formatDay, onPick }: StackedDaysProps) {
  return (
    <ChartArea>
      <BarChart
        data={listByDay(days, stacks)}
        margin={{ top: 4, right: 4, bottom: 0, left: 0 }}
        {...quiet}
        {...pickDay(onPick)}
      >
        <CartesianGrid {...grid} />
        <XAxis {...dayAxis} tickFormatter={writeDay} />
        <YAxis {...countAxis} />
        <Tooltip {...dayTooltip} labelFormatter={(day) => (typeof day === 'string' ? writeDay(day) : day)} />
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

interface DayLinesProps {
  days: readonly string[];
  lines: readonly DaySeries[];
  write: (value: number) => string;
  /** What a day is called, where it is another step of time. */
  writeDay?: (day: string) => string;
  /** Somebody clicked on a day. */
  onPick?: (place: number) => void;
}

/** Figures by day. A day without one is a gap, a single day a dot. */
export function DayLines({ days, lines, write, writeDay = formatDay, onPick }: DayLinesProps) {
  return (
    <ChartArea>
      <LineChart
        data={listByDay(days, lines)}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        {...quiet}
        {...pickDay(onPick)}
      >
        <CartesianGrid {...grid} />
        <XAxis {...dayAxis} tickFormatter={writeDay} />
        <YAxis width={64} tickFormatter={write} {...axis} />
        <Tooltip
          {...dayTooltip}
          labelFormatter={(day) => (typeof day === 'string' ? writeDay(day) : day)}
          formatter={(value) => write(Number(value))}
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
