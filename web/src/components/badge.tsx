import type { ReactNode } from 'react';
import { classes } from '../class-names.ts';

export type Tone = 'risk' | 'exoneration' | 'caution' | 'implicit' | 'both' | 'quiet';

const tones: Record<Tone, string> = {
  risk: 'border-risk bg-risk-ground text-risk',
  exoneration: 'border-exoneration bg-exoneration-ground text-exoneration',
  caution: 'border-caution bg-caution-ground text-caution',
  implicit: 'border-implicit bg-implicit-ground text-implicit',
  both: 'border-both bg-both-ground text-both',
  quiet: 'border-line bg-paper text-quiet',
};

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
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
