import { Link } from '@tanstack/react-router';
import { PartyPopper, Users } from 'lucide-react';
import type { AnnotationProject } from '../../api/types.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';

/** Where an annotator is done, or has to wait. */
export function NoItemsLeft({
  project: { id, progress, yours },
  waiting,
  skipped,
  goThrough,
}: {
  project: AnnotationProject;
  waiting: number;
  skipped: number;
  goThrough: () => void;
}) {
  if (waiting > 0 && skipped > 0)
    return (
      <EmptyState
        title="Only what you skipped is left"
        action={
          <Button variant="primary" onClick={goThrough}>
            Go through it now
          </Button>
        }
      >
        <p>
          {waiting.toLocaleString()} {waiting === 1 ? 'item waits' : 'items wait'} for your vote.
        </p>
      </EmptyState>
    );
  if (waiting > 0)
    return (
      <EmptyState icon={Users} title="Others look at what is left">
        <p>
          As many people as votes are needed have the remaining{' '}
          {waiting === 1 ? 'item' : `${waiting.toLocaleString()} items`} in hand. What they put back within five minutes
          comes to you.
        </p>
      </EmptyState>
    );
  const disputes = progress.disputed > 0 && (
    <Link
      to="/annotation/$project"
      params={{ project: id }}
      search={{ tab: 'disputes' } as never}
      className={buttonClass('primary')}
    >
      Adjudicate {progress.disputed.toLocaleString()} {progress.disputed === 1 ? 'dispute' : 'disputes'}
    </Link>
  );
  return (
    <EmptyState icon={PartyPopper} title="Nothing waits for you" action={disputes}>
      <p>
        You voted on {yours.voted.toLocaleString()} of {progress.items.toLocaleString()} items.{' '}
        {progress.open > 0
          ? `${progress.open.toLocaleString()} still ${progress.open === 1 ? 'needs' : 'need'} the votes of others.`
          : 'All votes are in.'}
      </p>
    </EmptyState>
  );
}
