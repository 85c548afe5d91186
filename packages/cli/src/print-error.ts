import { AgonError, hintFor } from '@agonhq/engine/agon-error';
import { sanitize, style } from './terminal/style.ts';

/** One line with a hint. AGON_DEBUG adds where it happened. */
export function printError(error: unknown): void {
  if (readerGone) return;
  const line = AgonError.is(error) ? formatError(error) : formatUnexpected(error);
  process.stderr.write(`${style('red', 'agon:', process.stderr)} ${sanitize(line.replace(/(?<!\s)\s*\n\s*/g, ' '))}\n`);
  if (process.env['AGON_DEBUG']) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
}

/** What is wrong, what to do, and the code: `There is nothing to judge. Pass a text. (empty-subject)`. */
export function formatError(error: AgonError): string {
  const { message, code } = error;
  return `${message}${/[.!?)]$/.test(message) ? '' : '.'} ${hintFor(error, 'cli')} (${code})`;
}

function formatUnexpected(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `Unexpected error: ${message} Run the command again with AGON_DEBUG=1 for details, and report it. (internal)`;
}

/** Exit codes: documented in docs/ci.md and in --help. */
export const exitCodes = { judged: 0, failed: 1, usage: 2, failOn: 3, nothing: 4, stopped: 130 } as const;

/** There was nothing to judge. */
const emptyCodes = [
  'nothing-to-judge',
  'empty-subject',
  'empty-prompt',
  'empty-file',
  'empty-document',
  'empty-image',
  'empty-media',
  'empty-data',
  'empty-prompts',
];

const byCode: Readonly<Record<string, number>> = {
  'bad-flag': exitCodes.usage,
  'unknown-report-format': exitCodes.usage,
  cancelled: exitCodes.stopped,
  'nothing-judged': exitCodes.nothing,
  ...Object.fromEntries(emptyCodes.map((code) => [code, exitCodes.nothing])),
};

export function exitCodeOf(error: unknown): number {
  return (AgonError.is(error) && byCode[error.code]) || exitCodes.failed;
}

/** A command with `--allow-empty` whose input held nothing. Where nobody judged what there was, it still fails. */
export function isExpected(error: unknown, { allowEmpty }: { allowEmpty?: boolean }): error is AgonError {
  return allowEmpty === true && AgonError.is(error) && emptyCodes.includes(error.code);
}

/** Of a file of items. */
export function noItemsError(file: string): AgonError {
  return new AgonError(
    'empty-data',
    `Nothing was judged: ${nameInput(file)} holds no items.`,
    'Check where it comes from, or add --allow-empty if it may be empty.',
  );
}

export function nothingJudgedError(file: string): AgonError {
  return new AgonError(
    'nothing-judged',
    `Nothing was judged: no item of ${nameInput(file)} has a verdict.`,
    'See above why each of them failed.',
  );
}

function nameInput(file: string): string {
  return file === '-' ? 'standard input' : file;
}

let readerGone = false;

/**
 * A reader that goes away (`| head -1`) ends the command silently, a full disk ends it with one line. The command ends
 * as by Ctrl-C and not at once: a model that is being loaded would crash the process.
 */
export function endWithOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (readerGone) return;
    const reason = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
    if (error.code !== 'EPIPE')
      printError(
        new AgonError(
          'cannot-write',
          `Standard output cannot be written: ${reason}.`,
          'Free some space, or redirect the output.',
        ),
      );
    readerGone = true;
    process.exitCode = exitCodes.failed;
    process.on('exit', () => (process.exitCode = exitCodes.failed));
    process.emit('SIGINT');
    setTimeout(() => process.exit(), longestFarewell).unref();
  });
  process.stderr.on('error', () => {}); // Nobody is left to read it.
}

const longestFarewell = 10_000;
