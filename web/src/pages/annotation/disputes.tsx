import { useInfiniteQuery } from '@tanstack/react-query';
import { Handshake } from 'lucide-react';
import type { AnnotationProject } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Loading } from '../../components/skeleton.tsx';
import { Adjudicate } from './adjudicate.tsx';
import { itemsQuery, type By } from './annotations-query.ts';

/** What the votes disagree about, to be settled one by one. */
export function Disputes({ project, by }: { project: AnnotationProject; by: By }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    itemsQuery(project.id, 'disputed', by),
  );
  const items = data?.pages.flatMap(({ rows }) => rows);
  return (
    <div className="grid gap-5">
      {error && <ProblemNotice error={error} retry={() => void refetch()} />}
      {!items && !error && <Loading what="Loading the disputes" />}
      {items?.length === 0 && (
        <EmptyState icon={Handshake} title="Nothing is disputed">
          <p>
            An item is disputed when all its votes are in and not all say the same, however large the majority. It then
            comes here, with every vote, for somebody to settle.
          </p>
        </EmptyState>
      )}
      {items?.map((item) => (
        <Adjudicate key={item.position} project={project} item={item} by={by} />
      ))}
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}
