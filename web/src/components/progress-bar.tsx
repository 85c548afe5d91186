import { grounds, type Tone } from './tones.ts';

export interface ProgressPart {
  name: string;
  count: number;
  tone: Tone;
}

/** How much of a whole is done, by parts, and what is left; the words beneath say the same. */
export function ProgressBar({
  label,
  parts,
  left,
}: {
  label: string;
  parts: readonly ProgressPart[];
  left: Omit<ProgressPart, 'tone'>;
}) {
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
