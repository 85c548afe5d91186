import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { versionsQuery } from '../api/query-options.ts';
import { nameOptions, InputField, SelectField } from '../components/field.tsx';
import type { ConsoleJob, JudgingOptions } from '../jobs/console-job.ts';
import { useSelf } from './session.ts';

interface JudgingOptionFieldsProps {
  job: ConsoleJob;
  options: JudgingOptions;
  onChange: (change: Partial<JudgingOptions>) => void;
  /** False where what is started has methods of its own. */
  hasMethod?: boolean;
  /** Fields of its own, before the budget. */
  children?: ReactNode;
}

/** Method, sensitivity, policy, a model for each seat, and a budget; each says what holds where it is left alone. */
export function JudgingOptionFields({ job, options, onChange, hasMethod = true, children }: JudgingOptionFieldsProps) {
  const { seats, method, sensitivity, policy } = useConfiguration(job);
  const versions = useQuery(versionsQuery).data?.rows ?? [];
  const inUse = [...new Set(Object.values(seats))].map((model) => [model, model] as const);
  return (
    <fieldset className="grid gap-3 rounded-lg border p-3">
      <legend className="px-1 text-sm font-medium">How it is judged</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {hasMethod && job.form.methods.length > 0 && (
          <SelectField
            label="Method"
            value={options.method}
            onChange={(value) => onChange({ method: value })}
            none={`As configured: ${method}`}
            options={job.form.methods}
          />
        )}
        {job.usesPolicy && (
          <>
            <SelectField
              label="Sensitivity"
              value={options.sensitivity}
              onChange={(value) => onChange({ sensitivity: value })}
              none={`As configured: ${sensitivity}`}
              options={nameOptions('low', 'balanced', 'high')}
            />
            <SelectField
              label="Policy"
              value={options.policy}
              onChange={(value) => onChange({ policy: value })}
              none={`In force: ${policy}`}
              options={versions.map(({ hash, name, version }) => [hash, `${name}, version ${version}`])}
            />
          </>
        )}
        {children}
        <InputField
          label="Budget in dollars"
          type="number"
          min="0"
          step="any"
          placeholder="No limit"
          value={options.budgetUsd}
          onChange={(value) => onChange({ budgetUsd: value })}
        />
      </div>
      <details>
        <summary className="text-sm font-medium">Models, seat by seat</summary>
        <div className="mt-3 grid gap-3 sm:grid-cols-2">
          {[['default', ''] as const, ...Object.entries(seats)].map(([seat, model]) => (
            <InputField
              key={seat}
              label={seat === 'default' ? 'Every other seat' : seat.replaceAll('-', ' ')}
              placeholder={model || 'As configured'}
              spellCheck={false}
              maxLength={200}
              suggestions={inUse}
              value={options.seats[seat] ?? ''}
              onChange={(value) => onChange({ seats: { ...options.seats, [seat]: value } })}
            />
          ))}
        </div>
      </details>
    </fieldset>
  );
}

/** What holds for a job on this server where nobody asks for anything else. */
function useConfiguration(job: ConsoleJob) {
  const { models, policy, configured } = useSelf();
  const { method = null, sensitivity = 'balanced' } = configured[job.id] ?? {};
  const title = method === null ? null : (job.form.methods.find(([id]) => id === method)?.[1] ?? method);
  return {
    seats: models[job.id] ?? {},
    method: title,
    sensitivity,
    policy: job.usesPolicy ? `${policy.name}, version ${policy.version}` : null,
  };
}

/** The same in a sentence: what “as configured” means. */
export function ConfigurationNote({ job }: { job: ConsoleJob }) {
  const { seats, method, sensitivity, policy } = useConfiguration(job);
  const said = [
    ['Method', method],
    ['Models', nameModels(seats)],
    ['Policy', policy],
    ['Sensitivity', job.usesPolicy ? sensitivity : null],
  ].filter(([, value]) => value !== null && value !== '');
  return (
    <p className="words text-sm text-quiet">
      As configured: {said.map(([name, value]) => `${name!.toLowerCase()} ${value}`).join('; ')}.
    </p>
  );
}

/** `embedded:guard-2`, or who sits where. */
function nameModels(seats: Readonly<Record<string, string>>): string {
  const names = new Set(Object.values(seats));
  if (names.size < 2) return [...names].join();
  return Object.entries(seats)
    .map(([seat, model]) => `${model} (${seat})`)
    .join(', ');
}
