import { describePictureMatch } from '@agonhq/engine/fingerprint';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import type { SentCaseRecord } from '../../api/client.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { QueryView, Section, Loading, ProblemNotice } from '../../components/page.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { viewVerdictRisk } from '@agonhq/engine/view';
import { formatWholePercent, RiskMeter } from '../../components/bars.tsx';
import { DataTable } from '../../components/table.tsx';
import { CasesAroundView } from '../../components/context-view.tsx';
import { casesAroundQuery, similarCasesQuery } from '../../api/query-options.ts';
import { CaseLink } from '../../components/button.tsx';

/** What the same author wrote before, and the thread around a case. */
export function CasesAround({ id }: { id: string }) {
  return (
    <QueryView query={useQuery(casesAroundQuery(id))} what="Finding the author’s cases">
      {(around) =>
        around.author.length + around.thread.length === 0 ? (
          <p className="text-quiet">There is no other case of this author or in this thread.</p>
        ) : (
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <CasesAroundView around={around} mayOpen />
          </div>
        )
      }
    </QueryView>
  );
}

export function SimilarCases({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(similarCasesQuery(id));
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
      <DataTable
        label="Similar cases"
        rows={data.rows}
        columns={[
          [
            'Similarity',
            ({ similarity, picture }) => (picture ? describePictureMatch(picture) : formatWholePercent(similarity)),
            'whitespace-nowrap',
          ],
          ['Label', ({ label, state }) => <LabelBadge label={label} state={state} />],
          ['Risk', (row) => <RiskMeter risk={viewVerdictRisk(row)} width="w-12" />],
          [
            'Case',
            (row) => (
              <CaseLink id={row.id}>
                <span className="line-clamp-2">{row.excerpt === null ? row.id : <PlainText text={row.excerpt} />}</span>
              </CaseLink>
            ),
            'min-w-60',
          ],
          ['When', ({ openedAt }) => <When moment={openedAt} />, 'text-sm whitespace-nowrap text-quiet'],
        ]}
      />
      <p className="text-sm text-quiet">The most similar of {data.compared}.</p>
    </>
  );
}

export function Retrials({ record: { retrials, label } }: { record: SentCaseRecord }) {
  return (
    <Section title="Replays and appeals" lead="The same case judged again: with one change, or by other models.">
      {retrials.length === 0 ? (
        <p className="text-quiet">This case has not been replayed or appealed.</p>
      ) : (
        <DataTable
          label="Replays and appeals"
          rows={retrials}
          columns={[
            ['Type', ({ id, again }) => <CaseLink id={id}>{again?.how === 'appeal' ? 'Appeal' : 'Replay'}</CaseLink>],
            [
              'Result',
              (retrial) => (
                <span className="inline-flex items-center gap-2">
                  <LabelBadge label={label} />
                  <ArrowRight aria-label="became" className="size-4 text-quiet" />
                  <LabelBadge label={retrial.label} />
                </span>
              ),
            ],
            [
              'Verdict',
              ({ label: now }) =>
                now !== null && (now === label ? <Badge>Stands</Badge> : <Badge tone="caution">Flipped</Badge>),
            ],
            ['Models', ({ models }) => models.join(', '), 'min-w-40 font-mono text-sm'],
            ['When', ({ openedAt }) => <When moment={openedAt} />, 'text-sm text-quiet'],
          ]}
        />
      )}
    </Section>
  );
}
