import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { client } from '../../api/client.ts';
import { ask, policyQuery } from '../../api/query-options.ts';
import { severities } from '@agonhq/engine/policy/known-actions';
import { actionIds, nameAction } from '@agonhq/engine/view';
import { Button } from '../../components/button.tsx';
import { DayRange, InputField, type Option, SelectField } from '../../components/field.tsx';
import { classes } from '../../components/tones.ts';
import { useJobs, useSelf } from '../../session/session.ts';
import {
  type ShownCaseFilter,
  type FilterName,
  formatLabel,
  listChosen,
  modalityOptions,
  openLabels,
} from './case-filter.ts';

interface FilterProps {
  filter: ShownCaseFilter;
  change: (change: Partial<Record<FilterName, string | undefined>>) => void;
}

const shares = Array.from({ length: 11 }, (_, tenth): Option => [String(tenth / 10), String(tenth / 10)]);

const chooseFlag = (title: string): Option[] => [
  ['true', title],
  ['false', `Not ${title.toLowerCase()}`],
];

export function FilterPanel({ filter, change }: FilterProps) {
  const jobs = useJobs();
  const asked = filter.job ? jobs.filter(({ id }) => id === filter.job) : jobs;
  const labels = [...new Set(asked.flatMap((job) => job.labels)), ...openLabels];
  const { data: policy } = useQuery(policyQuery('active'));
  const actions = [...new Set([...actionIds, ...Object.keys(policy?.actions ?? {})])];
  const { models } = useSelf();
  const { data: runs } = useQuery(
    ask(['runs', 'for-filter'], (options) => client.runs.list({ limit: 100 }, options), { staleTime: 60_000 }),
  );
  const choices: readonly (readonly [name: FilterName, label: string, options: readonly Option[]])[] = [
    ['job', 'Job', jobs.map(({ id, title }) => [id, title])],
    ['label', 'Label', labels.map((label) => [label, formatLabel(label)])],
    ['category', 'Category', (policy?.categories ?? []).map(({ id, title }) => [id, title])],
    ['action', 'Action', actions.map((id) => [id, nameAction(id)])],
    ['severity', 'Severity', severities.map((one) => [one, one])],
    ['modality', 'Modality', modalityOptions],
    ['minDisagreement', 'Disagreement ≥', shares],
    ['escalated', 'Escalated', chooseFlag('Escalated')],
    ['degraded', 'Degraded', chooseFlag('Degraded')],
    ['decided', 'Human decision', chooseFlag('Decided')],
  ];
  const inSeats = new Set(Object.values(models).flatMap((seats) => Object.values(seats)));
  return (
    <div
      className={classes(
        'grid grid-cols-[repeat(auto-fill,minmax(7.75rem,1fr))] gap-3 [&_input]:px-2 [&_input]:text-sm',
        '[&_input[type=date]]:min-w-0 [&_input[type=date]]:text-xs [&_select]:px-2 [&_select]:text-sm',
      )}
    >
      {choices.map(([name, label, options]) => (
        <SelectField
          key={name}
          label={label}
          value={String(filter[name] ?? '')}
          onChange={(value) => change({ [name]: value })}
          none="Any"
          options={options}
        />
      ))}
      <Suggested
        label="Model"
        value={filter.model}
        onChange={(model) => change({ model })}
        options={[...inSeats].sort().map((model) => [model, model])}
      />
      <Suggested
        label="Run"
        value={filter.run}
        onChange={(run) => change({ run })}
        options={(runs?.rows ?? []).map(({ id, name }) => [id, name ?? id])}
      />
      {(['author', 'language', 'channel', 'clause'] as const).map((name) => (
        <Suggested
          key={name}
          label={`${name[0]!.toUpperCase()}${name.slice(1)}`}
          value={filter[name]}
          onChange={(value) => change({ [name]: value })}
          options={[]}
        />
      ))}
      <DayRange from={filter.from} to={filter.to} onChange={change} />
    </div>
  );
}

interface SuggestedProps {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
  options: readonly Option[];
}

function Suggested({ label, value = '', onChange, options }: SuggestedProps) {
  const [written, setWritten] = useState(value);
  useEffect(() => setWritten(value), [value]);
  const settle = () => {
    if (written.trim() !== value) onChange(written.trim());
  };
  return (
    <InputField
      label={label}
      value={written}
      onChange={setWritten}
      suggestions={options}
      placeholder="Any"
      spellCheck={false}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle();
      }}
    />
  );
}

/** The filters that are active, each with a way to take it away. */
export function FilterChips({ filter, change, clear }: FilterProps & { clear: () => void }) {
  const chosen = listChosen(filter);
  if (chosen.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {chosen.map(({ name, words }) => (
        <li key={name} className="min-w-0">
          <button
            type="button"
            aria-label={`Remove the filter ${words}`}
            onClick={() => change({ [name]: undefined })}
            className={classes(
              'inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-implicit',
              'bg-implicit-ground px-3 text-sm font-medium text-implicit hover:border-ink',
            )}
          >
            <span className="max-w-60 truncate">{words}</span> <X aria-hidden className="size-3.5 flex-none" />
          </button>
        </li>
      ))}
      <li>
        <Button variant="quiet" size="small" onClick={clear}>
          Clear all filters
        </Button>
      </li>
    </ul>
  );
}
