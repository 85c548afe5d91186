import { useInfiniteQuery } from '@tanstack/react-query';
import { Ruler } from 'lucide-react';
import type { Bench } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { CopyButton, TextLink } from '../../components/button.tsx';
import { EmptyState, ListView } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import type { ColourTone } from '../../components/tones.ts';
import { When } from '../../components/text.tsx';
import { benchesQuery } from '../../api/query-options.ts';

const states: Record<Bench['state'], { tone: ColourTone; words: string }> = {
  running: { tone: 'implicit', words: 'Running' },
  done: { tone: 'exoneration', words: 'Done' },
  stopped: { tone: 'caution', words: 'Stopped' },
  failed: { tone: 'risk', words: 'Failed' },
};
const command = 'agon bench moderation --data items.jsonl --systems full,guard';

export function BenchState({ state }: { state: Bench['state'] }) {
  return <Badge tone={states[state].tone}>{states[state].words}</Badge>;
}

/** Measurements of several systems on labelled data, the newest first. */
export function BenchList() {
  const list = useInfiniteQuery(benchesQuery);
  return (
    <div className="grid gap-3">
      <ListView list={list} lines={6} what="Loading benches" empty={<NoBenches />}>
        {(benches) => (
          <DataTable
            label="Benches"
            rows={benches}
            columns={[
              [
                'Bench',
                ({ id, name }) => (
                  <TextLink to="/evaluations/benches/$id" params={{ id }} className="words">
                    {name}
                  </TextLink>
                ),
              ],
              ['State', ({ state }) => <BenchState state={state} />],
              ['Data', ({ sets }) => sets.map(describeSet).join(', '), 'words'],
              ['Judgements', ({ judged }) => judged.toLocaleString(), 'tabular-nums'],
              ['Started', ({ startedAt }) => <When moment={startedAt} />],
            ]}
          />
        )}
      </ListView>
    </div>
  );
}

function describeSet({ title, items }: Bench['sets'][number]): string {
  return `${title}${items === null ? '' : ` (${items.toLocaleString()})`}`;
}

function NoBenches() {
  return (
    <EmptyState title="No benches yet" icon={Ruler} action={<CopyButton text={command}>Copy command</CopyButton>}>
      <p>
        A bench measures several systems on the same labelled data. Start one here, or on the command line with this
        server’s ledger:
      </p>
      <p className="mt-2">
        <code className="words font-mono text-sm">{command}</code>
      </p>
    </EmptyState>
  );
}
