import type { SentRunEstimate } from '../api/client.ts';
import { formatCost, showCount, formatDuration } from '../charts/format-figures.ts';
import { Facts } from './table.tsx';

const covers: Readonly<Record<string, string>> = {
  surely: 'covers the run even in the worst case',
  likely: 'probably covers the run',
  no: 'does not cover the run',
};

/** What a run would take, before it starts. */
export function EstimateView({ estimate }: { estimate: SentRunEstimate }) {
  const { input, sample, run, allRounds, atMost, time, budget, assumptions } = estimate;
  const failed = Object.entries(sample.failed);
  return (
    <section aria-label="Estimate" className="grid gap-3 rounded-lg border bg-paper p-3">
      <Facts
        facts={[
          [
            'Cost',
            run.usd === null
              ? 'unknown: a price is not known'
              : `about ${formatCost(run.usd.expected)} (${formatCost(run.usd.low)} to ${formatCost(run.usd.high)})`,
          ],
          ['At most', atMost.usd === null ? null : formatCost(atMost.usd)],
          ['If no debate ends early', allRounds?.usd ? formatCost(allRounds.usd.expected) : null],
          ['Calls', `about ${showCount(run.calls.expected)}`],
          ['Time', `about ${formatDuration(time.seconds * 1000)}`],
          [
            'Items',
            `${showCount(input.items)}${input.broken > 0 ? `, ${showCount(input.broken)} cannot be read` : ''}`,
          ],
        ]}
      />
      {budget?.usd && (
        <p className={budget.covers === 'no' ? 'text-risk' : 'text-exoneration'}>
          {formatCost(budget.usd)} {covers[budget.covers] ?? budget.covers}
          {budget.items !== null && `: it would stop after about ${showCount(budget.items)} items`}.
        </p>
      )}
      {failed.length > 0 && (
        <p className="text-caution">
          Of {sample.items} items that were tried, some could not be judged:{' '}
          {failed.map(([code, items]) => `${items} ${code}`).join(', ')}.
        </p>
      )}
      <details className="text-sm text-quiet">
        <summary>What was assumed</summary>
        <ul className="mt-1 list-disc pl-5">
          {assumptions.map((assumption) => (
            <li key={assumption} className="words">
              {assumption}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
