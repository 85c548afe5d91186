import { ChartColumn, Table2 } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Card, Skeleton } from '../components/page.tsx';

export const chartHeight = 260;

interface ChartFigureProps {
  title: string;
  lead?: ReactNode;
  /** What the drawing says, in a sentence, for those who do not see it. */
  summary: string;
  table: ReactNode;
  /** The drawing; a chunk of its own. */
  children: ReactNode;
  aside?: ReactNode;
}

/** A chart with its words, and a table in its place for whoever wants the numbers. */
export function ChartFigure({ title, lead, summary, table, children, aside }: ChartFigureProps) {
  const [asTable, setAsTable] = useState(false);
  return (
    <Card className="grid content-start gap-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h2 className="text-xl">{title}</h2>
        <Button
          size="small"
          onClick={() => setAsTable(!asTable)}
          aria-label={`${title}: show ${asTable ? 'chart' : 'table'}`}
        >
          {asTable ? <ChartColumn aria-hidden className="size-4" /> : <Table2 aria-hidden className="size-4" />}{' '}
          {asTable ? 'Chart' : 'Table'}
        </Button>
      </div>
      {lead && <p className="-mt-2 text-sm text-quiet">{lead}</p>}
      {asTable ? (
        <div className="max-h-80 overflow-y-auto">{table}</div>
      ) : (
        <figure
          aria-label={summary}
          role="img"
          className="min-w-0 overflow-hidden text-sm"
          style={{ height: chartHeight }}
        >
          <Suspense fallback={<Skeleton className="h-full w-full" />}>{children}</Suspense>
        </figure>
      )}
      {aside}
    </Card>
  );
}
