import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from 'recharts';
import { axis, grid, quiet, tooltip, ChartArea } from './parts.tsx';

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
