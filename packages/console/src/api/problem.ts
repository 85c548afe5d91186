import { AgonClientError } from '@agonhq/server/client';
import type { Issue } from '@agonhq/engine/agon-error';

/** What went wrong, for people. */
export interface ShownProblem {
  code: string;
  message: string;
  hint: string;
  status: number | null;
  /** Where a file that was given is wrong. */
  issues: readonly Issue[];
}

/** What browsers say of a chunk that does not come. */
const failedChunk = /dynamically imported module|importing a module script/i;

export function describeProblem(error: unknown): ShownProblem {
  if (error instanceof AgonClientError) {
    const { code, message, hint, status, issues = [] } = error;
    return { code, message, hint: adaptHint(hint, status), status, issues };
  }
  const plain = { status: null, issues: [] };
  if (error instanceof TypeError && failedChunk.test(error.message))
    return {
      ...plain,
      code: 'not-loaded',
      message: 'Part of the console could not be loaded.',
      hint: 'The server may have been upgraded, or is not responding. Reload the page.',
    };
  return {
    ...plain,
    code: 'unexpected',
    message: error instanceof Error ? error.message : String(error),
    hint: 'Reload the page. If the problem returns, report it with the steps that led to it.',
  };
}

/** A hint that names a request is for programs. */
function adaptHint(hint: string, status: number | null): string {
  if (!hint.includes('/api/')) return hint;
  return status === 404
    ? 'Check the address. What it pointed to may have been removed.'
    : 'Reload the page to see the current state.';
}

/** Whoever stopped it knows. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
