import { useQuery } from '@tanstack/react-query';
import { PartyPopper, Users } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { SentAnnotationItem, SentAnnotationProject } from '../../api/client.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { EmptyState, Loading, ProblemNotice, Skeleton } from '../../components/page.tsx';
import { VoteOnItem } from './vote-on-item.tsx';
import { type By, invalidate, itemQuery, nextItemQuery } from '../../api/query-options.ts';

interface CastVote {
  position: number;
  id: string;
  label: string;
  /** Others have voted too: it stands. */
  final: boolean;
}

interface VoteTabProps {
  project: SentAnnotationProject;
  by: By;
  asked: number | null;
  ask: (position: number | undefined) => void;
}

/** Item after item, or the one that was asked for. */
export function VoteTab({ project, by, asked, ask }: VoteTabProps) {
  const [skip, setSkip] = useState<readonly number[]>([]);
  const [last, setLast] = useState<CastVote | null>(null);
  const next = useQuery({ ...nextItemQuery(project.id, by, skip), enabled: asked === null });
  const one = useQuery({ ...itemQuery(project.id, asked ?? 0, by), enabled: asked !== null });
  const { error, refetch, isFetching } = asked === null ? next : one;
  const item = asked === null ? next.data?.item : one.data;
  const voted = useCallback(
    ({ position, id, yours, state }: SentAnnotationItem) => {
      setLast({ position, id, label: yours!.label, final: state !== 'open' });
      ask(undefined);
      void invalidate('annotations');
    },
    [ask, project.id],
  );
  const passOver = (position: number) => {
    setSkip([...skip.filter((one_) => one_ !== position), position].slice(-200));
    ask(undefined);
  };
  return (
    <div className="grid gap-4">
      <LastVote last={last} change={(position) => ask(position)} />
      {error && <ProblemNotice error={error} retry={() => void refetch()} />}
      {error && asked !== null && (
        <Button className="justify-self-start" onClick={() => ask(undefined)}>
          Continue with the next item
        </Button>
      )}
      {!error && item === undefined && <ItemSkeleton />}
      {item && item.state !== 'open' && (
        <EmptyState
          title="All votes on this item are in"
          action={
            <Button variant="primary" onClick={() => ask(undefined)}>
              Continue with the next item
            </Button>
          }
        >
          <p>Votes can no longer be changed. Disagreements are adjudicated.</p>
        </EmptyState>
      )}
      {item && item.state === 'open' && (
        <VoteOnItem
          key={`${item.position} ${item.yours?.at ?? ''}`}
          project={project}
          item={item}
          by={by}
          onVoted={voted}
          onSkip={() => passOver(item.position)}
          settling={isFetching && last?.position === item.position}
        />
      )}
      {item === null && (
        <NoItemsLeft
          project={project}
          waiting={next.data!.waiting}
          skipped={skip.length}
          goThrough={() => setSkip([])}
        />
      )}
    </div>
  );
}

function LastVote({ last, change }: { last: CastVote | null; change: (position: number) => void }) {
  return (
    <div role="status" className={last ? 'flex min-h-8 flex-wrap items-center gap-2 text-sm text-quiet' : 'sr-only'}>
      {last && (
        <span className="words">
          You voted <strong className="font-medium text-ink">{last.label}</strong> on {last.id}.
        </span>
      )}
      {last && !last.final && (
        <Button size="small" variant="quiet" onClick={() => change(last.position)}>
          Change vote
        </Button>
      )}
      {last?.final && <span>All votes on this item are in.</span>}
    </div>
  );
}

function ItemSkeleton() {
  return (
    <Loading what="Loading the next item" className="grid gap-5 lg:grid-cols-[1fr_19rem]">
      <Skeleton className="h-96" />
      <Skeleton className="h-72" />
    </Loading>
  );
}

interface NoItemsLeftProps {
  project: SentAnnotationProject;
  waiting: number;
  skipped: number;
  goThrough: () => void;
}

function NoItemsLeft({ project: { id, progress, yours }, waiting, skipped, goThrough }: NoItemsLeftProps) {
  if (waiting > 0 && skipped > 0)
    return (
      <EmptyState
        title="Only skipped items are left"
        action={
          <Button variant="primary" onClick={goThrough}>
            Go through them now
          </Button>
        }
      >
        <p>
          {waiting.toLocaleString()} {waiting === 1 ? 'item needs' : 'items need'} your vote.
        </p>
      </EmptyState>
    );
  if (waiting > 0)
    return (
      <EmptyState icon={Users} title="Others are working on the rest">
        <p>
          Other annotators have the remaining {waiting === 1 ? 'item' : `${waiting.toLocaleString()} items`} open. What
          they release within five minutes comes to you.
        </p>
      </EmptyState>
    );
  const disputes = progress.disputed > 0 && (
    <ButtonLink
      to="/annotation/$project"
      params={{ project: id }}
      search={{ tab: 'disputes' } as never}
      variant="primary"
    >
      Settle {progress.disputed.toLocaleString()} {progress.disputed === 1 ? 'dispute' : 'disputes'}
    </ButtonLink>
  );
  return (
    <EmptyState icon={PartyPopper} title="Nothing left to vote on" action={disputes}>
      <p>
        You voted on {yours.voted.toLocaleString()} of {progress.items.toLocaleString()} items.{' '}
        {progress.open > 0
          ? `${progress.open.toLocaleString()} still ${progress.open === 1 ? 'needs' : 'need'} votes from others.`
          : 'All votes are in.'}
      </p>
    </EmptyState>
  );
}
