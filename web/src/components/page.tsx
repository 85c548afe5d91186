import { type ReactNode, useEffect, type ComponentProps } from 'react';
import { classes } from './tones.ts';

interface PageProps {
  title: string;
  name?: string;
  lead?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A page: its title is the document's, too, where no `name` tells it from others of its kind. `wide` for tables and
 * two panes.
 */
export function Page({ title, name = title, lead, actions, wide = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${name} · Agon`;
  }, [name]);
  return (
    <div className={classes('mx-auto grid gap-6 px-4 py-6 sm:px-6 lg:px-8', wide ? 'max-w-[100rem]' : 'max-w-6xl')}>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="text-3xl" tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="mt-1 max-w-3xl text-quiet">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A surface with something on it. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={classes('rounded-xl border bg-surface p-4 sm:p-5', className)} {...rest} />;
}

interface SectionProps {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A part of a page with a heading of its own. */
export function Section({ title, lead, actions, children, className }: SectionProps) {
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
