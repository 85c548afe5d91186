import { ClauseField } from '../precedents/precedent-dialogs.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, type SentCaseRecord } from '../../api/client.ts';
import { ActionBadge, Badge, LabelBadge, LabelRadio } from '../../components/badge.tsx';
import { Card, Section } from '../../components/page.tsx';
import { Form, SelectField, TextAreaField, useFields } from '../../components/field.tsx';
import { Paragraph, When } from '../../components/text.tsx';
import { showToast } from '../../components/toasts.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { useNameField } from '../../session/reviewer.tsx';
import { useMay } from '../../session/session.ts';
import { invalidateCase } from '../cases/use-case-list.ts';
import { actionIds, nameAction } from '@agonhq/engine/view';
import { policyQuery } from '../../api/query-options.ts';

/** What people said the right verdict was, the latest first; and a way to say so. */
export function Decisions({ record }: { record: SentCaseRecord }) {
  const mayReview = useMay('review');
  const { usesPolicy } = findConsoleJob(record.job);
  const decisions = record.decisions.toSorted((one, other) => other.at.localeCompare(one.at));
  return (
    <Section
      title="Human decisions"
      lead="Decisions are never changed: the latest one applies. The curator learns from them."
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {decisions.length === 0 ? (
          <p className="text-quiet">Nobody has decided this case yet.</p>
        ) : (
          <ol className="grid gap-3">
            {decisions.map(({ id, label, why, clause, action, by, at, learntAt }, index) => (
              <li key={id}>
                <Card className="grid gap-2">
                  <div className="flex flex-wrap items-center gap-2">
                    <LabelBadge label={label} />
                    {action !== null && <ActionBadge action={action} />}
                    <span>
                      <b className="font-medium">{by}</b>, <When moment={at} />
                    </span>
                    <span className="ml-auto flex gap-2">
                      {index === 0 && decisions.length > 1 && <Badge>Current</Badge>}
                      {learntAt !== null && <Badge tone="implicit">Learnt from</Badge>}
                    </span>
                  </div>
                  {why !== null && <Paragraph text={why} />}
                  {clause !== null && <p className="font-mono text-sm text-quiet">{clause}</p>}
                </Card>
              </li>
            ))}
          </ol>
        )}
        {mayReview && usesPolicy && record.forgottenAt === null && <Feedback record={record} />}
      </div>
    </Section>
  );
}

type Label = Parameters<typeof client.cases.feedback>[1]['label'];
const labels: readonly Label[] = ['safe', 'unsafe'];

function Feedback({ record }: { record: SentCaseRecord }) {
  const { id, policy } = record;
  const { nameField, takeName } = useNameField('Your decision is recorded under this name.');
  const [label, setLabel] = useState<Label | null>(null);
  const { given, field, reset } = useFields({ why: '', clause: '', action: '' });
  const { data: rules } = useQuery(policyQuery(policy.hash));
  const give = useMutation({
    mutationFn: () =>
      client.cases.feedback(id, {
        label: label!,
        why: given.why.trim() || undefined,
        clause: given.clause || undefined,
        action: given.action || undefined,
        by: takeName(),
      }),
    onSuccess: async ({ right, repeated }) => {
      showToast(
        repeated
          ? 'This decision was already on record.'
          : right
            ? 'Recorded: the verdict was right.'
            : 'Recorded: the verdict was wrong. The curator can learn from it.',
      );
      setLabel(null);
      reset();
      await invalidateCase(record.id);
    },
  });
  return (
    <Card>
      <Form
        onSubmit={() => label !== null && give.mutate()}
        sending={give}
        submit="Record decision"
        submitLook={{ disabled: label === null, className: 'w-fit' }}
      >
        <fieldset className="grid gap-2">
          <legend className="mb-1 text-sm font-medium">What should the verdict have been?</legend>
          <div className="flex flex-wrap gap-2">
            {labels.map((option) => (
              <LabelRadio
                key={option}
                label={option}
                look="min-h-10 cursor-pointer gap-2 px-4 [&>svg]:size-4"
                name="label"
                checked={label === option}
                onChange={() => setLabel(option)}
                required
              />
            ))}
          </div>
        </fieldset>
        <TextAreaField label="Why" maxLength={5000} {...field('why')} />
        <ClauseField policy={rules} hint="From the policy the case was judged by." {...field('clause')} />
        <SelectField
          label="Action"
          hint={record.action === null ? undefined : `The verdict proposes: ${nameAction(record.action)}.`}
          {...field('action')}
          none="As the policy asks"
          options={[...new Set([...actionIds, ...Object.keys(rules?.actions ?? {})])].map((id) => [id, nameAction(id)])}
        />
        {nameField}
      </Form>
    </Card>
  );
}
