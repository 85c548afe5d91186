import { severities } from '@agonhq/engine/policy/known-actions';
import { useState } from 'react';
import { client, type SentReviewQueue } from '../../api/client.ts';
import { type DialogProps, FormDialog } from '../../components/dialog.tsx';
import { Checkbox, InputField, SelectField, useFields } from '../../components/field.tsx';
import { useJobs } from '../../session/session.ts';
import { splitList } from './describe-rules.ts';

const units = [
  ['1', 'minutes'],
  ['60', 'hours'],
  ['1440', 'days'],
] as const;

interface EditQueueProps extends Pick<DialogProps, 'trigger' | 'triggerLook'> {
  /** Null for a new one. */
  queue: SentReviewQueue | null;
}

/** Makes a queue, or changes one. */
export function EditQueue({ queue, ...opener }: EditQueueProps) {
  const jobs = useJobs();
  const { given, field, setGiven } = useFields(makeDraft(queue));
  const [severe, setSevere] = useState<readonly (typeof severities)[number][]>([]);
  const [samples, setSamples] = useState(false);
  const save = () => {
    const { percent } = given;
    const rules = {
      ...readRules(given),
      ...(severe.length > 0 && { severities: [...severe] }),
      ...(samples && { sample: Number(percent) / 100 }),
    };
    const draft = { ...readDraft(given), rules };
    return queue ? client.queues.change(queue.id, draft) : client.queues.create(draft);
  };
  return (
    <FormDialog
      wide
      {...opener}
      title={queue ? `Change ${queue.name}` : 'New queue'}
      description={
        'A case waits in the first queue whose rules it meets. All rules that are given must hold; of a list, one.'
      }
      onOpen={() => {
        setGiven(makeDraft(queue));
        setSevere(queue?.rules.severities ?? []);
        setSamples(queue?.rules.sample !== undefined);
      }}
      act={save}
      changes="queue"
      says={({ name }) => `Queue ${name} is in place.`}
      submit={queue ? 'Save' : 'Create queue'}
    >
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
                checked={severe.includes(severity)}
                onChange={({ target }) =>
                  setSevere(severities.filter((one) => (one === severity ? target.checked : severe.includes(one))))
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
            checked={samples}
            onChange={({ target }) => setSamples(target.checked)}
            label="Quality sample of what the machine decided alone"
          />
          {samples && (
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
    </FormDialog>
  );
}

/** What the fields hold while somebody types. */
function makeDraft(queue: SentReviewQueue | null) {
  const { rules = {}, dueMinutes = null } = queue ?? {};
  const unit: string = units.findLast(([size]) => dueMinutes !== null && dueMinutes % Number(size) === 0)?.[0] ?? '60';
  return {
    name: queue?.name ?? '',
    job: rules.job ?? '',
    clauses: rules.clauses?.join(', ') ?? '',
    riskFrom: rules.risk ? String(rules.risk.from) : '',
    riskTo: rules.risk ? String(rules.risk.to) : '',
    languages: rules.languages?.join(', ') ?? '',
    channels: rules.channels?.join(', ') ?? '',
    runs: rules.runs?.join(', ') ?? '',
    percent: rules.sample === undefined ? '5' : String(Number((rules.sample * 100).toFixed(4))),
    due: dueMinutes === null ? '' : String(dueMinutes / Number(unit)),
    unit,
    assignees: queue?.assignees.join(', ') ?? '',
  };
}

type Draft = ReturnType<typeof makeDraft>;

function readRules({ job, riskFrom, riskTo, ...lists }: Draft) {
  const [clauses, languages] = [splitList(lists.clauses), splitList(lists.languages)];
  const [channels, runs] = [splitList(lists.channels), splitList(lists.runs)];
  return {
    ...(job && { job }),
    ...(clauses && { clauses }),
    ...((riskFrom !== '' || riskTo !== '') && { risk: { from: Number(riskFrom || 0), to: Number(riskTo || 1) } }),
    ...(languages && { languages }),
    ...(channels && { channels }),
    ...(runs && { runs }),
  };
}

function readDraft({ name, due, unit, assignees }: Draft) {
  return {
    name: name.trim(),
    dueMinutes: due === '' ? null : Number(due) * Number(unit),
    assignees: splitList(assignees) ?? [],
  };
}
