import type { ConsoleJob } from '../jobs/console-job.ts';
import { useSelf } from './session.ts';

/** What holds for a job on this server where nobody asks for anything else. */
export function useConfiguration(job: ConsoleJob) {
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
