import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Job } from '@agonhq/judges/job';
import { describeReason, importDefault } from '../settings/index.ts';

/** Whether a name is one of a module and not of a job: `./my-job.ts`, `/jobs/merge.js`. */
export function isJobModule(name: string): boolean {
  return /[./\\]/.test(name);
}

/**
 * The jobs of modules that a person named, each as its default export. Modules are code: only names from the
 * command line, the settings file or a program get here, never one from a request or a record.
 *
 * @example const [job] = await loadJobs(['./my-job.ts'])
 */
export async function loadJobs(modules: readonly string[], folder = process.cwd()): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const module of modules) {
    const file = path.resolve(folder, module);
    const job = await importDefault(file).catch((error: unknown) => {
      throw new AgonError(
        'unreadable-job',
        `The job ${module} cannot be loaded: ${describeReason(error).replace(/[.:]$/, '')}.`,
        'Correct the path or the module: TypeScript or JavaScript that exports a job (docs/own-job.md).',
        { cause: error },
      );
    });
    if (!isJob(job))
      throw new AgonError(
        'unreadable-job',
        `${module} does not export a job by default.`,
        'Write `export default defineJob({ … })` (docs/own-job.md).',
      );
    jobs.push(job);
  }
  return jobs;
}

/** What every job has, by its type. */
const parts: Record<string, readonly (keyof Job)[]> = {
  string: ['id', 'title', 'description', 'subject', 'casePrefix'],
  object: ['labels', 'methods', 'seats', 'settings', 'items', 'request', 'report'],
  function: ['needs', 'open', 'readAnswer', 'verify', 'summarize', 'debates', 'debateSeats', 'restore'],
};

function isJob(value: unknown): value is Job {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(parts).every(([type, names]) =>
      names.every((name) => typeof (value as Record<string, unknown>)[name] === type),
    )
  );
}
