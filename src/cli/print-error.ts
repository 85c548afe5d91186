import { AgonError } from '../errors.ts';
import { plain, styled } from './terminal.ts';

/** One clear line with a hint. Only a failure nobody foresaw shows where it happened, and only when asked. */
export function printError(error: unknown): void {
  const line = AgonError.is(error) ? `${error.message} ${error.hint} (${error.code})` : unforeseen(error);
  process.stderr.write(`${styled('red', 'agon:', process.stderr)} ${plain(line.replace(/\s*\n\s*/g, ' '))}\n`);
  if (process.env['AGON_DEBUG']) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

function unforeseen(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `Something unforeseen went wrong: ${message} Run it again with AGON_DEBUG=1 for the details, and report it. (internal)`;
}

/** Exit codes: documented in the README and in --help. */
export const exitCodes = { judged: 0, failed: 1, usage: 2, failOn: 3, stopped: 130 } as const;
