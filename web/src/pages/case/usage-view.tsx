import { seconds } from '../../../../src/reports/words.ts';
import type { ModerationAnswer } from '../../api/types.ts';
import { formatCount, formatCost } from '../../charts/chart-words.ts';
import { Section } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { Cell, Table } from '../../components/table.tsx';

type Usage = ModerationAnswer['usage'];
type UsagePart = Usage['byModel'][string];

/** What the trial took: tokens, money, time; by model and by seat. */
export function UsageView({ usage }: { usage: Usage }) {
  return (
    <Section title="Usage">
      <Facts
        facts={[
          ['Calls', formatCount(usage.calls)],
          ['Tokens in', formatCount(usage.inputTokens)],
          ['of them cached', formatCount(usage.cachedTokens)],
          ['Tokens out', formatCount(usage.outputTokens)],
          ['Cost', formatCost(usage.costUsd)],
          ['Time', seconds(usage.latencyMs)],
        ]}
      />
      <div className="grid gap-4 xl:grid-cols-2">
        <UsageTable label="Usage by model" head="Model" parts={usage.byModel} />
        <UsageTable label="Usage by seat" head="Seat" parts={usage.bySeat} />
      </div>
    </Section>
  );
}

function UsageTable({ label, head, parts }: { label: string; head: string; parts: Record<string, UsagePart> }) {
  if (Object.keys(parts).length === 0) return null;
  return (
    <div className="min-w-0">
      <Table label={label} head={[head, 'Calls', 'Tokens in', 'Cached', 'Tokens out', 'Cost']}>
        {Object.entries(parts).map(([name, { calls, inputTokens, cachedTokens, outputTokens, costUsd }]) => (
          <tr key={name} className="tabular-nums">
            <Cell className="font-mono text-sm whitespace-nowrap">{name}</Cell>
            <Cell className="whitespace-nowrap">{formatCount(calls)}</Cell>
            <Cell className="whitespace-nowrap">{formatCount(inputTokens)}</Cell>
            <Cell className="whitespace-nowrap">{formatCount(cachedTokens)}</Cell>
            <Cell className="whitespace-nowrap">{formatCount(outputTokens)}</Cell>
            <Cell className="whitespace-nowrap">{formatCost(costUsd)}</Cell>
          </tr>
        ))}
      </Table>
    </div>
  );
}
