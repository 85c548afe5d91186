import { CartesianGrid, ErrorBar, ReferenceLine, Scatter, ScatterChart, Tooltip, XAxis, YAxis, ZAxis } from 'recharts';
import type { Overview } from '../api/types.ts';
import { formatPercent } from './chart-words.ts';
import { axis, quiet, tooltip, ChartArea } from './parts.tsx';

type Bin = Overview['calibration']['bins'][number];

/** What was said against what was right: on the diagonal both are the same. */
export function Calibration({ bins }: { bins: readonly Bin[] }) {
  const points = bins
    .filter(({ items }) => items > 0)
    .map(({ predicted, unsafe, interval, items }) => ({
      Said: predicted!,
      Unsafe: unsafe!,
      Cases: items,
      error: interval ? [unsafe! - interval[0], interval[1] - unsafe!] : [0, 0],
    }));
  return (
    <ChartArea>
      <ScatterChart margin={{ top: 8, right: 16, bottom: 16, left: 0 }} {...quiet}>
        <CartesianGrid stroke="var(--line)" />
        <XAxis
          type="number"
          dataKey="Said"
          domain={[0, 1]}
          ticks={[0, 0.25, 0.5, 0.75, 1]}
          tickFormatter={formatPercent}
          label={{
            value: 'Said to be unsafe',
            position: 'insideBottom',
            offset: -10,
            fill: 'var(--quiet)',
            fontSize: 12,
          }}
          {...axis}
        />
        <YAxis
          type="number"
          dataKey="Unsafe"
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
