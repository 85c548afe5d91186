import { Link, useParams } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { describeProblem } from '../../api/problem.ts';
import type { CaseRecord } from '../../api/types.ts';
import { buttonClass } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Loading, ProblemNotice, Skeleton } from '../../components/placeholders.tsx';
import { When } from '../../components/when.tsx';
import { findJob } from '../../jobs/index.ts';
import { CaseActions } from './case-actions.tsx';
import { useCase } from './case-queries.ts';
import { JudgedCase } from './judged-case.tsx';
import { ForgottenCase, OpenCase } from './unfinished-case.tsx';

/** One case with everything on record about it. */
export function CasePage() {
  const { id } = useParams({ from: '/cases/$id' });
  const { data: record, error, refetch } = useCase(id);
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
          <Link to="/cases" className={buttonClass('primary')}>
            Browse cases
          </Link>
        }
      >
        No case has the ID <code className="font-mono text-sm">{id}</code>. Check the address; the case may belong to
        another server.
      </EmptyState>
    </Page>
  );
}

/** Which case it is: a line under the title. */
function CaseLead({ record: { id, job: jobId, again, openedAt, policy, run } }: { record: CaseRecord }) {
  const job = findJob(jobId);
  return (
    <>
      <code className="font-mono text-sm">{id}</code> · {job.title} · <When moment={openedAt} exact />
      {job.usesPolicy && (
        <>
          {' '}
          · {policy.name} {policy.version}
        </>
      )}
      {run && (
        <>
          {' '}
          ·{' '}
          <Link to="/evaluations/runs/$id" params={{ id: run }} className="text-link underline">
            run {run}
          </Link>
        </>
      )}
      {again && (
        <>
          {' '}
          · {again.how === 'replay' ? 'a replay' : 'an appeal'} of{' '}
          <Link to="/cases/$id" params={{ id: again.of }} className="text-link underline">
            {again.of}
          </Link>
        </>
      )}
    </>
  );
}
