import { CartesianGrid, Legend, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import { axis, ChartArea, grid, legend, quiet, tooltip } from './chart-parts.tsx';
import { formatDay } from './format-figures.ts';

export interface DayLine {
  name: string;
  colour: string;
  dashed?: boolean;
  /** One for each day; null where nothing was measured. */
  values: readonly (number | null)[];
}

/** Figures by day. A day without one is a gap, a single day a dot. */
export function DayLines({
  days,
  lines,
  write,
}: {
  days: readonly string[];
  lines: readonly DayLine[];
  write: (value: number) => string;
}) {
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
