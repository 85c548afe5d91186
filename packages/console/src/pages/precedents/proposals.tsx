import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Check, GraduationCap, X } from 'lucide-react';
import { useRef } from 'react';
import { client, type SentPrecedent } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState, ListView } from '../../components/page.tsx';
import { showProblem, showToast } from '../../components/toasts.tsx';
import { useMay } from '../../session/session.ts';
import { PrecedentCard } from './precedent-card.tsx';
import { invalidate, precedentsQuery } from '../../api/query-options.ts';

/** What the curator made of mistakes, and a person has yet to accept or reject. */
export function Proposals() {
  const query = useInfiniteQuery(precedentsQuery({ state: 'proposed' }));
  const list = useRef<HTMLUListElement>(null);
  return (
    <ListView
      list={query}
      lines={6}
      what="Loading proposals"
      centred
      empty={
        <EmptyState icon={GraduationCap} title="No proposals">
          The curator studies verdicts that people overturned, and proposes a precedent for each. Decide some cases in
          the queue, then choose “Learn from mistakes”.
        </EmptyState>
      }
    >
      {(rows) => (
        <ul ref={list} className="grid gap-3">
          {rows.map((precedent) => (
            <li key={precedent.id}>
              <Proposal
                precedent={precedent}
                onDone={() => list.current?.querySelector<HTMLElement>('button')?.focus()}
              />
            </li>
          ))}
        </ul>
      )}
    </ListView>
  );
}

function Proposal({ precedent, onDone }: { precedent: SentPrecedent; onDone: () => void }) {
  const mayReview = useMay('review');
  const settled = async (words: string) => {
    showToast(words);
    await invalidate('precedents');
    onDone();
  };
  const approve = useMutation({
    mutationFn: () => client.precedents.approve(precedent.id),
    onSuccess: ({ overruled, waiting }) =>
      settled(
        waiting.length > 0
          ? `${precedent.id} is on hold: it contradicts ${waiting.flatMap(({ against }) => against).join(', ')}.`
          : overruled.length > 0
            ? `${precedent.id} is now in force and overrules ${overruled.map(({ id }) => id).join(', ')}.`
            : `${precedent.id} is now in force.`,
      ),
    onError: showProblem,
  });
  const reject = useMutation({
    mutationFn: () => client.precedents.reject(precedent.id, {}),
    onSuccess: () => settled(`${precedent.id} was rejected.`),
    onError: showProblem,
  });
  return (
    <PrecedentCard precedent={precedent} open>
      {mayReview && (
        <div className="flex flex-wrap gap-2">
          <Button
            icon={Check}
            variant="primary"
            busy={approve.isPending}
            disabled={reject.isPending}
            onClick={() => approve.mutate()}
          >
            Accept
          </Button>
          <Button busy={reject.isPending} disabled={approve.isPending} onClick={() => reject.mutate()}>
            <X aria-hidden className="size-4" /> Reject
          </Button>
        </div>
      )}
    </PrecedentCard>
  );
}
