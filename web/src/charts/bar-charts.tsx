import { Bar, BarChart, CartesianGrid, Legend, Tooltip, XAxis, YAxis } from 'recharts';
import { axis, ChartArea, grid, legend, quiet, tooltip } from './chart-parts.tsx';
import { formatDay } from './format-figures.ts';

/** How many fall into each step. */
export function Histogram({
  steps,
  of,
}: {
  steps: readonly { from: number; to: number; cases: number }[];
  of: string;
}) {
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
