import type { ReactNode } from 'react';
import { describeFailure, formatCount, formatSeconds } from '@agonhq/engine/view';
import type { SentAnswer } from '../api/client.ts';
import { formatCost } from '../charts/format-figures.ts';
import { Section } from '../components/page.tsx';
import { DataTable, Facts, type TableColumn, type TableFact } from '../components/table.tsx';
import { PlainText } from '../components/text.tsx';

/* What an answer took, what made it, and its record. */

type Usage = SentAnswer['usage'];
type UsagePart = Usage['byModel'][string];

/** What the trial took: tokens, money, time; by model and by seat. */
export function UsageView({ usage }: { usage: Usage }) {
  return (
    <Section title="Usage">
      <Facts
        facts={[
          ['Calls', formatCount(usage.calls)],
          ['Tokens in', formatCount(usage.inputTokens)],
          ['Cached tokens', formatCount(usage.cachedTokens)],
          ['Tokens out', formatCount(usage.outputTokens)],
          ['Cost', formatCost(usage.costUsd)],
          ['Time', formatSeconds(usage.latencyMs)],
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
  const figure = (title: string, write: (part: UsagePart) => string): TableColumn<[string, UsagePart]> => [
    title,
    ([, part]) => write(part),
    'tabular-nums whitespace-nowrap',
  ];
  return (
    <DataTable
      label={label}
      rows={Object.entries(parts)}
      columns={[
        [head, ([name]) => name, 'font-mono text-sm whitespace-nowrap'],
        figure('Calls', ({ calls }) => formatCount(calls)),
        figure('Tokens in', ({ inputTokens }) => formatCount(inputTokens)),
        figure('Cached', ({ cachedTokens }) => formatCount(cachedTokens)),
        figure('Tokens out', ({ outputTokens }) => formatCount(outputTokens)),
        figure('Cost', ({ costUsd }) => formatCost(costUsd)),
      ]}
    />
  );
}

interface ProvenanceProps {
  answer: SentAnswer;
  /** The policy that was in force; nothing where the job goes by none. */
  policy: ReactNode;
  more?: readonly TableFact[];
}

/** What made the answer, by names and hashes. */
export function ProvenanceFacts({ answer, policy, more = [] }: ProvenanceProps) {
  const { agon, protocol, policy: rulebook, models, precedents, prompts, configuration } = answer.provenance;
  return (
    <>
      <Facts
        facts={[
          ['Agon', agon],
          ['Protocol', protocol],
          policy ? ['Policy', policy] : null,
          [
            'Models',
            <ul key="models">
              {Object.entries(models).map(([seat, model]) => (
                <li key={seat}>
                  {seat}: <code className="font-mono text-sm">{model}</code>
                </li>
              ))}
            </ul>,
          ],
          ...more,
        ]}
      />
      <Facts
        className="grid gap-3 border-t pt-4"
        valueClass="font-mono text-sm break-all"
        facts={[
          ['Seal (hash of the whole answer)', answer.seal],
          ['Configuration', configuration],
          ['Prompts', prompts],
          policy ? ['Policy', rulebook.hash] : null,
          ['Precedent library', precedents],
        ]}
      />
    </>
  );
}

/** Every entry of the record, in order. */
export function RecordTable({ transcript }: Pick<SentAnswer, 'transcript'>) {
  return (
    <DataTable
      label="The record, entry by entry"
      rows={transcript}
      columns={[
        ['Entry', ({ key }) => <code className="font-mono text-sm">{key}</code>],
        ['By', (entry) => (entry.kind === 'turn' ? entry.reasoner : 'code')],
        ['Time', (entry) => (entry.kind === 'turn' ? formatSeconds(entry.latencyMs) : ''), 'tabular-nums'],
        ['Note', (entry) => <PlainText text={describeEntry(entry)} />],
      ]}
    />
  );
}

function describeEntry(entry: SentAnswer['transcript'][number]): string {
  if (entry.kind === 'computed') return `computed: ${entry.name}`;
  if (entry.kind === 'stop') return `rounds ended: ${entry.reason}`;
  return entry.kind === 'turn' && entry.fallback ? `fallback: ${describeFailure(entry.fallback.reason)}` : '';
}
