import { AgonClientError } from '../../../src/client/index.ts';
import type { Issue } from '../../../src/errors.ts';

/** What went wrong, for people. */
export interface ShownProblem {
  code: string;
  message: string;
  hint: string;
  status: number | null;
  /** Where a file that was given is wrong. */
  issues: readonly Issue[];
}

export function problemOf(error: unknown): ShownProblem {
  if (error instanceof AgonClientError) return { code: error.code, message: error.message, hint: error.hint, status: error.status, issues: error.issues ?? [] };
  return { code: 'unexpected', message: error instanceof Error ? error.message : String(error), hint: 'Load the page again. If it comes back, tell us what you did.', status: null, issues: [] };
}

/** Whoever stopped it knows. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
