import { Calculator } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SentRunEstimate } from '../api/client.ts';
import { formatCost, showCount, formatDuration } from '../charts/format-figures.ts';
import { Button } from './button.tsx';
import { ProblemNotice } from './page.tsx';
import { type TableFact, Facts } from './table.tsx';

interface EstimateButtonProps<Estimate> {
  estimate: { data: Estimate | undefined; error: unknown; isPending: boolean };
  onAsk: () => void;
  disabled?: boolean;
  children: (estimate: Estimate) => ReactNode;
}

/** Asks what something would cost, and shows it. */
export function EstimateButton<Estimate>({ estimate, onAsk, disabled, children }: EstimateButtonProps<Estimate>) {
  const { data, error, isPending } = estimate;
  return (
    <div className="grid gap-3" aria-live="polite">
      <Button className="w-fit" icon={Calculator} disabled={disabled} busy={isPending} onClick={onAsk}>
        Estimate cost
      </Button>
      {error ? <ProblemNotice error={error} /> : null}
      {data !== undefined && children(data)}
    </div>
  );
}

interface EstimateCardProps {
  facts: readonly (TableFact | null)[];
  usd: { expected: number; low: number; high: number } | null;
  atMostUsd: number | null;
  assumptions: readonly string[];
  children: ReactNode;
}

/** What something would take, before it starts: its cost first, and last what was assumed. */
export function EstimateCard({ facts, usd, atMostUsd, assumptions, children }: EstimateCardProps) {
  const cost = usd && `about ${formatCost(usd.expected)} (${formatCost(usd.low)} to ${formatCost(usd.high)})`;
  return (
    <section aria-label="Estimate" className="grid gap-3 rounded-lg border bg-paper p-3">
      <Facts
        facts={[
          ['Cost', cost ?? 'unknown: a price is not known'],
          ['At most', atMostUsd === null ? null : formatCost(atMostUsd)],
          ...facts,
        ]}
      />
      {children}
      {assumptions.length > 0 && (
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
      )}
    </section>
  );
}

const covers: Readonly<Record<string, string>> = {
  surely: 'covers the run even in the worst case',
  likely: 'probably covers the run',
  no: 'does not cover the run',
};

/** What a run would take, before it starts. */
export function EstimateView({ estimate }: { estimate: SentRunEstimate }) {
  const { input, sample, run, allRounds, atMost, time, budget, assumptions } = estimate;
  const failed = Object.entries(sample.failed);
  const broken = input.broken > 0 ? `, ${showCount(input.broken)} cannot be read` : '';
  return (
    <EstimateCard
      usd={run.usd}
      atMostUsd={atMost.usd}
      assumptions={assumptions}
      facts={[
        ['If no debate ends early', allRounds?.usd ? formatCost(allRounds.usd.expected) : null],
        ['Calls', `about ${showCount(run.calls.expected)}`],
        ['Time', `about ${formatDuration(time.seconds * 1000)}`],
        ['Items', `${showCount(input.items)}${broken}`],
      ]}
    >
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
    </EstimateCard>
  );
}
