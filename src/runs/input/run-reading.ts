import { z } from 'zod';
import { AgonError } from '../../errors.ts';
import { inputFormats } from '../../items/index.ts';
import type { RunInputOptions } from './run-items-in.ts';

const schema = z.strictObject({
  root: z.string().optional(),
  format: z.enum(inputFormats).optional(),
  map: z.record(z.string(), z.string()).optional(),
  labels: z.record(z.string(), z.string()).optional(),
});

/** How the input of a run is read: kept in its plan, so that whoever reads on does it the same way. */
export type RunReading = Pick<RunInputOptions, 'root' | 'format' | 'map' | 'labels'>;

/** The reading in a run's plan; of a plan without one, the usual one. */
export function readingOf(value: unknown): RunReading {
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  throw new AgonError(
    'no-plan',
    `How the input is read cannot be read: ${z.prettifyError(read.error)}`,
    'The run was made by another version of Agon: start it anew.',
  );
}
