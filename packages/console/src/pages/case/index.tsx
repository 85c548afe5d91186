import { Fragment } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Eraser, SearchX } from 'lucide-react';
import { describeProblem } from '../../api/problem.ts';
import { type SentCaseRecord, client } from '../../api/client.ts';
import { CaseLink, ButtonLink, TextLink } from '../../components/button.tsx';
import { EmptyState, Loading, Page, ProblemNotice, Skeleton } from '../../components/page.tsx';
import { When } from '../../components/text.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { HoldDialog, LegalHolds } from './legal-holds.tsx';
import { JudgedCase } from './judged-case.tsx';
import { ForgottenCase, OpenCase } from './unfinished-case.tsx';
import { caseQuery } from '../../api/query-options.ts';
import { AppealDialog, ReplayDialog } from './retrial-dialogs.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { useMay } from '../../session/session.ts';
import { invalidateCase } from '../cases/use-case-list.ts';

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
        <CaseLink id={again.of}>{again.of}</CaseLink>
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

function CaseActions({ record }: { record: SentCaseRecord }) {
  const mayJudge = useMay('judge');
  const mayForget = useMay('admin');
  const isHeld = record.holds.length > 0;
  const { answer } = record;
  return (
    <>
      {mayJudge && answer && <ReplayDialog record={record} answer={answer} />}
      {mayJudge && answer && <AppealDialog record={record} answer={answer} />}
      {mayForget && <HoldDialog record={record} />}
      {mayForget && !isHeld && record.forgottenAt === null && <ForgetDialog record={record} />}
    </>
  );
}

/** Takes away what was judged. It cannot be brought back: what goes and what stays is said first. */
function ForgetDialog({ record }: { record: SentCaseRecord }) {
  return (
    <ConfirmDialog
      title="Forget this content?"
      description="This cannot be undone."
      trigger="Forget"
      triggerLook={{ icon: Eraser, variant: 'danger' }}
      act={() => client.cases.forget(record.id)}
      says={({ cases }) => (cases === 1 ? 'Content forgotten.' : `Content forgotten in ${cases} cases.`)}
      onDone={() => invalidateCase(record.id)}
      confirm="Forget content"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <div>
          <h3 className="font-medium text-risk">What is deleted</h3>
          <ul className="mt-1 list-disc pl-5">
            <li>the content: texts, images, documents</li>
            <li>everything said about it, in every case about the same content, including replays and appeals</li>
            <li>precedents learnt from it</li>
          </ul>
        </div>
        <div>
          <h3 className="font-medium text-exoneration">What is kept</h3>
          <ul className="mt-1 list-disc pl-5">
            <li>the verdict, its score and the rule that decided</li>
            <li>the seal</li>
            <li>human decisions</li>
          </ul>
        </div>
      </div>
    </ConfirmDialog>
  );
}
