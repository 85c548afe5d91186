import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { client } from '../../api/client.ts';
import type { AnnotationItem, AnnotationProject } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Field, TextArea } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { showToast } from '../../components/toasts.tsx';
import { invalidateAnnotations, type By } from './annotations-query.ts';
import { ItemParts } from './item-parts.tsx';
import { LabelChoice } from './label-choice.tsx';
import { describeMissing, useViewing } from './use-viewing.ts';
import { VoteCards } from './vote-cards.tsx';

/** A dispute: the item, all votes side by side, and the decision with its reason. */
export function Adjudicate({
  project: { id, labels },
  item,
  by,
}: {
  project: AnnotationProject;
  item: AnnotationItem;
  by: By;
}) {
  const viewing = useViewing(item);
  const missing = describeMissing(viewing);
  const [label, setLabel] = useState<string | null>(null);
  const [why, setWhy] = useState('');
  const told = useId();
  const settle = useMutation({
    mutationFn: () => client.annotations.adjudicate(id, String(item.position), { label: label!, why, ...by }),
    onSuccess: async () => {
      showToast(`${item.id} is settled as ${label}.`);
      await invalidateAnnotations(id);
    },
  });
  return (
    <Card>
      <section
        aria-label={`Dispute about ${item.id}`}
        className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]"
      >
        <div className="grid min-w-0 gap-4">
          <h2 className="words text-xl">{item.id}</h2>
          <ItemParts project={id} item={item} viewing={viewing} />
        </div>
        <div className="grid gap-4">
          <VoteCards votes={item.votes ?? []} />
          <form
            className="grid gap-4 border-t pt-4"
            onSubmit={(event) => {
              event.preventDefault();
              if (label !== null && missing === null) settle.mutate();
            }}
          >
            {missing !== null && (
              <p id={told} className="text-sm font-medium text-caution">
                Before you settle it: {missing}.
              </p>
            )}
            <LabelChoice
              legend="It is"
              labels={labels}
              value={label}
              onChange={setLabel}
              disabled={missing !== null}
              describedBy={missing === null ? undefined : told}
            />
            <Field label="Reason" hint="Kept with the item, and exported.">
              <TextArea
                required
                maxLength={5000}
                className="min-h-16"
                value={why}
                onChange={(event) => setWhy(event.target.value)}
              />
            </Field>
            {settle.isError && <ProblemNotice error={settle.error} />}
            <Button
              type="submit"
              variant="primary"
              busy={settle.isPending}
              disabled={missing !== null || label === null || why.trim() === ''}
            >
              Settle it
            </Button>
          </form>
        </div>
      </section>
    </Card>
  );
}
