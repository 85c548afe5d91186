import { AgonError } from '../../errors.ts';

/** What a log may say of an error. */
export function codeOf(error: unknown): string {
  return AgonError.is(error) ? error.code : error instanceof Error ? error.name : 'unknown';
}
