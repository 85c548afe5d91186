import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Overview } from '../../api/types.ts';
import { count, dollars, duration, percent } from '../../charts/chart-words.ts';

/** The whole time in a few figures. */
export function Totals({ totals, cases }: { totals: Overview['totals']; /** How the cases behind a figure are found. */ cases: Record<string, string | undefined> }) {
  const share = (part: number) => (totals.cases === 0 ? null : part / totals.cases);
  const to = (more: Record<string, string>, words: string) => <Link to="/cases" search={{ ...cases, ...more } as never} className="text-link underline">{words}</Link>;
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-7">
      <Total name="Judged" value={count(totals.cases)}>{to({}, 'cases')}</Total>
      <Total name="Unsafe" value={percent(share(totals.byLabel['unsafe'] ?? 0))}>{to({ label: 'unsafe' }, count(totals.byLabel['unsafe'] ?? 0))}</Total>
      <Total name="Escalated" value={percent(share(totals.escalated))}>{to({ escalated: 'true' }, count(totals.escalated))}, {count(totals.undecided)} undecided</Total>
      <Total name="Disagreement" value={totals.disagreement === null ? '–' : totals.disagreement.toFixed(2)}>the mean distance of both sides</Total>
      <Total name="Decided by people" value={count(totals.decided)}>{count(totals.overturned)} otherwise</Total>
      <Total name="Cost" value={dollars(totals.costUsd)}>{totals.costUsd === null ? 'no price is known' : `${dollars(totals.cases === 0 ? null : totals.costUsd / totals.cases)} a case`}</Total>
      <Total name="Latency" value={duration(totals.latencyMs.p50)}>median; 95 % within {duration(totals.latencyMs.p95)}</Total>
    </dl>
  );
}

function Total({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="grid content-start rounded-xl border bg-surface px-4 py-3">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="text-2xl tabular-nums">{value}</dd>
      <dd className="text-sm text-quiet">{children}</dd>
    </div>
  );
}
