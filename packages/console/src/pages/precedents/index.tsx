import { useMutation } from '@tanstack/react-query';
import { GraduationCap } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { showProblem, showToast } from '../../components/toasts.tsx';
import { pickOne, useSearchState } from '../../routing/search.ts';
import { useMay } from '../../session/session.ts';
import { FindSimilar } from './find-similar.tsx';
import { NewPrecedent } from './precedent-dialogs.tsx';
import { PrecedentList } from './precedent-list.tsx';
import { Proposals } from './proposals.tsx';
import { invalidate } from '../../api/query-options.ts';

const tabs = ['library', 'proposals', 'alike'] as const;

export function PrecedentsPage() {
  const [{ tab }, change] = useSearchState((raw) => ({ tab: pickOne(tabs, raw['tab']) ?? 'library' }));
  const mayReview = useMay('review');
  return (
    <Page
      title="Precedents"
      lead="Decided cases. Debates see those most similar to the content, and say what is the same and what differs."
      actions={
        mayReview && (
          <>
            <Learn />
            <NewPrecedent />
          </>
        )
      }
    >
      <Tabs
        label="Precedents"
        value={tab}
        onChange={(name) => change({ tab: name === 'library' ? undefined : name }, { replace: false })}
        tabs={[
          { name: 'library', label: 'Library', panel: <PrecedentList /> },
          { name: 'proposals', label: 'Proposals', panel: <Proposals /> },
          { name: 'alike', label: 'Find similar', panel: <FindSimilar /> },
        ]}
      />
    </Page>
  );
}

/** The curator studies what people decided otherwise; what it makes of it waits for approval. */
function Learn() {
  const [done, setDone] = useState<string | null>(null);
  const learn = useMutation({
    mutationFn: async () => {
      const stream = client.learning.streamLearn({ review: true });
      for await (const event of stream)
        if (event.type === 'progress') setDone(`${Number(event['done'] ?? 0)} of ${Number(event['total'] ?? 0)}`);
      return stream.answer();
    },
    onSuccess: async ({ cases }) => {
      await invalidate('precedents');
      showToast(
        cases.length === 0
          ? 'There were no mistakes to learn from.'
          : `The curator studied ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}. See the proposals.`,
      );
    },
    onError: showProblem,
    onSettled: () => setDone(null),
  });
  return (
    <Button icon={GraduationCap} busy={learn.isPending} onClick={() => learn.mutate()}>
      {learn.isPending ? `Learning ${done ?? '…'}` : 'Learn from mistakes'}
    </Button>
  );
}
