import { Check, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../../components/badge.tsx';

/** A part of an item with whether it was looked at; `missing` says what to do until then. */
export function PartFrame({
  title,
  viewed,
  missing,
  children,
}: {
  title: string;
  viewed: boolean;
  missing: string;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className="grid min-w-0 content-start gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{title}</h3>
        {viewed ? (
          <Badge tone="exoneration">
            <Check aria-hidden className="size-4" /> Viewed
          </Badge>
        ) : (
          <Badge tone="caution">
            <CircleDashed aria-hidden className="size-4" /> {missing}
          </Badge>
        )}
      </div>
      {children}
    </section>
  );
}
