import { formatScore } from '../components/score.tsx';
import type { Distribution } from './trial-view.ts';

/** How somebody spreads the risk over the three concepts: a bar of three parts, with its numbers. */
export function DistributionBar({ distribution: { explicit, implicit, none } }: { distribution: Distribution }) {
  const width = (share: number) => ({ width: `${Math.round(share * 100)}%` });
  return (
    <div className="grid gap-1">
      <div aria-hidden className="flex h-1.5 overflow-hidden rounded-full bg-line">
        <span className="bg-risk transition-[width] duration-500" style={width(explicit)} />
        <span className="bg-implicit transition-[width] duration-500" style={width(implicit)} />
        <span className="bg-exoneration transition-[width] duration-500" style={width(none)} />
      </div>
      <p className="text-xs text-quiet tabular-nums">
        explicit {formatScore(explicit)} · implicit {formatScore(implicit)} · none {formatScore(none)}
      </p>
    </div>
  );
}
