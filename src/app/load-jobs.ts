import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { AgonError } from '../errors.ts';
import { addJob, findJob, type Job } from '../jobs/index.ts';

/** Whether a name is one of a module and not of a job: `./my-job.ts`, `/jobs/merge.js`. */
export function isJobModule(name: string): boolean {
  return /[./\\]/.test(name);
}

/**
 * Adds the jobs of modules that a person named, each as its default export. Modules are code: only names from the
 * command line, the settings file or a program get here, never one from a request or a record.
 *
 * @example const [job] = await loadJobs(['./my-job.ts'])
 */
export async function loadJobs(modules: readonly string[], folder = process.cwd()): Promise<Job[]> {
  const jobs: Job[] = [];
  for (const module of modules) {
    const file = path.resolve(folder, module);
    const loaded = (await import(pathToFileURL(file).href).catch((error: unknown) => {
      throw new AgonError(
        'unreadable-job',
        `The job ${module} cannot be loaded: ${(error as Error).message.split('\n')[0]}`,
        'Check the path; a job is a TypeScript or JavaScript module (docs/own-job.md).',
        { cause: error },
      );
    })) as { default?: unknown };
    if (!isJob(loaded.default))
      throw new AgonError(
        'unreadable-job',
        `${module} does not export a job by default.`,
        'Write `export default defineJob({ … })` (docs/own-job.md).',
      );
    if (findJob(loaded.default.id) !== loaded.default) addJob(loaded.default);
    jobs.push(loaded.default);
  }
  return jobs;
}

function isJob(value: unknown): value is Job {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['id', 'title', 'items', 'open', 'verify', 'report'].every((part) => part in value)
  );
}
