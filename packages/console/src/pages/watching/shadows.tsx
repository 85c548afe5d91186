import { useMutation, useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { client, type Shadow } from '../../api/client.ts';
import { invalidate, shadowsQuery } from '../../api/query-options.ts';
import { formatCost, showCount, showPercent } from '../../charts/format-figures.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { EmptyState, QueryView, Section } from '../../components/page.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { useMay } from '../../session/session.ts';
import { CompareShadow } from './compare-shadow.tsx';
import { NewShadow } from './new-shadow.tsx';

interface ShadowsProps {
  chosen: string | undefined;
  choose: (id: string | undefined) => void;
}

/** Candidates that judge live traffic after the answer was given. */
export function Shadows({ chosen, choose }: ShadowsProps) {
  const shadows = useQuery(shadowsQuery);
  return (
    <>
      <Section
        title="In the shadow"
        lead="A candidate judges a share of what is judged here, after the answer was given: nobody waits for it, and
          its cases are in no list, queue or figure."
        actions={<NewShadow onStarted={choose} />}
      >
        <QueryView query={shadows} what="Loading candidates">
          {({ rows }) =>
            rows.length === 0 ? (
              <EmptyState icon={Copy} title="No candidate judges">
                Try another policy, another model or another sensitivity on live traffic before you switch.
              </EmptyState>
            ) : (
              <Table label="Candidates" head={['Candidate', 'Changes', 'Share', 'Started', 'State', 'Actions']}>
                {rows.map((row) => (
                  <tr key={row.id}>
                    <Cell className="words min-w-40">
                      <PlainText text={row.name} />
                    </Cell>
                    <Cell className="words min-w-44">{listChanges(row).join(', ')}</Cell>
                    <Cell className="whitespace-nowrap tabular-nums">{showPercent(row.share)}</Cell>
                    <Cell>
                      <When moment={row.startedAt} />
                    </Cell>
                    <Cell className="min-w-48">
                      {row.endedAt === null ? (
                        <Badge tone="exoneration">judges</Badge>
                      ) : (
                        <Badge tone="quiet">ended</Badge>
                      )}
                      <span className="block text-sm text-quiet">
                        {formatCost(row.spentUsd)} · {showCount(row.dropped)} dropped · {showCount(row.failed)} failed
                      </span>
                    </Cell>
                    <Cell>
                      <div className="flex flex-wrap gap-2">
                        <Button size="small" aria-pressed={chosen === row.id} onClick={() => choose(row.id)}>
                          Compare
                        </Button>
                        {row.endedAt === null && <EndShadow row={row} />}
                      </div>
                    </Cell>
                  </tr>
                ))}
              </Table>
            )
          }
        </QueryView>
      </Section>
      {chosen !== undefined && <CompareShadow key={chosen} id={chosen} />}
    </>
  );
}

/** What a candidate does otherwise, in words. */
export function listChanges({ policy, seats, sensitivity, method }: Shadow): string[] {
  return [
    ...(policy === null ? [] : [`policy ${policy.slice(7, 19)}`]),
    ...Object.entries(seats).map(([seat, model]) => `${model} as ${seat}`),
    ...(sensitivity === null ? [] : [`sensitivity ${sensitivity}`]),
    ...(method === null ? [] : [`method ${method}`]),
  ];
}

function EndShadow({ row: { id, name } }: { row: Shadow }) {
  const end = useMutation({ mutationFn: () => client.shadows.end(id), onSuccess: () => invalidate('shadows') });
  if (!useMay('admin')) return null;
  return (
    <ConfirmDialog
      title="End this candidate?"
      description={`${name} judges nothing more. What it judged stays.`}
      trigger={<Button size="small">End</Button>}
      action={end}
      confirm="End"
      variant="primary"
    />
  );
}
