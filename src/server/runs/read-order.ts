import { requireJob } from '../../jobs/index.ts';
import { AgonError } from '../../errors.ts';
import type { RunReading } from '../../runs/index.ts';
import type { RunOrder } from './server-runs.ts';

/** How the input of a new run is read; what it calls fields and labels must mean something. */
export function readOrder({ job, format, map, labels }: RunOrder, root: string): RunReading {
  const {
    labels: verdicts,
    items: { fields },
  } = requireJob(job);
  const unknown = Object.keys(map ?? {}).find((field) => !fields.includes(field));
  if (unknown !== undefined)
    throw new AgonError(
      'bad-request',
      `map: an item has no field ${JSON.stringify(unknown)}.`,
      `Fields are ${fields.join(', ')}; what the input calls them is the value.`,
    );
  const wrong = Object.entries(labels ?? {}).find(([, label]) => !verdicts.includes(label));
  if (wrong)
    throw new AgonError(
      'bad-request',
      `labels: ${JSON.stringify(wrong[0])} cannot mean ${JSON.stringify(wrong[1])}.`,
      `A label means ${verdicts.join(', ')}.`,
    );
  return { root, ...(format ? { format } : {}), ...(map ? { map } : {}), ...(labels ? { labels } : {}) };
}
