import { AgonClientError } from '../../../src/client/index.ts';

/** What went wrong, for people. */
export interface ShownProblem {
  code: string;
  message: string;
  hint: string;
  status: number | null;
}

export function problemOf(error: unknown): ShownProblem {
  if (error instanceof AgonClientError) return { code: error.code, message: error.message, hint: error.hint, status: error.status ?? null };
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error), hint: 'Load the page again. If it comes back, tell us what you did.', status: null };
}

/** Whoever stopped it knows. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
