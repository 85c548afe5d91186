import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client, type SentJob } from '../../api/client.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, InputField, SelectField } from '../../components/field.tsx';
import { readJobId } from '../../jobs/index.ts';
import { useJobs } from '../../session/session.ts';
import { invalidate } from '../../api/query-options.ts';
import { EstimateButton, EstimateView } from '../../components/estimate-view.tsx';
import { asConfigured, writeOptions } from '../../jobs/job-parts.ts';
import { ConfigurationNote, JudgingOptionFields } from '../../session/judging-options.tsx';
import { ChosenFiles, sortListFirst, useChangedOrder } from './chosen-files.tsx';

type OrderedRun = { job: SentJob; name?: string; evaluatedModel?: string; files: readonly File[] } & ReturnType<
  typeof writeOptions
>;

export function useStartRun() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (given: OrderedRun) => client.runs.create(given),
    onSuccess: async ({ id }) => {
      await invalidate('runs');
      await navigate({ to: '/evaluations/runs/$id', params: { id } });
    },
  });
}

export function NewRun() {
  const jobs = useJobs();
  const [chosen, setChosen] = useState<SentJob>();
  const job = jobs.find(({ id }) => id === chosen) ?? jobs[0]!;
  const [name, setName] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [options, setOptions] = useState(asConfigured);
  const [evaluatedModel, setEvaluatedModel] = useState('');
  const start = useStartRun();
  const estimate = useMutation({ mutationFn: (given: OrderedRun) => client.runs.estimate(given) });
  const order = (): OrderedRun => ({
    job: job.id,
    files: sortListFirst(files),
    name: name.trim() || undefined,
    ...(evaluatedModel.trim() === '' ? {} : { evaluatedModel: evaluatedModel.trim() }),
    ...writeOptions(options, job.form.methods),
  });
  useChangedOrder({ ...order(), name: null }, files, start, estimate);
  return (
    <Dialog
      wide
      title="Start a run"
      description="Judge many items in one way. See what it would cost first."
      trigger="Start a run"
      triggerLook={{ icon: Plus, variant: 'primary' }}
    >
      <Form
        onSubmit={() => files.length > 0 && start.mutate(order())}
        sending={start}
        submit="Start"
        submitLook={{ disabled: files.length === 0 }}
      >
        <SelectField
          label="Job"
          value={job.id}
          onChange={(value) => {
            setChosen(readJobId(value));
            setOptions(asConfigured);
            setEvaluatedModel('');
          }}
          options={jobs.map(({ id, title }) => [id, title])}
        />
        <ChosenFiles
          label="Drop the items here, or choose a file"
          hint={job.runItems}
          files={files}
          onChange={setFiles}
          onAdded={([first]) => name === '' && setName(first!.name.replace(/\.\w+$/, ''))}
        />
        <InputField label="Name" maxLength={100} value={name} onChange={setName} />
        <ConfigurationNote job={job} />
        <JudgingOptionFields job={job} options={options} onChange={(change) => setOptions({ ...options, ...change })}>
          {job.evaluatesModel && (
            <InputField
              label="Evaluated model"
              placeholder="provider:model"
              spellCheck={false}
              maxLength={200}
              value={evaluatedModel}
              onChange={setEvaluatedModel}
            />
          )}
        </JudgingOptionFields>
        <EstimateButton estimate={estimate} disabled={files.length === 0} onAsk={() => estimate.mutate(order())}>
          {(made) => <EstimateView estimate={made} />}
        </EstimateButton>
      </Form>
    </Dialog>
  );
}
