import { STATUS_CODES } from 'node:http';
import { type Problem, operations, type Operation } from '../api/index.ts';
import { AgonError, hintFor } from '@agonhq/engine/agon-error';
import { findErrorStatus } from '@agonhq/engine/errors';
import { shorten } from '@agonhq/engine/text';
import { expiredSessionCookie } from '../auth/sessions.ts';

/** What OpenAI's API says where ours has a code of its own. */
const openAiCodes: Record<string, string> = {
  'unknown-moderation-model': 'model_not_found',
  'no-api-key': 'invalid_api_key',
  'wrong-api-key': 'invalid_api_key',
  'rate-limited': 'rate_limit_exceeded',
  'queue-full': 'rate_limit_exceeded',
};

/** A problem as OpenAI's SDKs read it. */
function toOpenAiError({ status, code, detail, hint }: Problem): {
  message: string;
  type: string;
  param: string | null;
  code: string;
} {
  return {
    message: `${detail} ${hint}`,
    type: openAiErrorType(status),
    param: code === 'unknown-moderation-model' ? 'model' : null,
    code: openAiCodes[code] ?? code,
  };
}

function openAiErrorType(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

const internalError = new AgonError(
  'internal',
  'An internal error occurred.',
  'The server’s log has the details under the request’s id.',
);

const fullDiskError = new AgonError(
  'full-disk',
  'The server has no disk space left.',
  "Free space on the server's disk, then send it again.",
);

/** Whatever was being written: the server is not at fault, and a client may ask again. */
function isFullDisk(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** An error as RFC 9457 says it. What is not an AgonError is nobody's business but the log's. */
export function toProblem(error: unknown, requestId?: string): Problem {
  const told = AgonError.is(error) ? hideLedger(error) : isFullDisk(error) ? fullDiskError : internalError;
  const { code, message, issues } = told;
  const status = findErrorStatus(code);
  return {
    type: `urn:agon:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Problem',
    status,
    detail: shorten(message, mostLetters),
    ...(requestId === undefined ? {} : { instance: `urn:request:${requestId}` }),
    code,
    hint: shorten(hintFor(told, 'api'), mostLetters),
    ...(issues === undefined ? {} : { issues: [...issues] }),
  };
}

const ledgerCodes = /^ledger-|-ledger$|^full-disk$/;

/** Where the ledger lies is not for those who ask; the log has it. */
function hideLedger(error: AgonError): AgonError {
  return ledgerCodes.test(error.code)
    ? new AgonError(
        error.code,
        'The server’s ledger is not available at the moment.',
        'Try again later; the server’s log says why.',
      )
    : error;
}

/** What is told may quote what was given, of whatever length. */
const mostLetters = 1_000;

/** A problem as it is sent; `retryAfter` in seconds, for whoever may come again. */
export function sendProblem(problem: Problem, request: Request, retryAfter: () => number): Response {
  const { status, code } = problem;
  const { pathname } = new URL(request.url);
  const headers: Record<string, string> = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
  if (status === 429 || status === 503 || code === 'idempotency-running') headers['retry-after'] = String(retryAfter());
  // What is left of the body is not read: the next request cannot come over the same connection.
  if (status === 413) headers['connection'] = 'close';
  if (status === 405) headers['allow'] = listMethods(pathname).join(', ');
  if (code === 'session-ended') headers['set-cookie'] = expiredSessionCookie;
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="agon"';
  // OpenAI's SDKs read what went wrong from `error`.
  const shown = pathname.startsWith('/v1/') ? { ...problem, error: toOpenAiError(problem) } : problem;
  return new Response(JSON.stringify(shown), { status, headers });
}

/** What is answered at an address. */
export function listMethods(pathname: string): string[] {
  const there = (operations as readonly Operation[]).filter(({ path }) =>
    new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  return [...new Set(there.map(({ method }) => method.toUpperCase()))];
}
