import type { BenchEstimate } from '../../api/client.ts';
import { formatCost, showCount } from '../../charts/format-figures.ts';
import { EstimateCard } from '../../components/estimate-view.tsx';
import { DataTable } from '../../components/table.tsx';

const covers: Readonly<Record<NonNullable<BenchEstimate['budget']>['covers'], string>> = {
  surely: 'covers the bench even in the worst case',
  likely: 'probably covers the bench',
  no: 'does not cover the bench: it would stop before its end, and could be resumed with a larger budget',
  unknown: 'may or may not cover the bench: a price is not known',
};

/** What a bench would take, before it starts. */
export function BenchEstimateView({ estimate }: { estimate: BenchEstimate }) {
  const { items, broken, judgements, repeats, systems, calls, usd, atMostUsd, budget, notes } = estimate;
  const each = `${showCount(items)} items × ${systems.length} systems${repeats > 1 ? ` × ${repeats} repeats` : ''}`;
  return (
    <EstimateCard
      usd={usd}
      atMostUsd={atMostUsd}
      assumptions={notes}
      facts={[
        ['Calls', `about ${showCount(calls)}`],
        ['Judgements', `${showCount(judgements)}: ${each}`],
        broken > 0 ? ['Cannot be read', `${showCount(broken)} lines`] : null,
      ]}
    >
      <DataTable
        label="Estimate by system"
        rows={systems}
        columns={[
          ['System', ({ name }) => name, 'words font-medium'],
          ['Models', ({ models }) => models.join(', '), 'words text-sm'],
          ['Calls', ({ calls: own }) => showCount(own), 'tabular-nums'],
          ['Cost', ({ usd: own }) => (own === null ? 'unknown' : formatCost(own.expected)), 'tabular-nums'],
        ]}
      />
      {budget && (
        <p className={budget.covers === 'no' ? 'text-risk' : budget.covers === 'unknown' ? '' : 'text-exoneration'}>
          {formatCost(budget.usd)} {covers[budget.covers]}.
        </p>
      )}
    </EstimateCard>
  );
}
