import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { formatCount, formatCost } from '../../charts/chart-words.ts';
import { Card } from '../../components/card.tsx';

interface Row {
  id: string;
  cases: number;
  more?: string;
}

/** What is most frequent, each with the way to its cases. */
function Frequent({
  title,
  none,
  rows,
  search,
}: {
  title: string;
  none: string;
  rows: readonly Row[];
  search: (id: string) => Record<string, string | undefined>;
}) {
  const most = Math.max(1, ...rows.map(({ cases }) => cases));
  return (
    <Card className="grid content-start gap-3">
      <h2 className="text-xl">{title}</h2>
      {rows.length === 0 ? (
        <p className="text-quiet">{none}</p>
      ) : (
        <ul className="grid gap-2">
          {rows.map(({ id, cases, more }) => (
            <li key={id} className="grid gap-1">
              <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                <Link to="/cases" search={search(id) as never} className="words min-w-0 text-link underline">
                  {id}
                </Link>{' '}
                <span className="text-sm tabular-nums">
                  {formatCount(cases)}
                  {more && <span className="text-quiet"> · {more}</span>}
                </span>
              </span>
              <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
                <span className="block h-full rounded-full bg-implicit" style={{ width: `${(cases / most) * 100}%` }} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

const shown = 8;

export function Categories({
  categories,
  cases,
}: {
  categories: Overview['categories'];
  cases: Record<string, string | undefined>;
}) {
  return (
    <Frequent
      title="Categories"
      none="No verdict named a category."
      rows={categories.slice(0, shown)}
      search={(category) => ({ ...cases, category })}
    />
  );
}

export function Models({ models, cases }: { models: Overview['models']; cases: Record<string, string | undefined> }) {
  return (
    <Frequent
      title="Models"
      none="Nobody sat in a seat."
      rows={models.slice(0, shown).map(({ id, cases: judged, costUsd }) => ({
        id,
        cases: judged,
        more: costUsd === null ? undefined : formatCost(costUsd),
      }))}
      search={(model) => ({ ...cases, model })}
    />
  );
}
