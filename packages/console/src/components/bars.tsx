import type { ShownDistribution, RiskView } from '@agonhq/engine/view';
import { classes, grounds, texts, type ColourTone } from './tones.ts';

/** `0.91`, never `0.9100000001`. */
export function showScore(score: number): string {
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
  /** What it stands for; a score that is no risk has no colour of its own. */
  tone?: ColourTone;
}

/** A number between 0 and 1 with a bar of its length. */
export function Score({ value, label = 'Score', width = 'w-20', tone = 'implicit' }: ScoreProps) {
  if (value === null) return <span className="text-quiet">no score</span>;
  return (
    <span
      className="inline-flex items-center gap-2 whitespace-nowrap tabular-nums"
      title={`${label} ${showScore(value)}`}
    >
      <span className="sr-only">{label} </span>
      <span aria-hidden className={classes('h-2 flex-none overflow-hidden rounded-full bg-line', width)}>
        <span
          className={classes('block h-full rounded-full transition-[width] duration-500', grounds[tone])}
          style={{ width: `${Math.round(value * 100)}%` }}
        />
      </span>
      {showScore(value)}
    </span>
  );
}

/** In which colour a risk is drawn: that of what it says, whoever says it. */
export function findRiskTone({ isAbove }: RiskView): 'risk' | 'exoneration' {
  return isAbove ? 'risk' : 'exoneration';
}

interface RiskMeterProps {
  risk: RiskView | null;
  width?: string;
  /** Whether the bar is also said in digits. */
  saysBar?: boolean;
}

/** A risk as a meter with a mark at its bar: red from there on, green below. */
export function RiskMeter({ risk, width = 'w-20', saysBar = false }: RiskMeterProps) {
  if (risk === null) return <span className="text-quiet">none stated</span>;
  const { text, barText, isAbove } = risk;
  const tone = findRiskTone(risk);
  return (
    <span
      className="inline-flex items-center gap-2 whitespace-nowrap tabular-nums"
      title={`Risk ${text}, ${isAbove ? 'reaches' : 'below'} the bar of ${barText}`}
    >
      <span className="sr-only">Risk </span>
      <RiskTrack risk={risk} className={classes('h-2 flex-none rounded-full', width)} />
      <span className={classes('font-medium', texts[tone])}>{text}</span>
      <span className={saysBar ? 'text-quiet' : 'sr-only'}>bar {barText}</span>
    </span>
  );
}

/** The meter alone; mirrored, it grows to the left. */
export function RiskTrack({ risk, className, mirrored = false }: RiskTrackProps) {
  const place = (share: number) => `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%`;
  return (
    <span
      aria-hidden
      className={classes('relative flex overflow-hidden bg-line', mirrored && 'justify-end', className)}
    >
      {risk && (
        <>
          <span
            className={classes('block h-full transition-[width] duration-500', grounds[findRiskTone(risk)])}
            style={{ width: place(risk.value) }}
          />
          <span
            className="absolute inset-y-0 w-0.5 bg-ink"
            style={{ [mirrored ? 'right' : 'left']: `calc(${place(risk.bar)} - 1px)` }}
          />
        </>
      )}
    </span>
  );
}

interface RiskTrackProps {
  risk: RiskView | null;
  className?: string;
  mirrored?: boolean;
}

/** How somebody spreads the risk over the three concepts: a bar of three parts, with its numbers. */
export function DistributionBar({ distribution: { explicit, implicit, none } }: { distribution: ShownDistribution }) {
  const width = (share: number) => ({ width: `${Math.round(share * 100)}%` });
  return (
    <div className="grid gap-1">
      <div aria-hidden className="flex h-1.5 overflow-hidden rounded-full bg-line">
        <span className="bg-risk transition-[width] duration-500" style={width(explicit)} />
        <span className="bg-implicit transition-[width] duration-500" style={width(implicit)} />
        <span className="bg-exoneration transition-[width] duration-500" style={width(none)} />
      </div>
      <p className="text-xs text-quiet tabular-nums">
        explicit {showScore(explicit)} · implicit {showScore(implicit)} · none {showScore(none)}
      </p>
    </div>
  );
}

interface ProgressPart {
  name: string;
  count: number;
  tone: ColourTone;
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
