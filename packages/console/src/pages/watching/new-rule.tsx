import { useMutation } from '@tanstack/react-query';
import { BellPlus } from 'lucide-react';
import { useState } from 'react';
import { client, type SentWatchRule } from '../../api/client.ts';
import { invalidate } from '../../api/query-options.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, InputField, SelectField } from '../../components/field.tsx';
import { useJobs, useMay } from '../../session/session.ts';
import { type ChosenGroup, groups } from './watch-choice.ts';

export const figureNames: Record<SentWatchRule['figure'], string> = {
  flagged: 'Flagged',
  undecided: 'Undecided',
  escalated: 'Escalated',
  degraded: 'Degraded',
  overridden: 'Overridden',
  risk: 'Mean risk',
  cost: 'Mean cost',
  latency: 'Mean latency',
  cases: 'Cases',
};

const windows = [
  ['15', '15 minutes'],
  ['60', 'an hour'],
  ['360', '6 hours'],
  ['1440', 'a day'],
  ['10080', 'a week'],
] as const;

const first = {
  name: '',
  figure: 'flagged',
  by: '',
  job: '',
  windowMinutes: '60',
  kind: 'drift',
  windows: '24',
  z: '4',
  least: '30',
  above: '',
  below: '',
};

export function NewRule() {
  const [open, setOpen] = useState(false);
  const [given, setGiven] = useState(first);
  const jobs = useJobs();
  const set = (name: keyof typeof first) => (value: string) => setGiven({ ...given, [name]: value });
  const add = useMutation({
    mutationFn: () => client.watching.addRule(readRule(given)),
    onSuccess: async () => {
      setOpen(false);
      setGiven(first);
      await invalidate('watching');
    },
  });
  if (!useMay('admin')) return null;
  const isDrift = given.kind === 'drift';
  return (
    <Dialog
      title="A new rule"
      description="The server looks every minute, and tells by webhook when an alert is raised and when it ended."
      trigger={
        <Button size="small" icon={BellPlus}>
          New rule
        </Button>
      }
      open={open}
      onOpenChange={setOpen}
    >
      <Form onSubmit={() => add.mutate()} sending={add} submit="Add rule">
        <InputField label="Name" required maxLength={100} value={given.name} onChange={set('name')} />
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Figure"
            value={given.figure}
            onChange={set('figure')}
            options={Object.entries(figureNames)}
          />
          <SelectField label="In each" value={given.by} onChange={set('by')} none="All cases" options={groups} />
          <SelectField
            label="Job"
            value={given.job}
            onChange={set('job')}
            none="All jobs"
            options={jobs.map(({ id, title }) => [id, title])}
          />
          <SelectField
            label="Within the last"
            value={given.windowMinutes}
            onChange={set('windowMinutes')}
            options={windows}
          />
          <SelectField
            label="Alert when it"
            value={given.kind}
            onChange={set('kind')}
            options={[
              ['drift', 'drifts from what it was'],
              ['bound', 'leaves a bound'],
            ]}
          />
          <InputField
            label="From so many cases"
            type="number"
            min={isDrift ? 2 : 0}
            required
            value={given.least}
            onChange={set('least')}
          />
          {isDrift ? (
            <>
              <InputField
                label="Against so many before"
                type="number"
                min={1}
                max={60}
                required
                value={given.windows}
                onChange={set('windows')}
              />
              <InputField
                label="Standard errors"
                hint="4 is one false alarm in about 16,000 looks"
                type="number"
                min={1}
                max={20}
                step="any"
                required
                value={given.z}
                onChange={set('z')}
              />
            </>
          ) : (
            <>
              <InputField
                label="Above"
                hint="a share of 0.2 is 20 %"
                type="number"
                step="any"
                value={given.above}
                onChange={set('above')}
              />
              <InputField label="Below" type="number" step="any" value={given.below} onChange={set('below')} />
            </>
          )}
        </div>
      </Form>
    </Dialog>
  );
}

function readRule(given: typeof first) {
  const bound = (words: string) => (words.trim() === '' ? null : Number(words));
  const least = Number(given.least);
  return {
    name: given.name.trim(),
    figure: given.figure as SentWatchRule['figure'],
    by: (given.by || null) as ChosenGroup | null,
    job: given.job || null,
    windowMinutes: Number(given.windowMinutes),
    test:
      given.kind === 'drift'
        ? { kind: 'drift' as const, windows: Number(given.windows), z: Number(given.z), least }
        : { kind: 'bound' as const, above: bound(given.above), below: bound(given.below), least },
  };
}
