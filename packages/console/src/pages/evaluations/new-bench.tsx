import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState, useId } from 'react';
import { client, type SentJob } from '../../api/client.ts';
import { benchSystemsQuery, invalidate } from '../../api/query-options.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Form, InputField, SelectField } from '../../components/field.tsx';
import { readJobId } from '../../jobs/index.ts';
import { asConfigured, writeOptions } from '../../jobs/job-parts.ts';
import { ConfigurationNote, JudgingOptionFields } from '../../session/judging-options.tsx';
import { useJobs } from '../../session/session.ts';
import { BenchEstimateView } from './bench-estimate.tsx';
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

interface OfferedSystem {
  name: string;
  does: string;
  takesModel: boolean;
}

interface SystemFieldsProps {
  systems: readonly OfferedSystem[];
  picked: readonly string[];
  onPick: (names: readonly string[]) => void;
  others: string;
  onOthers: (names: string) => void;
}

/** So many are shown at once: the debate and what it is usually held against. */
const shownFirst = 6;

/** What can be measured, each with a line; those with a model of one's own are written. */
function SystemFields({ systems, picked, onPick, others, onOthers }: SystemFieldsProps) {
  const named = systems.filter(({ takesModel }) => !takesModel);
  const open = systems.filter(({ takesModel }) => takesModel);
  /** In the order of the list, whatever was clicked first: the others are compared with the first. */
  const pick = (name: string, isPicked: boolean) =>
    onPick(named.flatMap((one) => ((one.name === name ? isPicked : picked.includes(one.name)) ? [one.name] : [])));
  const list = { picked, onPick: pick };
  return (
    <fieldset className="grid gap-3 rounded-lg border p-3">
      <legend className="px-1 text-sm font-medium">Systems</legend>
      <SystemList label="Systems to measure" systems={named.slice(0, shownFirst)} {...list} />
      <details>
        <summary className="text-sm font-medium">More systems</summary>
        <div className="mt-3 grid gap-4">
          <SystemList label="More systems to measure" systems={named.slice(shownFirst)} {...list} />
          {open.length > 0 && (
            <InputField
              label="With other models, separated by commas"
              placeholder={open[0]!.name}
              spellCheck={false}
              maxLength={500}
              value={others}
              onChange={onOthers}
              hint={open.map(({ name, does }) => (
                <span key={name} className="block">
                  <code className="words font-mono">{name}</code> {does}
                </span>
              ))}
            />
          )}
        </div>
      </details>
      <p className="text-sm text-quiet">Each is compared with the first, on the same items.</p>
    </fieldset>
  );
}

interface SystemListProps {
  label: string;
  systems: readonly OfferedSystem[];
  picked: readonly string[];
  onPick: (name: string, isPicked: boolean) => void;
}

function SystemList({ label, systems, picked, onPick }: SystemListProps) {
  const id = useId();
  return (
    <ul aria-label={label} className="grid gap-3 sm:grid-cols-2">
      {systems.map(({ name, does }) => (
        <li key={name} className="flex items-start gap-2">
          <input
            id={`${id}-${name}`}
            type="checkbox"
            className="mt-0.5 size-4.5 flex-none accent-link"
            aria-describedby={`${id}-${name}-does`}
            checked={picked.includes(name)}
            onChange={({ target }) => onPick(name, target.checked)}
          />
          <span className="min-w-0">
            <label htmlFor={`${id}-${name}`} className="words font-medium">
              {name}
            </label>
            <span id={`${id}-${name}-does`} className="block text-sm text-quiet">
              {does}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
