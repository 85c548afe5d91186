import { AgonError } from '@agonhq/engine/agon-error';

/** What the server says about a request or about itself, without any content. */
export interface LogLine {
  level: 'info' | 'warn' | 'error';
  event: string;
  [field: string]: unknown;
}

/** What a log says of any error. */
export function errorCode(error: unknown): string {
  return AgonError.is(error) ? error.code : error instanceof Error ? error.name : 'unknown';
}

/** What it says of one that nobody foresaw: where to look for its cause. */
export function errorTrace(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
