import type { ReactElement } from 'react';
import { ResponsiveContainer } from 'recharts';
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
