import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowLeft, CircleCheck, Keyboard } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { client, type QueueItem } from '../../api/client.ts';
import { describeProblem } from '../../api/problem.ts';
import { Badge, findLabelLook } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { useCovers, type Viewing } from '../../components/care.ts';
import { CasesAroundView, ContextView } from '../../components/context-view.tsx';
import { Card, EmptyState, Loading, ProblemNotice } from '../../components/page.tsx';
import { KeyHint, useHotkeys } from '../../components/hotkeys.tsx';
import { When } from '../../components/text.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import type { Reviewer } from '../../session/reviewer.tsx';
import { useMay } from '../../session/session.ts';
import { PointingProvider } from '../../trial/pointing.tsx';
import { SubjectView } from '../../trial/subject-view.tsx';
import { newTrial } from '../../trial/trial-view.ts';
import { AssignCase } from './assign-case.tsx';
import { DecideAlike } from './decide-alike.tsx';
import { DecideForm } from './decide-form.tsx';
import { DueBadge } from './queue-bar.tsx';
import { DecisionResult, EarlierDecisions, KeysDialog, MachineVerdict } from './review-panels.tsx';
import { type SessionDecision, sendDecision, useReviewSession } from './review-session.ts';
import { reasonLooks, stageNames, stageOutcomes } from './review-stages.ts';
import { holdQuery } from '../../api/query-options.ts';

interface ReviewCaseProps {
  id: string;
  reviewer: Reviewer;
  blind: boolean;
  finding: boolean;
  onNext: () => void;
  onBack: () => void;
}

/** Where one case is decided: the content first, then the decision, then what the machine thinks. */
export function ReviewCase({ id, reviewer, blind, finding, onNext, onBack }: ReviewCaseProps) {
  const [said, setSaid] = useState('');
  const [showsKeys, setShowsKeys] = useState(false);
  const covers = useCovers();
  const [revealed, setRevealed] = useState(!covers);
  const [sounding, setSounding] = useState(!covers);
  const heading = useRef<HTMLHeadingElement>(null);
  const { unsent } = useReviewSession();
  const mayRead = useMay('read');
  const decide = useMutation({
    // Without a connection it fails at once, and is kept.
    networkMode: 'always',
    mutationFn: (decision: SessionDecision) => sendDecision({ id, decision, by: reviewer.by, reviewer: reviewer.name }),
    onSuccess: ({ machine, stage }) =>
      setSaid(`Recorded. The machine said ${findLabelLook(machine.label).title}. ${stageOutcomes[stage]}`),
  });
  const held = useQuery(holdQuery(id, reviewer.by, decide.isSuccess));
  const item = held.data;
  const putBack = useEffectEvent(() => {
    // Nobody waits for it, and a hold lapses by itself.
    if (!decide.isSuccess) client.queue.release(id, reviewer.by).catch(() => undefined);
  });
  useEffect(() => () => putBack(), []);
  const isHere = item !== undefined;
  useEffect(() => {
    if (isHere) heading.current?.focus();
  }, [isHere]);
  useHotkeys(
    {
      n: onNext,
      b: () => setRevealed(!revealed),
      m: () => setSounding(!sounding),
      '?': () => setShowsKeys(true),
    },
    !showsKeys,
  );
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button icon={ArrowLeft} variant="quiet" className="-ml-4" onClick={onBack}>
          Back to queue
        </Button>
        <div className="flex gap-2">
          <Button icon={Keyboard} size="small" className="max-sm:hidden" onClick={() => setShowsKeys(true)}>
            Shortcuts <KeyHint>?</KeyHint>
          </Button>
          {!decide.isSuccess && (
            <Button size="small" busy={finding} onClick={onNext}>
              Skip <KeyHint>N</KeyHint>
            </Button>
          )}
        </div>
      </div>
      <p role="status" aria-live="polite" className="sr-only">
        {said}
      </p>
      <KeysDialog open={showsKeys} onOpenChange={setShowsKeys} />
      {held.error &&
        (describeProblem(held.error).code === 'not-waiting' ? (
          <AlreadySettled id={id} />
        ) : (
          <ProblemNotice error={held.error} retry={() => void held.refetch()} />
        ))}
      {!item && !held.error && (
        <Card>
          <Loading lines={8} what="Opening case" />
        </Card>
      )}
      {item && (
        <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <section aria-labelledby="decide-heading" className="grid gap-4">
            <header className="grid gap-2">
              <h2 id="decide-heading" ref={heading} tabIndex={-1} className="w-fit rounded-md text-xl">
                {findConsoleJob(item.job).review.question}
              </h2>
              <p className="flex flex-wrap items-center gap-1.5 text-sm text-quiet">
                <Badge tone="implicit">{stageNames[item.stage]}</Badge>
                {item.why
                  .filter((reason) => reason !== 'second-review' && reason !== 'reviewers-disagree')
                  .map((reason) => (
                    <Badge key={reason} tone={reasonLooks[reason].tone}>
                      {reasonLooks[reason].words}
                    </Badge>
                  ))}
                {item.dueAt !== null && <DueBadge dueAt={item.dueAt} />}
                <When moment={item.openedAt} />
                {!decide.isSuccess && <AssignCase item={item} reviewer={reviewer} />}
              </p>
            </header>
            <Card>
              <CaseContent item={item} viewing={{ revealed, onReveal: setRevealed, sounding, onSound: setSounding }} />
            </Card>
            <ContextView context={item.context} />
            <EarlierDecisions earlier={item.earlier} />
          </section>
          <div className="grid gap-4 xl:sticky xl:top-4 xl:row-span-2">
            {decide.isSuccess ? (
              <>
                <DecisionResult item={item} decision={decide.variables} decided={decide.data} onNext={onNext} />
                <DecideAlike id={id} decision={decide.variables} reviewer={reviewer} />
              </>
            ) : (
              <>
                {!blind && <MachineVerdict id={id} />}
                <DecideForm
                  item={item}
                  before={unsent.find((one) => one.id === id && one.reviewer === reviewer.name)?.decision ?? null}
                  busy={decide.isPending}
                  error={decide.error}
                  keysActive={!showsKeys}
                  announce={setSaid}
                  onDecide={(decision) => decide.mutate(decision)}
                  heading={heading}
                />
              </>
            )}
          </div>
          {item.around.author.length + item.around.thread.length > 0 && (
            <div className="grid gap-4">
              <CasesAroundView around={item.around} mayOpen={mayRead} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}

/** Of a link that is older than the decision. */
function AlreadySettled({ id }: { id: string }) {
  const mayRead = useMay('read');
  return (
    <EmptyState
      title="This case needs no review"
      icon={CircleCheck}
      action={
        mayRead && (
          <ButtonLink to="/cases/$id" params={{ id }}>
            Open case
          </ButtonLink>
        )
      }
    >
      The machine is confident, or people have settled it. You can still give feedback on the case page.
    </EmptyState>
  );
}

interface CaseContentProps {
  item: QueueItem;
  viewing: Viewing;
}

/** What is to be judged, as a trial in which nobody has spoken. */
function CaseContent({ item, viewing }: CaseContentProps) {
  const view = useMemo(() => {
    const job = findConsoleJob(item.job);
    const { id, sources, images, recordings } = item;
    return newTrial(job, { id, sources: job.readSources(sources), images, recordings });
  }, [item]);
  return (
    <PointingProvider sources={view.sources}>
      <SubjectView
        view={view}
        fileUrl={({ hash }) => hash && `/api/queue/${encodeURIComponent(item.id)}/images/${encodeURIComponent(hash)}`}
        viewing={viewing}
      />
    </PointingProvider>
  );
}
