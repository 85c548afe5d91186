import { Bar, BarChart, CartesianGrid, Legend, Tooltip, XAxis, YAxis } from 'recharts';
import { formatDay } from './chart-words.ts';
import { axis, grid, legend, quiet, tooltip, ChartArea } from './parts.tsx';

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
