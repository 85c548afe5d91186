import { useMutation, useQuery } from '@tanstack/react-query';
import { CopyPlus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { invalidate, versionsQuery } from '../../api/query-options.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, InputField, SelectField } from '../../components/field.tsx';
import { useJobs, useMay } from '../../session/session.ts';

const first = { name: '', job: '', policy: '', model: '', sensitivity: '', share: '10', concurrency: '1', budget: '' };

export function NewShadow({ onStarted }: { onStarted: (id: string) => void }) {
  const [open, setOpen] = useState(false);
  const [given, setGiven] = useState(first);
  const jobs = useJobs().filter(({ usesPolicy }) => usesPolicy);
  const versions = useQuery(versionsQuery);
  const set = (name: keyof typeof first) => (value: string) => setGiven({ ...given, [name]: value });
  const start = useMutation({
    mutationFn: () =>
      client.shadows.start({
        name: given.name.trim(),
        job: given.job || jobs[0]!.id,
        policy: given.policy || null,
        seats: given.model.trim() === '' ? {} : { default: given.model.trim() },
        sensitivity: (given.sensitivity || null) as 'low' | 'balanced' | 'high' | null,
        share: Number(given.share) / 100,
        concurrency: Number(given.concurrency),
        budgetUsd: given.budget === '' ? null : Number(given.budget),
      }),
    onSuccess: async ({ id }) => {
      setOpen(false);
      setGiven(first);
      await invalidate('shadows');
      onStarted(id);
    },
  });
  if (!useMay('admin')) return null;
  return (
    <Dialog
      title="A new candidate"
      description="Change one thing or several: what is not named is as it is in force."
      trigger={
        <Button size="small" icon={CopyPlus}>
          New candidate
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
    >
      <Form onSubmit={() => start.mutate()} sending={start} submit="Start">
        <InputField label="Name" required maxLength={100} value={given.name} onChange={set('name')} />
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Job"
            value={given.job || (jobs[0]?.id ?? '')}
            onChange={set('job')}
            options={jobs.map(({ id, title }) => [id, title])}
          />
          <SelectField
            label="Policy"
            value={given.policy}
            onChange={set('policy')}
            none="As in force"
            options={(versions.data?.rows ?? [])
              .filter(({ active }) => !active)
              .map(({ hash, name, version }) => [hash, `${name} ${version} · ${hash.slice(7, 15)}`])}
          />
          <InputField
            label="Model in every seat"
            hint="provider:model; empty for those in force"
            value={given.model}
            onChange={set('model')}
            spellCheck={false}
          />
          <SelectField
            label="Sensitivity"
            value={given.sensitivity}
            onChange={set('sensitivity')}
            none="As in force"
            options={[
              ['low', 'Low'],
              ['balanced', 'Balanced'],
              ['high', 'High'],
            ]}
          />
          <InputField
            label="Share of the traffic, %"
            type="number"
            min={0.1}
            max={100}
            step="any"
            required
            value={given.share}
            onChange={set('share')}
          />
          <InputField
            label="Cases at once"
            type="number"
            min={1}
            max={16}
            required
            value={given.concurrency}
            onChange={set('concurrency')}
          />
          <InputField
            label="Budget, US dollars"
            hint="it ends when it has spent so much"
            type="number"
            min={0}
            step="any"
            value={given.budget}
            onChange={set('budget')}
          />
        </div>
      </Form>
    </Dialog>
  );
}
