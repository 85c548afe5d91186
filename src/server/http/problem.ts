import { STATUS_CODES } from 'node:http';
import type { Problem } from '../../api/index.ts';
import { AgonError } from '../../errors.ts';
import { statusOf } from './status-of.ts';

const internal = new AgonError('internal', 'Something went wrong on the server.', 'Its log names the request by its id.');

/** An error as RFC 9457 says it. What is not an AgonError is nobody's business but the log's. */
export function problemOf(error: unknown, requestId?: string): Problem {
  const { code, message, hint, issues } = AgonError.is(error) ? error : internal;
  const status = statusOf(code);
  return { type: `urn:agon:problem:${code}`, title: STATUS_CODES[status] ?? 'Problem', status, detail: short(message), ...(requestId === undefined ? {} : { instance: `urn:request:${requestId}` }), code, hint: short(hint), ...(issues === undefined ? {} : { issues: [...issues] }) };
}

/** What is told may quote what was given, of whatever length. */
const mostLetters = 1_000;

function short(text: string): string {
  return text.length > mostLetters ? `${text.slice(0, mostLetters).toWellFormed()}…` : text;
}
