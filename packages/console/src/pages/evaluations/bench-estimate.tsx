import type { BenchEstimate } from '../../api/client.ts';
import { formatCost, showCount } from '../../charts/format-figures.ts';
import { DataTable, Facts } from '../../components/table.tsx';

const covers: Readonly<Record<NonNullable<BenchEstimate['budget']>['covers'], string>> = {
  surely: 'covers the bench even in the worst case',
  likely: 'probably covers the bench',
  no: 'does not cover the bench: it would stop before its end, and could be resumed with a larger budget',
  unknown: 'may or may not cover the bench: a price is not known',
};

/** What a bench would take, before it starts. */
export function BenchEstimateView({ estimate }: { estimate: BenchEstimate }) {
  const { items, broken, judgements, repeats, systems, calls, usd, atMostUsd, budget, notes } = estimate;
  return (
    <section aria-label="Estimate" className="grid gap-3 rounded-lg border bg-paper p-3">
      <Facts
        facts={[
          [
            'Cost',
            usd === null
              ? 'unknown: a price is not known'
              : `about ${formatCost(usd.expected)} (${formatCost(usd.low)} to ${formatCost(usd.high)})`,
          ],
          ['At most', atMostUsd === null ? null : formatCost(atMostUsd)],
          ['Calls', `about ${showCount(calls)}`],
          [
            'Judgements',
            `${showCount(judgements)}: ${showCount(items)} items × ${systems.length} systems` +
              (repeats > 1 ? ` × ${repeats} repeats` : ''),
          ],
          broken > 0 ? ['Cannot be read', `${showCount(broken)} lines`] : null,
        ]}
      />
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
      {notes.length > 0 && (
        <details className="text-sm text-quiet">
          <summary>What was assumed</summary>
          <ul className="mt-1 list-disc pl-5">
            {notes.map((note) => (
              <li key={note} className="words">
                {note}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
