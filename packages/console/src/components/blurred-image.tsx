import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { useCovers } from './care.ts';
import { useReport } from '../report/report-context.ts';
import { classes } from './tones.ts';

export interface BlurredImageProps {
  src: string;
  alt: string;
  revealed?: boolean | undefined;
  onReveal?: ((revealed: boolean) => void) | undefined;
  /** What stands around it says how it is shown. */
  withoutButton?: boolean;
  className?: string;
  /** What is outlined in it once it is shown, in parts of its sides. */
  outlines?: readonly Outline[];
}

export interface Outline {
  kind: 'text' | 'object';
  title: string;
  box: { x: number; y: number; width: number; height: number };
}

/** An image that may hurt to look at: blurred until asked for. */
export function BlurredImage({
  src,
  alt,
  revealed: given,
  onReveal,
  withoutButton = false,
  className = 'max-h-96',
  outlines = [],
}: BlurredImageProps) {
  const covers = useCovers();
  const isReport = useReport() !== null;
  const [own, setOwn] = useState<boolean | null>(null);
  const revealed = given ?? own ?? !covers;
  const turn = (next: boolean) => {
    setOwn(next);
    onReveal?.(next);
  };
  if (isReport) return <CoveredImage {...{ src, alt, className, outlines }} />;
  return (
    <figure className="grid justify-items-start gap-2">
      <div className="relative overflow-hidden rounded-lg border bg-paper">
        <img
          src={src}
          alt={revealed ? alt : `${alt}, blurred`}
          draggable={false}
          className={classes(
            'block max-w-full transition-[filter] duration-200',
            className,
            !revealed && 'blur-2xl grayscale',
          )}
        />
        {revealed && outlines.length > 0 && <Outlines outlines={outlines} />}
      </div>
      {!withoutButton && <RevealButton revealed={revealed} onReveal={turn} />}
    </figure>
  );
}

/** The same where nothing can be pressed: a box that is ticked. */
function CoveredImage({
  src,
  alt,
  className,
  outlines = [],
}: Pick<BlurredImageProps, 'src' | 'alt' | 'className' | 'outlines'>) {
  return (
    <figure className="group grid justify-items-start gap-2">
      <label className="inline-flex min-h-8 items-center gap-2 text-sm text-link print:hidden">
        <input type="checkbox" className="size-4 accent-link" /> Show the image
      </label>
      <div className="relative overflow-hidden rounded-lg border bg-paper">
        <img
          src={src}
          alt={alt}
          className={classes(
            'block max-w-full blur-2xl grayscale group-has-checked:blur-none group-has-checked:grayscale-0',
            className,
          )}
        />
        <div className="hidden group-has-checked:block">
          <Outlines outlines={outlines} />
        </div>
      </div>
      {outlines.length > 0 && (
        <figcaption className="text-xs text-quiet">
          {[...new Set(outlines.map(({ title }) => title))].join(' · ')}
        </figcaption>
      )}
    </figure>
  );
}

function Outlines({ outlines }: { outlines: readonly Outline[] }) {
  return (
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden className="absolute inset-0 size-full">
      {outlines.map(({ kind, title, box }, index) => (
        <rect
          key={index}
          {...box}
          fill="transparent"
          strokeWidth={2}
          vectorEffect="non-scaling-stroke"
          className={kind === 'text' ? 'stroke-link' : 'stroke-caution'}
          strokeDasharray={kind === 'text' ? undefined : '6 3'}
        >
          <title>{title}</title>
        </rect>
      ))}
    </svg>
  );
}

interface RevealButtonProps {
  revealed: boolean;
  onReveal: (revealed: boolean) => void;
  /** What is shown: `image`, `film`. */
  what?: string;
  children?: ReactNode;
}

export function RevealButton({ revealed, onReveal, what = 'image', children }: RevealButtonProps) {
  return (
    <Button size="small" icon={revealed ? EyeOff : Eye} onClick={() => onReveal(!revealed)} aria-pressed={revealed}>
      {revealed ? 'Blur' : 'Show'} the {what} {children}
    </Button>
  );
}

/** Addresses under which files of the page can be shown, as long as they are. */
export function useObjectUrls(files: readonly File[]): readonly string[] {
  const [urls, setUrls] = useState<readonly string[]>([]);
  useEffect(() => {
    const made = files.map((file) => URL.createObjectURL(file));
    setUrls(made);
    return () => made.forEach((url) => URL.revokeObjectURL(url));
  }, [files]);
  return urls;
}
