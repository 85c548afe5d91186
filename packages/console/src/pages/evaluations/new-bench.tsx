import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client, type SentJob } from '../../api/client.ts';
import { benchSystemsQuery, invalidate } from '../../api/query-options.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, InputField, SelectField } from '../../components/field.tsx';
import { readJobId } from '../../jobs/index.ts';
import { asConfigured, writeOptions } from '../../jobs/job-parts.ts';
import { ConfigurationNote } from '../../session/configuration.tsx';
import { JudgingOptionFields } from '../../session/judging-options.tsx';
import { useJobs } from '../../session/session.ts';
import { BenchEstimateView } from './bench-estimate.tsx';
import { SystemFields } from './bench-systems.tsx';
import { ChosenFiles, sortListFirst, useChangedOrder } from './chosen-files.tsx';
import { EstimateButton } from '../../components/estimate-view.tsx';

type OrderedBench = Parameters<typeof client.benches.create>[0];

/** Starts a bench: which systems, on which data, and how they judge. */
export function NewBench() {
  const jobs = useJobs();
  const [chosen, setChosen] = useState<SentJob>();
  const job = jobs.find(({ id }) => id === chosen) ?? jobs[0]!;
  const offered = useQuery(benchSystemsQuery).data?.jobs.find((one) => one.job === job.id);
  const [title, setTitle] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [picked, setPicked] = useState<readonly string[]>();
  const [others, setOthers] = useState('');
  const [limit, setLimit] = useState('');
  const [repeats, setRepeats] = useState('');
  const [options, setOptions] = useState(asConfigured);
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: (given: OrderedBench) => client.benches.create(given),
    onSuccess: async ({ id }) => {
      await invalidate('benches');
      await navigate({ to: '/evaluations/benches/$id', params: { id } });
    },
  });
  const estimate = useMutation({ mutationFn: (given: OrderedBench) => client.benches.estimate(given) });
  const systems = [
    ...(picked ?? (offered ? [offered.usual] : [])),
    ...others
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ];
  const isReady = files.length > 0 && systems.length > 0;
  const { method: _, ...judging } = writeOptions(options, job.form.methods);
  const order = (): OrderedBench => ({
    job: job.id,
    files: sortListFirst(files),
    systems,
    ...(title.trim() === '' ? {} : { title: title.trim() }),
    ...(Number(limit) > 0 ? { limit: Number(limit) } : {}),
    ...(Number(repeats) > 0 ? { repeats: Number(repeats) } : {}),
    ...judging,
  });
  useChangedOrder({ ...order(), title: null }, files, start, estimate);
  return (
    <Dialog
      wide
      title="Start a bench"
      description="Measure several systems on the same labelled data. See what it would cost first."
      trigger="Start a bench"
      triggerLook={{ icon: Plus, variant: 'primary' }}
    >
      <Form
        onSubmit={() => isReady && start.mutate(order())}
        sending={start}
        submit="Start"
        submitLook={{ disabled: !isReady }}
      >
        <SelectField
          label="Job"
          value={job.id}
          onChange={(value) => {
            setChosen(readJobId(value));
            setOptions(asConfigured);
            setPicked(undefined);
            setOthers('');
          }}
          options={jobs.map(({ id, title: name }) => [id, name])}
        />
        <ChosenFiles
          label="Drop the labelled data here, or choose a file"
          hint={job.benchItems}
          files={files}
          onChange={setFiles}
          onAdded={([first]) => title === '' && setTitle(first!.name.replace(/\.\w+$/, ''))}
        />
        <InputField label="Name" maxLength={100} value={title} onChange={setTitle} />
        {offered && (
          <SystemFields
            systems={offered.systems}
            picked={picked ?? [offered.usual]}
            onPick={setPicked}
            others={others}
            onOthers={setOthers}
          />
        )}
        <ConfigurationNote job={job} />
        <JudgingOptionFields
          job={job}
          hasMethod={false}
          options={options}
          onChange={(change) => setOptions({ ...options, ...change })}
        >
          <InputField label="Items at most" {...whole} placeholder="All" value={limit} onChange={setLimit} />
          <InputField label="Repeats" {...whole} placeholder="1" max="10" value={repeats} onChange={setRepeats} />
        </JudgingOptionFields>
        <EstimateButton estimate={estimate} disabled={!isReady} onAsk={() => estimate.mutate(order())}>
          {(made) => <BenchEstimateView estimate={made} />}
        </EstimateButton>
      </Form>
    </Dialog>
  );
}

const whole = { type: 'number', min: '1', step: '1' } as const;
