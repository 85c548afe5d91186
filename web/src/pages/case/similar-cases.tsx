import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { formatWholePercent } from '../../components/score.tsx';
import { Loading } from '../../components/skeleton.tsx';
import { CaseRows } from './case-rows.tsx';

/** Other cases about alike content, and what came of them. */
export function SimilarCases({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['similar', id],
    queryFn: ({ signal }) => client.cases.similar(id, { limit: 10 }, { signal }),
    staleTime: 60_000,
  });
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  if (!data) return <Loading what="Looking for alike cases" />;
  if (data.rows.length === 0)
    return (
      <p className="text-quiet">
        Nothing alike has been judged. It was held against {data.compared} {data.compared === 1 ? 'case' : 'cases'}.
      </p>
    );
  return (
    <>
      <CaseRows
        label="Similar cases"
        rows={data.rows}
        note={['Alike', ({ similarity }) => formatWholePercent(similarity)]}
      />
      <p className="text-sm text-quiet">The most alike of {data.compared}.</p>
    </>
  );
}
