import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../api/index.ts';
import { AgonError, hintFor } from '../../errors.ts';
import { findErrorStatus } from '../../errors/index.ts';
import { shorten } from '../../text/index.ts';

const internal = new AgonError(
  'internal',
  'Something went wrong on the server.',
  'Its log names the request by its id.',
);

/** An error as RFC 9457 says it. What is not an AgonError is nobody's business but the log's. */
export function problemOf(error: unknown, requestId?: string): Problem {
  const told = AgonError.is(error) ? outside(error) : internal;
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

const ofLedger = /^ledger-|-ledger$|^full-disk$/;

/** Where the ledger lies is not for those who ask; the log has it. */
function outside(error: AgonError): AgonError {
  return ofLedger.test(error.code)
    ? new AgonError(
        error.code,
        'The ledger of the server cannot be used at this moment.',
        'Ask again later; whoever looks after the server finds the reason in its log.',
      )
    : error;
}

/** What is told may quote what was given, of whatever length. */
const mostLetters = 1_000;
