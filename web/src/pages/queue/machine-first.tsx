import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../../api/client.ts';
import type { EvaluationAnswer, ModerationAnswer } from '../../api/types.ts';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Loading } from '../../components/skeleton.tsx';
import { trialFromAnswer } from '../../trial/trial-view.ts';
import { VerdictBanner } from '../../trial/verdict-banner.tsx';

/** For those who have turned blind mode off. */
export function MachineVerdict({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['cases', id, 'opinion'],
    queryFn: ({ signal }) => client.cases.get(id, { signal }),
  });
  const view = useMemo(
    () => (data?.answer ? trialFromAnswer(data.answer as ModerationAnswer | EvaluationAnswer) : null),
    [data],
  );
  if (error) return <ProblemNotice error={error} retry={() => void refetch()} />;
  return view ? (
    <VerdictBanner view={view} headingLevel="h3" />
  ) : (
    <Loading lines={5} what="Loading the machine’s opinion" />
  );
}
