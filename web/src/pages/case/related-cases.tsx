import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { client } from '../../api/client.ts';
import type { CaseRecord, CaseRow } from '../../api/types.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { Loading, ProblemNotice } from '../../components/placeholders.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { formatWholePercent, Score } from '../../components/bars.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { When } from '../../components/when.tsx';
import { findJob } from '../../jobs/index.ts';
import { TextLink } from '../../components/button.tsx';

/** Other cases about alike content, and what came of them. */
export function SimilarCases({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['similar', id],
    queryFn: ({ signal }) => client.cases.similar(id, { limit: 10 }, { signal }),
    staleTime: 60_000,
  });
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Loading what="Finding similar cases" />;
  if (data.rows.length === 0)
    return (
      <p className="text-quiet">
        No similar cases found. Compared with {data.compared} {data.compared === 1 ? 'case' : 'cases'}.
      </p>
    );
  return (
    <>
      <CaseRows
        label="Similar cases"
        rows={data.rows}
        note={['Similarity', ({ similarity }) => formatWholePercent(similarity)]}
      />
      <p className="text-sm text-quiet">The most similar of {data.compared}.</p>
    </>
  );
}

/** Replays and appeals, and what came of them. */
export function Retrials({ record: { retrials, label } }: { record: CaseRecord }) {
  return (
    <Section title="Replays and appeals" lead="The same case judged again: with one change, or by other models.">
      {retrials.length === 0 ? (
        <p className="text-quiet">This case has not been replayed or appealed.</p>
      ) : (
        <Table label="Replays and appeals" head={['Type', 'Result', 'Verdict', 'Models', 'When']}>
          {retrials.map((retrial) => (
            <tr key={retrial.id}>
              <Cell>
                <TextLink to="/cases/$id" params={{ id: retrial.id }}>
                  {retrial.again?.how === 'appeal' ? 'Appeal' : 'Replay'}
                </TextLink>
              </Cell>
              <Cell>
                <span className="inline-flex items-center gap-2">
                  <LabelBadge label={label} />
                  <ArrowRight aria-label="became" className="size-4 text-quiet" />
                  <LabelBadge label={retrial.label} />
                </span>
              </Cell>
              <Cell>
                {retrial.label !== null &&
                  (retrial.label === label ? <Badge>Stands</Badge> : <Badge tone="caution">Flipped</Badge>)}
              </Cell>
              <Cell className="min-w-40 font-mono text-sm">{retrial.models.join(', ')}</Cell>
              <Cell className="text-sm text-quiet">
                <When moment={retrial.openedAt} />
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

/** A few other cases; `note` is a column of its own. */
function CaseRows<Row extends CaseRow>({
  label,
  rows,
  note: [title, note],
}: {
  label: string;
  rows: readonly Row[];
  note: readonly [title: string, note: (row: Row) => ReactNode];
}) {
  return (
    <Table label={label} head={[title, 'Label', 'Score', 'Case', 'When']}>
      {rows.map((row) => (
        <tr key={row.id}>
          <Cell className="whitespace-nowrap">{note(row)}</Cell>
          <Cell>
            <LabelBadge label={row.label} />
          </Cell>
          <Cell>
            <Score value={row.score} isRisk={findJob(row.job).terms.score.isRisk} width="w-12" />
          </Cell>
          <Cell className="min-w-60">
            <TextLink to="/cases/$id" params={{ id: row.id }}>
              <span className="line-clamp-2">{row.excerpt === null ? row.id : <PlainText text={row.excerpt} />}</span>
            </TextLink>
          </Cell>
          <Cell className="text-sm whitespace-nowrap text-quiet">
            <When moment={row.openedAt} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
