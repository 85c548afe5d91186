import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/field.tsx';
import { Page, EmptyState } from '../../components/page.tsx';
import { showProblem, showToast } from '../../components/toasts.tsx';
import { pickOne, useSearchState } from '../../routing/search.ts';
import { AskReviewerName, type Reviewer, ReviewerName, useReviewer } from '../../session/reviewer.tsx';
import { useMay } from '../../session/session.ts';
import { QueueList } from './queue-list.tsx';
import { ReviewCase } from './review-case.tsx';
import { reviewSession, sendDecision, useBlindMode, useReviewSession } from './review-session.ts';
import { stages } from './review-stages.ts';
import { queueQuery } from '../../api/query-options.ts';
import { useAction } from '../../components/use-action.ts';

const lead =
  'People decide here. You see the content before the machine’s verdict, and the machine learns from your decisions.';

export function QueuePage() {
  const reviewer = useReviewer();
  const mayReview = useMay('review');
  const [renames, setRenames] = useState(false);
  if (!mayReview)
    return (
      <Page title="Queue">
        <EmptyState title="Reviewers only">
          Your key lacks the <code className="font-mono">review</code> scope.
        </EmptyState>
      </Page>
    );
  if (reviewer.name === null || renames)
    return (
      <Page title="Queue" lead={lead}>
        <AskReviewerName
          reviewer={reviewer}
          why="Your decisions are recorded under this name. Nobody reviews a case twice."
          onDone={() => setRenames(false)}
        />
      </Page>
    );
  return <ReviewQueue key={reviewer.name} reviewer={reviewer} onRename={() => setRenames(true)} />;
}

const noneLeft = 'The remaining cases are open elsewhere, or you skipped them.';

/** Of what was passed by, so much is said when the next case is asked for. */
const mostPassed = 2_000;

function ReviewQueue({ reviewer, onRename }: { reviewer: Reviewer; onRename: () => void }) {
  const [{ id, ...filter }, change] = useSearchState((raw) => ({
    stage: pickOne(stages, raw['stage']) ?? ('first' as const),
    queue: raw['queue'] || undefined,
    assigned: pickOne(['me', 'nobody'], raw['assigned']),
    overdue: raw['overdue'] === 'true' || undefined,
    sort: pickOne(['due'], raw['sort']),
    id: raw['case'],
  }));
  const { stage, queue, sort } = filter;
  const [blind, setBlind] = useBlindMode();
  const mayRead = useMay('read');
  const { decided } = useReviewSession();
  const list = useInfiniteQuery(queueQuery(filter, reviewer.by));
  const counts = list.data?.pages[0]?.counts;
  const open = (next: string | undefined) => change({ case: next }, { replace: false });
  const goOn = useAction({
    act: async () => {
      if (id !== undefined) reviewSession.pass(id);
      const except = [...reviewSession.passedBy()].slice(-mostPassed);
      const { case: next } = await client.queue.next({ stage, queue, sort, except, ...reviewer.by });
      return next?.id ?? null;
    },
    says: (next) => (next === null ? (id === undefined ? noneLeft : 'That was the last case.') : null),
    onDone: (next) => {
      if (next === null) reviewSession.startOver();
      open(next ?? undefined);
    },
  });
  const cameFrom = useRef(id);
  useEffect(() => {
    // Who leaves a case goes on at the top of the queue.
    if (cameFrom.current !== undefined && id === undefined) document.querySelector('h1')?.focus();
    cameFrom.current = id;
  }, [id]);
  const waiting = counts ? counts.first + counts.second + counts.dispute : null;
  return (
    <Page
      title="Queue"
      wide={id !== undefined}
      lead={id === undefined ? lead : undefined}
      actions={
        <div className="grid justify-items-start gap-1 sm:justify-items-end">
          <div className={id === undefined ? undefined : 'max-sm:hidden'}>
            <ReviewerName reviewer={reviewer} onRename={onRename} />
          </div>
          <p className="min-h-5 text-sm text-quiet tabular-nums">
            {waiting !== null &&
              `${decided.toLocaleString()} decided this session, ${waiting.toLocaleString()} waiting for you`}
          </p>
          {mayRead && (
            <Checkbox
              className="text-sm"
              checked={blind}
              onChange={(event) => setBlind(event.target.checked)}
              label="Blind review: decide before you see the machine’s verdict"
            />
          )}
        </div>
      }
    >
      <UnsentNotice except={id} />
      {!blind && (
        <p className="rounded-lg bg-caution-ground px-4 py-2 text-sm text-caution">
          Blind review is off. People tend to follow a verdict that they see first, so your decisions say less about
          whether the machine was right.
        </p>
      )}
      {id !== undefined ? (
        <ReviewCase
          key={id}
          id={id}
          reviewer={reviewer}
          blind={blind}
          finding={goOn.isPending}
          onNext={() => goOn.mutate()}
          onBack={() => open(undefined)}
        />
      ) : (
        <QueueList
          filter={filter}
          change={change}
          counts={counts}
          list={list}
          starting={goOn.isPending}
          onStart={() => goOn.mutate()}
        />
      )}
    </Page>
  );
}

/** Decisions that did not reach the server: kept here until they do. */
function UnsentNotice({ except }: { /** The open case says so itself. */ except?: string }) {
  const { name } = useReviewer();
  const unsent = useReviewSession().unsent.filter(({ id, reviewer }) => id !== except && reviewer === name);
  const send = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      for (const one of unsent) await sendDecision(one);
    },
    onSuccess: () => showToast('Your decisions were recorded.'),
    onError: showProblem,
  });
  if (unsent.length === 0) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-xl border border-caution bg-caution-ground p-4 text-caution"
    >
      <CloudOff aria-hidden className="size-5 flex-none" />
      <p className="min-w-0 flex-1 basis-64">
        {unsent.length === 1 ? 'One of your decisions has' : `${unsent.length} of your decisions have`} not reached the
        server. Keep this page open until they are sent.
      </p>
      <Button size="small" busy={send.isPending} onClick={() => send.mutate()}>
        Send again
      </Button>
    </div>
  );
}
