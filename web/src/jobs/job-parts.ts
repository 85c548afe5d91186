import type { Client } from '../../../src/client/index.ts';
import type { ConsoleJob, Draft, JobRecord } from './console-job.ts';

/* What the jobs of the console have in common. */

export const emptyDraft: Draft = { texts: {}, files: [], method: '' };

/** The method that was chosen, where the job has it. */
export function findMethod<const Id extends string>(
  methods: readonly (readonly [id: Id, title: string])[],
  { method }: Draft,
): { method?: Id } {
  const found = methods.find(([id]) => id === method);
  return found ? { method: found[0] } : {};
}

/** The files a case can be saved as; `notice` is what its short form is called. */
export function listReports(notice: string): JobRecord['reports'] {
  return [
    { title: 'Markdown', format: 'markdown', ending: 'md' },
    { title: 'JSON', format: 'json', ending: 'json' },
    { title: notice, format: 'notice', ending: 'notice.md' },
  ];
}

/** Where the reports of a group of the API are: `moderations`. */
export function reportsUnder(group: string): JobRecord['reportUrl'] {
  return (id, format) => `/api/${group}/${encodeURIComponent(id)}/report?format=${format}`;
}

/** Has a sample judged to its end; returns the case's id. */
export async function judgeSample(client: Client, { form }: ConsoleJob, texts: Draft['texts']): Promise<string> {
  let id = '';
  const order = form.makeOrder({ ...emptyDraft, texts });
  for await (const event of order.stream(client, new AbortController().signal))
    if ('debate' in event && typeof event.debate === 'string') id = event.debate;
  return id;
}
