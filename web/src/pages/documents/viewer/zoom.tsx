import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';

/** A scale, or as wide as there is room. */
export type Zooming = number | 'fit';

const steps = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const look = 'rounded-md p-1.5 text-quiet hover:text-ink disabled:opacity-40';

/** How large the pages are, and which one it is. */
export function Zoom({
  value,
  scale,
  onChange,
  pages,
}: {
  value: Zooming;
  scale: number;
  onChange: (value: Zooming) => void;
  pages: { count: number; current: number };
}) {
  const smaller = steps.findLast((step) => step < scale - 0.01);
  const larger = steps.find((step) => step > scale + 0.01);
  return (
    <div className="absolute right-4 bottom-4 flex items-center gap-1 rounded-lg border bg-surface px-2 py-1 text-sm shadow-md">
      <span className="px-1 whitespace-nowrap tabular-nums">
        {pages.current} of {pages.count}
      </span>
      <button
        type="button"
        aria-label="Smaller"
        className={look}
        disabled={smaller === undefined}
        onClick={() => onChange(smaller!)}
      >
        <ZoomOut aria-hidden className="size-4" />
      </button>
      <button
        type="button"
        aria-label="Larger"
        className={look}
        disabled={larger === undefined}
        onClick={() => onChange(larger!)}
      >
        <ZoomIn aria-hidden className="size-4" />
      </button>
      <button
        type="button"
        aria-label="As wide as there is room"
        aria-pressed={value === 'fit'}
        className={look}
        onClick={() => onChange('fit')}
      >
        <Maximize2 aria-hidden className="size-4" />
      </button>
    </div>
  );
}
