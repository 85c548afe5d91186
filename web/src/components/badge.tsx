import type { ReactNode } from 'react';
import { classes, panels, texts, type Tone } from './tones.ts';

export function Badge({
  tone = 'quiet',
  children,
  className,
}: {
  tone?: Tone;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1 max-w-full rounded-2xl border px-2.5 py-0.5 text-sm leading-5 font-medium',
        panels[tone],
        texts[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
