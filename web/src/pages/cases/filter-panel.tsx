import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type Ref, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { client } from '../../api/client.ts';
import { Field, Input, InputField, SelectField } from '../../components/field.tsx';
import { classes } from '../../components/tones.ts';
import { useJobs, useSelf } from '../../session/session.ts';
import { type CaseFilter, type FilterName, modalities } from './case-filter.ts';
import { formatLabel, modalityNames } from './filter-chips.tsx';
import { Search } from 'lucide-react';

const pauseMs = 250;

interface SearchBoxProps {
  value: string;
  onChange: (words: string | undefined) => void;
  box: Ref<HTMLInputElement>;
}

/** Words to look for: asked for when somebody stops typing. */
export function SearchBox({ value, onChange, box }: SearchBoxProps) {
  const [written, setWritten] = useState(value);
  const asked = useRef(value);
  useEffect(() => {
    // Somebody else changed it: a link, or a filter that was taken away. What was asked for from here may have been
    // typed on.
    if (value !== asked.current) setWritten(value);
    asked.current = value;
  }, [value]);
  const settle = useEffectEvent(() => {
    const words = written.trim();
    if (words === asked.current) return;
    asked.current = words;
    onChange(words || undefined);
  });
  useEffect(() => {
    const timer = setTimeout(settle, pauseMs);
    return () => clearTimeout(timer);
  }, [written]);
  return (
    <div className="relative min-w-0 flex-1 basis-64">
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-quiet" />
      <InputField
        label="Search cases"
        hideLabel
        ref={box}
        type="search"
        look="pl-9"
        placeholder="Search the content"
        maxLength={200}
        value={written}
        onChange={setWritten}
      />
    </div>
  );
}

export type ChangeFilter = (change: Partial<Record<FilterName, string | undefined>>) => void;

/** All that cases can be told apart by. */
export function FilterPanel({ filter, change }: { filter: CaseFilter; change: ChangeFilter }) {
  const jobs = useJobs();
  const asked = filter.job ? jobs.filter(({ id }) => id === filter.job) : jobs;
  const labels = [...new Set(asked.flatMap((job) => job.labels))];
  return (
    <div
      className={classes(
        'grid grid-cols-[repeat(auto-fill,minmax(7.75rem,1fr))] gap-3 [&_input]:px-2 [&_input]:text-sm',
        '[&_input[type=date]]:min-w-0 [&_input[type=date]]:text-xs [&_select]:px-2 [&_select]:text-sm',
      )}
    >
      <Choose
        label="Job"
        value={filter.job}
        onChange={(job) => change({ job })}
        options={jobs.map(({ id, title }) => [id, title])}
      />
      <Choose
        label="Label"
        value={filter.label}
        onChange={(label) => change({ label })}
        options={[...labels, 'open'].map((label) => [label, formatLabel(label)])}
      />
      <CategoryFilter filter={filter} change={change} />
      <Choose
        label="Modality"
        value={filter.modality}
        onChange={(modality) => change({ modality })}
        options={modalities.map((modality) => [modality, modalityNames[modality]])}
      />
      <Share
        label="Disagreement ≥"
        value={filter.minDisagreement}
        onChange={(minDisagreement) => change({ minDisagreement })}
      />
      <Share
        label="Confidence ≤"
        value={filter.maxConfidence}
        onChange={(maxConfidence) => change({ maxConfidence })}
      />
      <Choose
        label="Escalated"
        value={filter.escalated}
        onChange={(escalated) => change({ escalated })}
        options={[
          ['true', 'Escalated'],
          ['false', 'Not escalated'],
        ]}
      />
      <Choose
        label="Degraded"
        value={filter.degraded}
        onChange={(degraded) => change({ degraded })}
        options={[
          ['true', 'Degraded'],
          ['false', 'Not degraded'],
        ]}
      />
      <Choose
        label="Human decision"
        value={filter.decided}
        onChange={(decided) => change({ decided })}
        options={[
          ['true', 'Decided'],
          ['false', 'Not decided'],
        ]}
      />
      <ModelFilter filter={filter} change={change} />
      <RunFilter filter={filter} change={change} />
      <InputField
        label="From"
        type="date"
        value={filter.from ?? ''}
        max={filter.to}
        onChange={(value) => change({ from: value || undefined })}
      />
      <InputField
        label="Until"
        type="date"
        value={filter.to ?? ''}
        min={filter.from}
        onChange={(value) => change({ to: value || undefined })}
      />
    </div>
  );
}

interface ChooseProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  options: readonly (readonly [value: string, words: string])[];
}

function Choose({ label, value, onChange, options }: ChooseProps) {
  // What an address asks for is shown, even where nothing is called so here.
  const shown =
    value === undefined || options.some(([option]) => option === value)
      ? options
      : [...options, [value, value] as const];
  return (
    <SelectField
      label={label}
      value={value ?? ''}
      onChange={(value) => onChange(value || undefined)}
      none="Any"
      options={shown.map(([option, words]) => [option, words])}
    />
  );
}

const shares = ['0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '1'];

interface ShareProps {
  label: string;
  value: number | undefined;
  onChange: (value: string | undefined) => void;
}

function Share({ label, value, onChange }: ShareProps) {
  return (
    <Choose
      label={label}
      value={value === undefined ? undefined : String(value)}
      onChange={onChange}
      options={shares.map((share) => [share, share])}
    />
  );
}

interface FilterProps {
  filter: CaseFilter;
  change: ChangeFilter;
}

function CategoryFilter({ filter, change }: FilterProps) {
  const { data: policy } = useQuery({
    queryKey: ['policies', 'active'],
    queryFn: ({ signal }) => client.policies.get('active', { signal }),
    staleTime: 60_000,
  });
  return (
    <Choose
      label="Category"
      value={filter.category}
      onChange={(category) => change({ category })}
      options={(policy?.categories ?? []).map(({ id, title }) => [id, title])}
    />
  );
}

/** Those that sit in the seats now; others can be written. */
function ModelFilter({ filter, change }: FilterProps) {
  const { models } = useSelf();
  const known = [...new Set(Object.values(models).flatMap((seats) => Object.values(seats)))].sort();
  return (
    <Suggested
      label="Model"
      value={filter.model}
      onChange={(model) => change({ model })}
      options={known.map((model) => (
        <option key={model} value={model} />
      ))}
    />
  );
}

function RunFilter({ filter, change }: FilterProps) {
  const { data: runs } = useQuery({
    queryKey: ['runs', 'for-filter'],
    queryFn: ({ signal }) => client.runs.list({ limit: 100 }, { signal }),
    staleTime: 60_000,
  });
  return (
    <Suggested
      label="Run"
      value={filter.run}
      onChange={(run) => change({ run })}
      options={(runs?.rows ?? []).map(({ id, name }) => (
        <option key={id} value={id}>
          {name ?? id}
        </option>
      ))}
    />
  );
}

interface SuggestedProps {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  options: ReactNode;
}

/** Written by hand or chosen; asked for when it stands. */
function Suggested({ label, value = '', onChange, options }: SuggestedProps) {
  const list = useId();
  const [written, setWritten] = useState(value);
  useEffect(() => setWritten(value), [value]);
  const settle = () => {
    if (written.trim() !== value) onChange(written.trim() || undefined);
  };
  return (
    <Field label={label}>
      <Input
        value={written}
        list={list}
        placeholder="Any"
        spellCheck={false}
        onChange={(event) => setWritten(event.target.value)}
        onBlur={settle}
        onKeyDown={(event) => {
          if (event.key === 'Enter') settle();
        }}
      />
      <datalist id={list}>{options}</datalist>
    </Field>
  );
}
