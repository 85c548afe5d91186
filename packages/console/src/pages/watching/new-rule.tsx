import { BellPlus } from 'lucide-react';
import { client, type SentWatchRule } from '../../api/client.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { InputField, SelectField, useFields } from '../../components/field.tsx';
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
  const { given, field, reset } = useFields(first);
  const jobs = useJobs();
  if (!useMay('admin')) return null;
  const isDrift = given.kind === 'drift';
  return (
    <FormDialog
      title="A new rule"
      description="The server looks every minute, and tells by webhook when an alert is raised and when it ended."
      trigger="New rule"
      triggerLook={{ size: 'small', icon: BellPlus }}
      act={() => client.watching.addRule(readRule(given))}
      changes="watching"
      onDone={reset}
      submit="Add rule"
    >
      <InputField label="Name" required maxLength={100} {...field('name')} />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField label="Figure" {...field('figure')} options={Object.entries(figureNames)} />
        <SelectField label="In each" {...field('by')} none="All cases" options={groups} />
        <SelectField label="Job" {...field('job')} none="All jobs" options={jobs.map(({ id, title }) => [id, title])} />
        <SelectField label="Within the last" {...field('windowMinutes')} options={windows} />
        <SelectField
          label="Alert when it"
          {...field('kind')}
          options={[
            ['drift', 'drifts from what it was'],
            ['bound', 'leaves a bound'],
          ]}
        />
        <InputField label="From so many cases" type="number" min={isDrift ? 2 : 0} required {...field('least')} />
        {isDrift ? (
          <>
            <InputField label="Against so many before" type="number" min={1} max={60} required {...field('windows')} />
            <InputField
              label="Standard errors"
              hint="4 is one false alarm in about 16,000 looks"
              type="number"
              min={1}
              max={20}
              step="any"
              required
              {...field('z')}
            />
          </>
        ) : (
          <>
            <InputField label="Above" hint="a share of 0.2 is 20 %" type="number" step="any" {...field('above')} />
            <InputField label="Below" type="number" step="any" {...field('below')} />
          </>
        )}
      </div>
    </FormDialog>
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
