import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { count, dollars, duration, percent } from '../../charts/chart-words.ts';
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
      <FigureCard name="Judged" value={count(totals.cases)}>
        {to({}, 'cases')}
      </FigureCard>
      <FigureCard name="Unsafe" value={percent(share(totals.byLabel['unsafe'] ?? 0))}>
        {to({ label: 'unsafe' }, count(totals.byLabel['unsafe'] ?? 0))}
      </FigureCard>
      <FigureCard name="Escalated" value={percent(share(totals.escalated))}>
        {to({ escalated: 'true' }, count(totals.escalated))}, {count(totals.undecided)} undecided
      </FigureCard>
      <FigureCard name="Disagreement" value={totals.disagreement === null ? '–' : totals.disagreement.toFixed(2)}>
        the mean distance of both sides
      </FigureCard>
      <FigureCard name="Decided by people" value={count(totals.decided)}>
        {count(totals.overturned)} otherwise
      </FigureCard>
      <FigureCard name="Cost" value={dollars(totals.costUsd)}>
        {totals.costUsd === null
          ? 'no price is known'
          : `${dollars(totals.cases === 0 ? null : totals.costUsd / totals.cases)} a case`}
      </FigureCard>
      <FigureCard name="Latency" value={duration(totals.latencyMs.p50)}>
        median; 95 % within {duration(totals.latencyMs.p95)}
      </FigureCard>
    </dl>
  );
}
