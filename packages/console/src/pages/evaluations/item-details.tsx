import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { SentCaseRecord, SentRunItem } from '../../api/client.ts';
import { LabelBadge } from '../../components/badge.tsx';
import { ButtonLink } from '../../components/button.tsx';
import { Loading, QueryView } from '../../components/page.tsx';
import { Facts } from '../../components/table.tsx';
import { Paragraph, PlainText } from '../../components/text.tsx';
import { viewVerdictRisk } from '@agonhq/engine/view';
import { RiskMeter } from '../../components/bars.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { caseQuery } from '../../api/query-options.ts';

/** What came of an item of a run, as its case says it. */
export function ItemDetails({
  item: { result, error, sameAs },
}: {
  item: Pick<SentRunItem, 'result' | 'error' | 'sameAs'>;
}) {
  if (result) return <CaseSummary id={result.case} />;
  if (error)
    return (
      <p className="words text-risk">
        {error.message} <span className="text-quiet">{error.hint}</span>
      </p>
    );
  if (sameAs !== null) return <p className="text-quiet">Same content as item {sameAs}, so it has the same verdict.</p>;
  return <p className="text-quiet">Not judged yet.</p>;
}

function CaseSummary({ id }: { id: string }) {
  return (
    <QueryView query={useQuery(caseQuery(id))} lines={3} what="Loading case">
      {(data) => <CaseFacts record={data} />}
    </QueryView>
  );
}

function CaseFacts({ record }: { record: SentCaseRecord }) {
  const { id, job, answer, excerpt } = record;
  const risk = viewVerdictRisk(record);
  const { readAnswer, views } = findConsoleJob(job);
  const why = (answer && readAnswer(answer).verdict?.rule.why) ?? null;
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="words max-h-48 overflow-y-auto">
        {excerpt === null ? <i className="text-quiet">Content forgotten</i> : <PlainText text={excerpt} />}
      </p>
      <Facts
        facts={[
          ['Verdict', <LabelBadge key="label" label={record.label} />],
          risk && ['Risk', <RiskMeter key="risk" risk={risk} saysBar />],
          ['Rule', record.rule],
          ['Categories', record.categories.join(', ') || null],
          ['Models', record.models.join(', ')],
        ]}
      />
      {why !== null && <Paragraph text={why} className="text-quiet" />}
      {answer && views.figure?.isShown(answer) && (
        <Suspense fallback={<Loading lines={6} />}>
          <views.figure.Figure answer={answer} />
        </Suspense>
      )}
      <div>
        <ButtonLink to="/cases/$id" params={{ id }} size="small">
          Open case
        </ButtonLink>
      </div>
    </div>
  );
}
