import { useInfiniteQuery, useMutation, useQueries } from '@tanstack/react-query';
import { Check, GraduationCap, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { type SentPrecedent, client } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState, ListView, Loading, Page, ProblemNotice } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { pickOne, useSearchState } from '../../routing/search.ts';
import { useMay } from '../../session/session.ts';
import { NewPrecedent } from './precedent-dialogs.tsx';
import { PrecedentList } from './precedent-list.tsx';
import { precedentQuery, precedentsQuery } from '../../api/query-options.ts';
import { Form, TextAreaField } from '../../components/field.tsx';
import { PrecedentCard } from './precedent-card.tsx';
import { useAction } from '../../components/use-action.ts';

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
  const learn = useAction({
    act: async () => {
      try {
        const stream = client.learning.streamLearn({ review: true });
        for await (const event of stream)
          if (event.type === 'progress') setDone(`${Number(event['done'] ?? 0)} of ${Number(event['total'] ?? 0)}`);
        return await stream.answer();
      } finally {
        setDone(null);
      }
    },
    changes: 'precedents',
    says: ({ cases }) =>
      cases.length === 0
        ? 'There were no mistakes to learn from.'
        : `The curator studied ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}. See the proposals.`,
  });
  return (
    <Button icon={GraduationCap} busy={learn.isPending} onClick={() => learn.mutate()}>
      {learn.isPending ? `Learning ${done ?? '…'}` : 'Learn from mistakes'}
    </Button>
  );
}

const sampleText = 'The whole lot of them from that side of the river are vermin. Get rid of them.';

/** What a debate about a text would be shown. */
function FindSimilar() {
  const [text, setText] = useState('');
  const search = useMutation({ mutationFn: (words: string) => client.precedents.search({ text: words, limit: 8 }) });
  const found = useQueries({ queries: (search.data?.precedents ?? []).map(({ id }) => precedentQuery(id)) });
  return (
    <>
      <Form className="grid gap-3" onSubmit={() => search.mutate(text)}>
        <TextAreaField
          label="Text"
          hint="Shows the precedents that a debate about it would use, most similar first."
          required
          value={text}
          onChange={setText}
        />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" busy={search.isPending}>
            Find
          </Button>
          <Button
            variant="quiet"
            onClick={() => {
              setText(sampleText);
              search.mutate(sampleText);
            }}
          >
            Try a sample
          </Button>
        </div>
      </Form>
      {search.isError && <ProblemNotice error={search.error} />}
      {search.data?.precedents.length === 0 && (
        <p role="status">None of the {search.data.library.size} precedents is similar.</p>
      )}
      <ul className="grid gap-3">
        {search.data?.precedents.map(({ id, similarity }, index) => (
          <li key={id}>
            {found[index]?.data ? (
              <PrecedentCard precedent={found[index].data} similarity={similarity} />
            ) : (
              <Loading lines={2} />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the curator made of mistakes, and a person has yet to accept or reject. */
function Proposals() {
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
  const settled = { changes: 'precedents', onDone };
  const approve = useAction({
    ...settled,
    act: () => client.precedents.approve(precedent.id),
    says({ overruled, waiting }) {
      if (waiting.length > 0)
        return `${precedent.id} is on hold: it contradicts ${waiting.flatMap(({ against }) => against).join(', ')}.`;
      const rest = overruled.length > 0 ? ` and overrules ${overruled.map(({ id }) => id).join(', ')}` : '';
      return `${precedent.id} is now in force${rest}.`;
    },
  });
  const reject = useAction({
    ...settled,
    act: () => client.precedents.reject(precedent.id, {}),
    says: () => `${precedent.id} was rejected.`,
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
