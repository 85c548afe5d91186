import type { ReactNode } from 'react';
import { Card } from '../../components/card.tsx';

/** One step on the way to a policy in force; `waiting` says for what. */
export function Step({
  number,
  title,
  lead,
  waiting = null,
  children,
}: {
  number: number;
  title: string;
  lead?: string;
  waiting?: string | null;
  children: ReactNode;
}) {
  return (
    <Card className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-3">
      <span aria-hidden className="grid size-9 place-items-center rounded-full border-2 font-medium">
        {number}
      </span>
      <h2 className="self-center text-xl">{title}</h2>
      <div className="col-span-2 grid min-w-0 gap-3 sm:col-span-1 sm:col-start-2">
        {lead && <p className="max-w-3xl text-quiet">{lead}</p>}
        {waiting ? <p className="text-quiet">{waiting}</p> : children}
      </div>
    </Card>
  );
}
