import { severities } from '@agonhq/engine/policy/known-actions';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client, type SentReviewQueue } from '../../api/client.ts';
import { invalidate } from '../../api/query-options.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Checkbox, Form, InputField, SelectField } from '../../components/field.tsx';
import { showToast } from '../../components/toasts.tsx';
import { useJobs } from '../../session/session.ts';
import { splitList } from './describe-rules.ts';

const units = [
  ['1', 'minutes'],
  ['60', 'hours'],
  ['1440', 'days'],
] as const;

/** What the fields hold while somebody types. */
interface Draft {
  name: string;
  job: string;
  clauses: string;
  severities: readonly (typeof severities)[number][];
  riskFrom: string;
  riskTo: string;
  languages: string;
  channels: string;
  runs: string;
  samples: boolean;
  percent: string;
  due: string;
  unit: string;
  assignees: string;
}

interface EditQueueProps {
  /** Null for a new one. */
  queue: SentReviewQueue | null;
  trigger: ReactNode;
}

/** Makes a queue, or changes one. */
export function EditQueue({ queue, trigger }: EditQueueProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      wide
      open={open}
      onOpenChange={setOpen}
      trigger={trigger}
      title={queue ? `Change ${queue.name}` : 'New queue'}
      description={
        'A case waits in the first queue whose rules it meets. All rules that are given must hold; of a list, one.'
      }
    >
      <QueueForm queue={queue} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

function QueueForm({ queue, onDone }: { queue: SentReviewQueue | null; onDone: () => void }) {
  const [draft, setDraft] = useState(() => makeDraft(queue));
  const jobs = useJobs();
  const put = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const field = (name: { [Name in keyof Draft]: Draft[Name] extends string ? Name : never }[keyof Draft]) => ({
    value: draft[name],
    onChange: (value: string) => put({ [name]: value }),
  });
  const save = useMutation({
    mutationFn: () =>
      queue ? client.queues.change(queue.id, readDraft(draft)) : client.queues.create(readDraft(draft)),
    onSuccess: async ({ name }) => {
      await invalidate('queue');
      showToast(`Queue ${name} is in place.`);
      onDone();
    },
  });
  return (
    <Form sending={save} submit={queue ? 'Save' : 'Create queue'} onSubmit={() => save.mutate()}>
      <InputField label="Name" required maxLength={100} pattern=".*\S.*" {...field('name')} />
      <fieldset className="grid gap-4 sm:grid-cols-2">
        <legend className="mb-2 font-medium">Which cases</legend>
        <InputField label="Clauses or categories" hint="For example fraud.scams, weapons" {...field('clauses')} />
        <SelectField label="Job" none="Any" options={jobs.map(({ id }) => [id, id])} {...field('job')} />
        <fieldset className="grid content-start gap-1">
          <legend className="text-sm font-medium">Severity</legend>
          <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1">
            {severities.map((severity) => (
              <Checkbox
                key={severity}
                label={severity}
                checked={draft.severities.includes(severity)}
                onChange={(event) =>
                  put({
                    severities: severities.filter((one) =>
                      one === severity ? event.target.checked : draft.severities.includes(one),
                    ),
                  })
                }
              />
            ))}
          </div>
        </fieldset>
        <div className="grid grid-cols-2 gap-3">
          <InputField label="Risk from" type="number" min={0} max={1} step="any" {...field('riskFrom')} />
          <InputField label="to" type="number" min={0} max={1} step="any" {...field('riskTo')} />
        </div>
        <InputField
          label="Languages"
          hint="For example de, pt-BR. Detected where the context names none."
          {...field('languages')}
        />
        <InputField
          label="Channels"
          hint="Where it was posted: channel in the context of the item."
          {...field('channels')}
        />
        <InputField label="Runs" hint="By name or id." {...field('runs')} />
        <div className="grid content-start gap-2">
          <Checkbox
            className="mt-6 min-h-10"
            checked={draft.samples}
            onChange={(event) => put({ samples: event.target.checked })}
            label="Quality sample of what the machine decided alone"
          />
          {draft.samples && (
            <InputField
              label="Percent of them"
              type="number"
              required
              min={0}
              max={100}
              step="any"
              {...field('percent')}
            />
          )}
        </div>
      </fieldset>
      <fieldset className="grid gap-4 sm:grid-cols-2">
        <legend className="mb-2 font-medium">Who, and by when</legend>
        <div className="grid grid-cols-2 gap-3">
          <InputField label="Decide within" type="number" min={1} step={1} placeholder="no limit" {...field('due')} />
          <SelectField label="Unit" options={units} {...field('unit')} />
        </div>
        <InputField
          label="Reviewers"
          hint="Names, separated by commas. Only they are offered its cases; leave it empty for everybody."
          {...field('assignees')}
        />
      </fieldset>
    </Form>
  );
}

function makeDraft(queue: SentReviewQueue | null): Draft {
  const { rules = {}, dueMinutes = null } = queue ?? {};
  const unit = units.findLast(([size]) => dueMinutes !== null && dueMinutes % Number(size) === 0)?.[0] ?? '60';
  return {
    name: queue?.name ?? '',
    job: rules.job ?? '',
    clauses: rules.clauses?.join(', ') ?? '',
    severities: rules.severities ?? [],
    riskFrom: rules.risk ? String(rules.risk.from) : '',
    riskTo: rules.risk ? String(rules.risk.to) : '',
    languages: rules.languages?.join(', ') ?? '',
    channels: rules.channels?.join(', ') ?? '',
    runs: rules.runs?.join(', ') ?? '',
    samples: rules.sample !== undefined,
    percent: rules.sample === undefined ? '5' : String(Number((rules.sample * 100).toFixed(4))),
    due: dueMinutes === null ? '' : String(dueMinutes / Number(unit)),
    unit,
    assignees: queue?.assignees.join(', ') ?? '',
  };
}

function readDraft(draft: Draft) {
  const { name, job, riskFrom, riskTo, samples, percent, due, unit } = draft;
  const [clauses, languages] = [splitList(draft.clauses), splitList(draft.languages)];
  const [channels, runs] = [splitList(draft.channels), splitList(draft.runs)];
  return {
    name: name.trim(),
    rules: {
      ...(job && { job }),
      ...(clauses && { clauses }),
      ...(draft.severities.length > 0 && { severities: [...draft.severities] }),
      ...((riskFrom !== '' || riskTo !== '') && { risk: { from: Number(riskFrom || 0), to: Number(riskTo || 1) } }),
      ...(languages && { languages }),
      ...(channels && { channels }),
      ...(runs && { runs }),
      ...(samples && { sample: Number(percent) / 100 }),
    },
    dueMinutes: due === '' ? null : Number(due) * Number(unit),
    assignees: splitList(draft.assignees) ?? [],
  };
}
