import type { Overview } from '../../api/types.ts';
import { formatCost, formatCount, formatDuration, formatPercent } from '../../charts/format-figures.ts';
import { Card } from '../../components/page.tsx';
import { FigureCard } from '../../components/table.tsx';
import { TextLink } from '../../components/button.tsx';

/** The whole time in a few figures. */
export function Totals({ totals, cases }: { totals: Overview['totals']; cases: Record<string, string | undefined> }) {
  const share = (part: number) => (totals.cases === 0 ? null : part / totals.cases);
  const to = (more: Record<string, string>, words: string) => (
    <TextLink to="/cases" search={{ ...cases, ...more } as never}>
      {words}
    </TextLink>
  );
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-7">
      <FigureCard name="Judged" value={formatCount(totals.cases)}>
        {to({}, 'cases')}
      </FigureCard>
      <FigureCard name="Unsafe" value={formatPercent(share(totals.byLabel['unsafe'] ?? 0))}>
        {to({ label: 'unsafe' }, formatCount(totals.byLabel['unsafe'] ?? 0))}
      </FigureCard>
      <FigureCard name="Escalated" value={formatPercent(share(totals.escalated))}>
        {to({ escalated: 'true' }, formatCount(totals.escalated))}, {formatCount(totals.undecided)} undecided
      </FigureCard>
      <FigureCard name="Disagreement" value={totals.disagreement === null ? '–' : totals.disagreement.toFixed(2)}>
        mean distance between the sides
      </FigureCard>
      <FigureCard name="Decided by people" value={formatCount(totals.decided)}>
        {formatCount(totals.overturned)} overturned
      </FigureCard>
      <FigureCard name="Cost" value={formatCost(totals.costUsd)}>
        {totals.costUsd === null
          ? 'price unknown'
          : `${formatCost(totals.cases === 0 ? null : totals.costUsd / totals.cases)} per case`}
      </FigureCard>
      <FigureCard name="Latency" value={formatDuration(totals.latencyMs.p50)}>
        median; 95 % under {formatDuration(totals.latencyMs.p95)}
      </FigureCard>
    </dl>
  );
}

interface Row {
  id: string;
  cases: number;
  more?: string;
}

interface FrequentProps {
  title: string;
  none: string;
  rows: readonly Row[];
  search: (id: string) => Record<string, string | undefined>;
}

function Frequent({ title, none, rows, search }: FrequentProps) {
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
                <TextLink to="/cases" search={search(id) as never} className="words min-w-0">
                  {id}
                </TextLink>{' '}
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

interface CategoriesProps {
  categories: Overview['categories'];
  cases: Record<string, string | undefined>;
}

export function Categories({ categories, cases }: CategoriesProps) {
  return (
    <Frequent
      title="Categories"
      none="No categories yet."
      rows={categories.slice(0, shown)}
      search={(category) => ({ ...cases, category })}
    />
  );
}

export function Models({ models, cases }: { models: Overview['models']; cases: Record<string, string | undefined> }) {
  return (
    <Frequent
      title="Models"
      none="No models were used."
      rows={models.slice(0, shown).map(({ id, cases: judged, costUsd }) => ({
        id,
        cases: judged,
        more: costUsd === null ? undefined : formatCost(costUsd),
      }))}
      search={(model) => ({ ...cases, model })}
    />
  );
}
