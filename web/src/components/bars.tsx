import type { Distribution } from '../../../src/view/index.ts';
import { classes, grounds, type Tone } from './tones.ts';

const threshold = 0.5;

/** `0.91`, never `0.9100000001`. */
export function formatScore(score: number): string {
  return score.toFixed(2);
}

/** `94 %`. */
export function formatWholePercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

interface ScoreProps {
  value: number | null;
  label?: string;
  width?: string;
  /** Whether high scores mean risk; else they have no colour of their own. */
  isRisk?: boolean;
}

/** A score between 0 and 1 as a bar and a number. */
export function Score({ value, label = 'Score', width = 'w-20', isRisk = true }: ScoreProps) {
  if (value === null) return <span className="text-quiet">no score</span>;
  return (
    <span
      className="inline-flex items-center gap-2 whitespace-nowrap tabular-nums"
      title={`${label} ${formatScore(value)}`}
    >
      <span className="sr-only">{label} </span>
      <span aria-hidden className={classes('h-2 flex-none overflow-hidden rounded-full bg-line', width)}>
        <span
          className={classes(
            'block h-full rounded-full transition-[width] duration-500',
            !isRisk ? 'bg-implicit' : value >= threshold ? 'bg-risk' : 'bg-exoneration',
          )}
          style={{ width: `${Math.round(value * 100)}%` }}
        />
      </span>
      {formatScore(value)}
    </span>
  );
}

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

interface ProgressPart {
  name: string;
  count: number;
  tone: Tone;
}

interface ProgressBarProps {
  label: string;
  parts: readonly ProgressPart[];
  left: Omit<ProgressPart, 'tone'>;
}

/** How much of a whole is done, by parts, and what is left; the words beneath say the same. */
export function ProgressBar({ label, parts, left }: ProgressBarProps) {
  const total = parts.reduce((sum, { count }) => sum + count, left.count);
  const said = [...parts, left].map(({ name, count }) => `${count.toLocaleString()} ${name}`).join(', ');
  return (
    <div className="grid gap-1">
      <div
        role="img"
        aria-label={`${label}: ${said}`}
        className="flex h-2.5 gap-px overflow-hidden rounded-full bg-line"
      >
        {parts
          .filter(({ count }) => count > 0)
          .map(({ name, count, tone }) => (
            <span
              key={name}
              className={`block h-full transition-[width] duration-500 ${grounds[tone]}`}
              style={{ width: `${(count / total) * 100}%` }}
            />
          ))}
      </div>
      <p aria-hidden className="flex flex-wrap gap-x-4 text-sm text-quiet">
        {[
          ...parts.map(({ tone, ...part }) => ({ ...part, ground: grounds[tone] })),
          { ...left, ground: 'bg-line' },
        ].map(({ name, count, ground }) => (
          <span key={name} className="inline-flex items-center gap-1.5">
            <span className={`size-2 rounded-full ${ground}`} /> {count.toLocaleString()} {name}
          </span>
        ))}
      </p>
    </div>
  );
}
