import { useInfiniteQuery } from '@tanstack/react-query';
import { Ruler } from 'lucide-react';
import type { Bench } from '../../api/types.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, CopyButton, TextLink } from '../../components/button.tsx';
import { EmptyState, Loading, ProblemNotice } from '../../components/placeholders.tsx';
import { Cell, Table } from '../../components/table.tsx';
import type { Tone } from '../../components/tones.ts';
import { When } from '../../components/when.tsx';
import { benchesQuery } from '../../api/query-options.ts';

const states: Record<Bench['state'], { tone: Tone; words: string }> = {
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
  if (list.isError) return <ProblemNotice error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <Loading lines={6} what="Loading benches" />;
  const benches = list.data.pages.flatMap(({ rows }) => rows);
  if (benches.length === 0) {
    return (
      <EmptyState title="No benches yet" icon={Ruler} action={<CopyButton text={command}>Copy command</CopyButton>}>
        <p>
          A bench measures several systems on the same labelled data. Run it on the command line, with this server’s
          ledger:
        </p>
        <p className="mt-2">
          <code className="words font-mono text-sm">{command}</code>
        </p>
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-3">
      <Table label="Benches" head={['Bench', 'State', 'Data', 'Judgements', 'Started']}>
        {benches.map(({ id, name, state, sets, judged, startedAt }) => (
          <tr key={id}>
            <Cell>
              <TextLink to="/evaluations/benches/$id" params={{ id }} className="words">
                {name}
              </TextLink>
            </Cell>
            <Cell>
              <BenchState state={state} />
            </Cell>
            <Cell className="words">
              {sets
                .map(({ title, items }) => `${title}${items === null ? '' : ` (${items.toLocaleString()})`}`)
                .join(', ')}
            </Cell>
            <Cell className="tabular-nums">{judged.toLocaleString()}</Cell>
            <Cell>
              <When moment={startedAt} />
            </Cell>
          </tr>
        ))}
      </Table>
      {list.hasNextPage && (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
