import { useMutation } from '@tanstack/react-query';
import { GraduationCap } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { showToast, showProblem } from '../../components/toasts.tsx';
import { invalidatePrecedents } from './precedents-query.ts';

/** The curator studies what people decided otherwise; what it makes of it waits for approval. */
export function Learn() {
  const [done, setDone] = useState<string | null>(null);
  const learn = useMutation({
    mutationFn: async () => {
      const stream = client.learning.streamLearn({ review: true });
      for await (const event of stream)
        if (event.type === 'progress') setDone(`${Number(event['done'] ?? 0)} of ${Number(event['total'] ?? 0)}`);
      return stream.answer();
    },
    onSuccess: async ({ cases }) => {
      await invalidatePrecedents();
      showToast(
        cases.length === 0
          ? 'There was no mistake to learn from.'
          : `The curator studied ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}. Look at the proposals.`,
      );
    },
    onError: showProblem,
    onSettled: () => setDone(null),
  });
  return (
    <Button busy={learn.isPending} onClick={() => learn.mutate()}>
      <GraduationCap aria-hidden className="size-4" />{' '}
      {learn.isPending ? `Learning ${done ?? '…'}` : 'Learn from mistakes'}
    </Button>
  );
}
