import { AgonError } from '../../errors.ts';

/** What went wrong, for a run's row and a worker's log. */
export function inOneLine(error: unknown): string {
  return AgonError.is(error)
    ? `${error.message} ${error.hint} (${error.code})`
    : error instanceof Error
      ? error.message
      : String(error);
}
