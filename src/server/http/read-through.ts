import type { z } from 'zod';
import { AgonError } from '../../errors.ts';

/** What a request holds, read by the schema of its operation; or in one line what is wrong with it. */
export function readThrough(schema: z.ZodType | undefined, value: unknown, place: 'path' | 'query' | 'body'): unknown {
  if (!schema) return undefined;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const at = first!.path.map(String).join('.');
  throw new AgonError(
    'bad-request',
    `${{ path: 'The path', query: 'The query', body: 'The body' }[place]} is not as it should ` +
      `be${at === '' ? '' : `: ${at}`}: ${first!.message.replace(/\.$/, '')}.`,
    'GET /docs shows what this operation takes.',
  );
}
