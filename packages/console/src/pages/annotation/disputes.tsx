import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Handshake } from 'lucide-react';
import { useId, useState } from 'react';
import { client, type SentAnnotationItem, type SentAnnotationProject } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Card, EmptyState, ListView, ProblemNotice } from '../../components/page.tsx';
import { Form, TextAreaField } from '../../components/field.tsx';
import { LabelBadge } from '../../components/badge.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { showToast } from '../../components/toasts.tsx';
import { ItemParts } from './item-parts.tsx';
import { LabelChoice } from './label-choice.tsx';
import { FindingFields, MarkAs } from './marks/finding-fields.tsx';
import { FindingView } from './marks/finding-view.tsx';
import { useFinding } from './marks/use-finding.ts';
import { describeMissing, useViewing, type ItemViewing } from './use-viewing.ts';
import { type By, invalidate, itemsQuery } from '../../api/query-options.ts';

/** What the votes disagree about, to be settled one by one. */
export function Disputes({ project, by }: { project: SentAnnotationProject; by: By }) {
  return (
    <div className="grid gap-5">
      <ListView
        list={useInfiniteQuery(itemsQuery(project.id, 'disputed', by))}
        what="Loading disputes"
        centred
        empty={
          <EmptyState icon={Handshake} title="No disputes">
            <p>
              An item is disputed when all of its votes are in and they are not unanimous. Disputed items appear here
              with every vote, ready to be settled.
            </p>
          </EmptyState>
        }
      >
        {(items) => items.map((item) => <Adjudicate key={item.position} project={project} item={item} by={by} />)}
      </ListView>
    </div>
  );
}

interface AdjudicateProps {
  project: SentAnnotationProject;
  item: SentAnnotationItem;
  by: By;
}

function Adjudicate({ project: { id, labels, marking }, item, by }: AdjudicateProps) {
  const viewing = useViewing(item);
  const missing = describeMissing(viewing);
  const [label, setLabel] = useState<string | null>(null);
  const [why, setWhy] = useState('');
  const draft = useFinding(marking, null);
  const told = useId();
  const settle = useMutation({
    mutationFn: () =>
      client.annotations.adjudicate(id, String(item.position), {
        label: label!,
        why,
        ...(marking ? { finding: draft.finding } : {}),
        ...by,
      }),
    onSuccess: async () => {
      showToast(`${item.id} settled as ${label}.`);
      await invalidate('annotations');
    },
  });
  return (
    <Card>
      <section
        aria-label={`Dispute about ${item.id}`}
        className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]"
      >
        {marking && (
          <div className="grid gap-3 lg:col-span-2">
            <h2 className="words text-xl">{item.id}</h2>
            <FoundBySide
              project={id}
              item={item}
              viewing={viewing}
              takeOver={(vote) => {
                setLabel(vote.label);
                if (vote.finding) draft.replace(vote.finding);
              }}
            />
          </div>
        )}
        <div className="grid min-w-0 gap-4">
          {!marking && <h2 className="words text-xl">{item.id}</h2>}
          {marking && <MarkAs marking={marking} draft={draft} />}
          <ItemParts project={id} item={item} viewing={viewing} draft={marking ? draft : undefined} />
        </div>
        <div className="grid gap-4">
          {!marking && <VoteCards votes={item.votes ?? []} />}
          <Form
            className={marking ? 'grid gap-4' : 'grid gap-4 border-t pt-4'}
            onSubmit={() => label !== null && missing === null && settle.mutate()}
          >
            {missing !== null && (
              <p id={told} className="text-sm font-medium text-caution">
                Before you decide: {missing}.
              </p>
            )}
            <LabelChoice
              legend="Decision"
              labels={labels}
              value={label}
              onChange={setLabel}
              disabled={missing !== null}
              describedBy={missing === null ? undefined : told}
            />
            {marking && <FindingFields marking={marking} draft={draft} />}
            <TextAreaField
              label="Reason"
              hint="Stored with the item and included in exports."
              required
              maxLength={5000}
              look="min-h-16"
              value={why}
              onChange={setWhy}
            />
            {settle.isError && <ProblemNotice error={settle.error} />}
            <Button
              type="submit"
              variant="primary"
              busy={settle.isPending}
              disabled={missing !== null || label === null || why.trim() === ''}
            >
              Settle dispute
            </Button>
          </Form>
        </div>
      </section>
    </Card>
  );
}

type Vote = NonNullable<SentAnnotationItem['votes']>[number];

interface FoundBySideProps {
  project: string;
  item: SentAnnotationItem;
  viewing: ItemViewing;
  takeOver: (vote: Vote) => void;
}

/** What each person found, side by side; whoever settles it may start from one of them. */
function FoundBySide({ project, item, viewing, takeOver }: FoundBySideProps) {
  const votes = item.votes ?? [];
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">{countVotes(votes.map(({ label }) => label))}</h3>
      <ul className="grid gap-3 md:grid-cols-2">
        {votes.map((vote) => (
          <li
            key={vote.by}
            className="grid min-w-0 content-start justify-items-start gap-2 rounded-lg border bg-paper p-3 text-sm"
          >
            <PlainText className="words flex flex-wrap items-center gap-2 font-medium" text={vote.by} />{' '}
            <LabelBadge label={vote.label} />
            {vote.why && <PlainText className="words" text={vote.why} />}
            {vote.finding && <FindingView project={project} item={item} finding={vote.finding} viewing={viewing} />}
            <Button size="small" onClick={() => takeOver(vote)}>
              Start from what {vote.by} found
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function VoteCards({ votes }: { votes: NonNullable<SentAnnotationItem['votes']> }) {
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">{countVotes(votes.map(({ label }) => label))}</h3>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-2">
        {votes.map(({ by, label, why, at }) => (
          <li
            key={by}
            className="grid content-start justify-items-start gap-1.5 rounded-lg border bg-paper p-3 text-sm"
          >
            <PlainText className="words font-medium" text={by} />
            <LabelBadge label={label} />
            {why ? <PlainText className="words" text={why} /> : <span className="text-quiet">No reason given</span>}
            <span className="text-quiet">
              <When moment={at} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** `2 unsafe, 1 safe`. */
function countVotes(labels: readonly string[]): string {
  return [...Map.groupBy(labels, (label) => label)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([label, given]) => `${given.length} ${label}`)
    .join(', ');
}
