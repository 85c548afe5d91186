import { Fragment } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { describeProblem } from '../../api/problem.ts';
import type { SentCaseRecord } from '../../api/client.ts';
import { ButtonLink, TextLink } from '../../components/button.tsx';
import { Page, EmptyState, Loading, ProblemNotice, Skeleton } from '../../components/page.tsx';
import { When } from '../../components/text.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { CaseActions } from './case-actions.tsx';
import { LegalHolds } from './legal-holds.tsx';
import { JudgedCase } from './judged-case.tsx';
import { ForgottenCase, OpenCase } from './unfinished-case.tsx';
import { caseQuery } from '../../api/query-options.ts';

export function CasePage() {
  const { id } = useParams({ from: '/cases/$id' });
  const { data: record, error, refetch } = useQuery(caseQuery(id));
  if (!record) {
    if (error && describeProblem(error).status === 404) return <UnknownCase id={id} />;
    return (
      <Page wide title="Case" name={`Case ${id}`}>
        {error ? (
          <ProblemNotice error={error} retry={() => void refetch()} />
        ) : (
          <div className="grid gap-6">
            <Skeleton className="h-40 w-full" />
            <Loading what="Loading case" lines={8} />
          </div>
        )}
      </Page>
    );
  }
  const { answer } = record;
  return (
    <Page
      wide
      title="Case"
      name={`Case ${id}`}
      lead={<CaseLead record={record} />}
      actions={<CaseActions record={record} />}
    >
      {error && <ProblemNotice error={error} retry={() => void refetch()} />}
      <LegalHolds record={record} />
      {record.forgottenAt !== null ? (
        <ForgottenCase record={record} />
      ) : answer === null ? (
        <OpenCase record={record} />
      ) : (
        <JudgedCase key={record.id} record={record} answer={answer} />
      )}
    </Page>
  );
}

function UnknownCase({ id }: { id: string }) {
  return (
    <Page title="Case not found">
      <EmptyState
        title="There is no such case"
        icon={SearchX}
        action={
          <ButtonLink to="/cases" variant="primary">
            Browse cases
          </ButtonLink>
        }
      >
        No case has the ID <code className="font-mono text-sm">{id}</code>. Check the address; the case may belong to
        another server.
      </EmptyState>
    </Page>
  );
}

function CaseLead({ record: { id, job: jobId, again, openedAt, policy, run } }: { record: SentCaseRecord }) {
  const job = findConsoleJob(jobId);
  const parts = [
    <code className="font-mono text-sm">{id}</code>,
    job.title,
    <When moment={openedAt} exact />,
    job.usesPolicy && `${policy.name} ${policy.version}`,
    run && (
      <TextLink to="/evaluations/runs/$id" params={{ id: run }}>
        run {run}
      </TextLink>
    ),
    again && (
      <>
        {{ replay: 'a replay', appeal: 'an appeal', shadow: 'judged in the shadow' }[again.how]} of{' '}
        <TextLink to="/cases/$id" params={{ id: again.of }}>
          {again.of}
        </TextLink>
      </>
    ),
  ];
  return parts.filter(Boolean).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {part}
    </Fragment>
  ));
}
