import { classes } from '../class-names.ts';

/** The threshold between safe and unsafe. */
const threshold = 0.5;

/** `0.91`, never `0.9100000001`. */
export function formatScore(score: number): string {
  return score.toFixed(2);
}

/** `94 %`. */
export function formatWholePercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A score between 0 and 1 as a bar and a number. */
export function Score({
  value,
  label = 'Score',
  width = 'w-20',
}: {
  value: number | null;
  label?: string;
  width?: string;
}) {
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
            value >= threshold ? 'bg-risk' : 'bg-exoneration',
          )}
          style={{ width: `${Math.round(value * 100)}%` }}
        />
      </span>
      {formatScore(value)}
    </span>
  );
}
