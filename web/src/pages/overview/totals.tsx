import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { formatCount, formatCost, formatDuration, formatPercent } from '../../charts/chart-words.ts';
import { FigureCard } from '../../components/figure-card.tsx';

/** The whole time in a few figures. */
export function Totals({
  totals,
  cases,
}: {
  totals: Overview['totals'];
  /** How the cases behind a figure are found. */ cases: Record<string, string | undefined>;
}) {
  const share = (part: number) => (totals.cases === 0 ? null : part / totals.cases);
  const to = (more: Record<string, string>, words: string) => (
    <Link to="/cases" search={{ ...cases, ...more } as never} className="text-link underline">
      {words}
    </Link>
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
        the mean distance of both sides
      </FigureCard>
      <FigureCard name="Decided by people" value={formatCount(totals.decided)}>
        {formatCount(totals.overturned)} otherwise
      </FigureCard>
      <FigureCard name="Cost" value={formatCost(totals.costUsd)}>
        {totals.costUsd === null
          ? 'no price is known'
          : `${formatCost(totals.cases === 0 ? null : totals.costUsd / totals.cases)} a case`}
      </FigureCard>
      <FigureCard name="Latency" value={formatDuration(totals.latencyMs.p50)}>
        median; 95 % within {formatDuration(totals.latencyMs.p95)}
      </FigureCard>
    </dl>
  );
}
