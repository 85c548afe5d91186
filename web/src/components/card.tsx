import type { ComponentProps, ReactNode } from 'react';
import { classes } from './tones.ts';

/** A surface with something on it. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={classes('rounded-xl border bg-surface p-4 sm:p-5', className)} {...rest} />;
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  lead,
  actions,
  children,
  className,
}: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={classes('grid gap-3', className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-xl">{title}</h2>
        {actions}
      </div>
      {lead && <p className="-mt-2 max-w-3xl text-sm text-quiet">{lead}</p>}
      {children}
    </section>
  );
}
