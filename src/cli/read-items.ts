import path from 'node:path';
import type { InputFormat } from '../items/index.ts';
import type { Job } from '../jobs/index.ts';
import type { RunReading } from '../runs/index.ts';
import { readNames, type NamesFlags } from './read-flags.ts';

/** How a file of items is read. */
export interface ItemsFlags extends NamesFlags {
  file?: string;
  format?: InputFormat;
  root?: string;
}

/** What the input calls our fields and labels, and where its files are. */
export function readReading(job: Job, flags: ItemsFlags & { file: string }): RunReading {
  const { fields, labels } = readNames(flags, job.items.fields, {
    meanings: job.labels,
    example: job.labels
      .slice(0, 2)
      .map((label, index) => `${['yes', 'no'][index]}=${label}`)
      .join(','),
  });
  return {
    root: path.resolve(flags.root ?? (flags.file === '-' ? '.' : path.dirname(flags.file))),
    ...(flags.format ? { format: flags.format } : {}),
    ...(Object.keys(fields).length > 0 ? { map: fields } : {}),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
  };
}
