import type { SentOverview } from '../../api/client.ts';
import { formatCost, showCount, formatDuration, showPercent } from '../../charts/format-figures.ts';
import { Card } from '../../components/page.tsx';
import { FigureCard } from '../../components/table.tsx';
import { TextLink } from '../../components/button.tsx';

export function Totals({
  totals,
  cases,
}: {
  totals: SentOverview['totals'];
  cases: Record<string, string | undefined>;
}) {
  const share = (part: number) => (totals.cases === 0 ? null : part / totals.cases);
  const to = (more: Record<string, string>, words: string) => (
    <TextLink to="/cases" search={{ ...cases, ...more } as never}>
      {words}
    </TextLink>
  );
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-7">
      <FigureCard name="Judged" value={showCount(totals.cases)}>
        {to({}, 'cases')}
      </FigureCard>
      <FigureCard name="Unsafe" value={showPercent(share(totals.byLabel['unsafe'] ?? 0))}>
        {to({ label: 'unsafe' }, showCount(totals.byLabel['unsafe'] ?? 0))}
      </FigureCard>
      <FigureCard name="Escalated" value={showPercent(share(totals.escalated))}>
        {to({ escalated: 'true' }, showCount(totals.escalated))}, {showCount(totals.undecided)} undecided
      </FigureCard>
      <FigureCard name="Disagreement" value={totals.disagreement === null ? '–' : totals.disagreement.toFixed(2)}>
        mean distance between the sides
      </FigureCard>
      <FigureCard name="Decided by people" value={showCount(totals.decided)}>
        {showCount(totals.overturned)} overturned
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

const shown = 8;

interface FrequentProps {
  title: string;
  none: string;
  all: readonly { id: string; cases: number; costUsd?: number | null }[];
  search: (id: string) => Record<string, string | undefined>;
}

/** What is most frequent, each with the way to its cases. */
export function Frequent({ title, none, all, search }: FrequentProps) {
  const rows = all.slice(0, shown);
  const most = Math.max(1, ...rows.map(({ cases }) => cases));
  return (
    <Card className="grid content-start gap-3">
      <h2 className="text-xl">{title}</h2>
      {rows.length === 0 ? (
        <p className="text-quiet">{none}</p>
      ) : (
        <ul className="grid gap-2">
          {rows.map(({ id, cases, costUsd = null }) => (
            <li key={id} className="grid gap-1">
              <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                <TextLink to="/cases" search={search(id) as never} className="words min-w-0">
                  {id}
                </TextLink>{' '}
                <span className="text-sm tabular-nums">
                  {showCount(cases)}
                  {costUsd !== null && <span className="text-quiet"> · {formatCost(costUsd)}</span>}
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
