import type { CatalogueCode } from './errors/index.ts';

const marker = Symbol.for('agon.error');

/**
 * A code of the catalogue (packages/engine/src/errors), or one of a job from outside, which puts its id in front:
 * `merge/no-diff`.
 */
export type ErrorCode = CatalogueCode | `${string}/${string}`;

/** Where an error is read: flags help at the command line, and operations over HTTP. */
export type Surface = 'cli' | 'api' | 'library';

/** What to do next; one text for every surface, or the library's with others where they differ. */
export type Hint = string | ({ library: string } & Partial<Record<Surface, string>>);

/** One of the things that are wrong with a file. */
export interface Issue {
  line: number;
  column: number;
  reason: string;
}

/** An error as it is written down or sent. */
export interface StoredError {
  code: string;
  message: string;
  hint: string;
}

/**
 * Every failure Agon reports: a stable `code`, one line of `message`, and a `hint` that says what to do next.
 *
 * @example
 * throw new AgonError('empty-subject', 'There is nothing to judge.', {
 *   library: 'Pass a text or an image.',
 *   cli: 'Pass a text, --image FILE or --stdin.',
 * });
 */
export class AgonError extends Error {
  readonly [marker] = true;
  readonly code: ErrorCode;
  readonly hint: string;
  /** Where the hint differs by surface: see `hintFor`. */
  readonly hints: Partial<Record<Surface, string>>;
  /** Where a file that was given is wrong, one by one; `message` says the first of them. */
  readonly issues: readonly Issue[] | undefined;

  constructor(code: ErrorCode, message: string, hint: Hint, options?: { cause?: unknown; issues?: readonly Issue[] }) {
    super(keepToOneLine(message), options);
    this.name = 'AgonError';
    this.code = code;
    this.hint = typeof hint === 'string' ? hint : hint.library;
    this.hints = typeof hint === 'string' ? {} : hint;
    this.issues = options?.issues;
  }

  /** Recognises an AgonError across copies of the package. */
  static is(value: unknown): value is AgonError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}

const longestMessage = 3_000;

/**
 * Messages quote what came from outside: it breaks no line, steers no terminal and no log, and does not go on without
 * end.
 */
function keepToOneLine(message: string): string {
  const line = message.replace(/(?:(?<!\s)\s+)?[\t\n\v\f\r\u0085\u2028\u2029]\s*/gu, ' ').replace(/\p{Cc}/gu, '\ufffd');
  return line.length > longestMessage ? `${line.slice(0, longestMessage - 1).trimEnd()}…`.toWellFormed() : line;
}

/** A flag, or another part of a command line, that cannot be as it is. */
export function badFlag(message: string, hint: string): AgonError {
  return new AgonError('bad-flag', message, hint);
}

export function hintFor({ hint, hints }: AgonError, surface: Surface): string {
  return hints[surface] ?? hint;
}

/** An error that was stored or sent. Another version may know codes that this one does not: they are kept. */
export function reviveError({ code, message, hint }: StoredError): AgonError {
  return new AgonError(isWellFormed(code) ? code : 'internal', message, hint);
}

export function isWellFormed(code: string): code is ErrorCode {
  return /^[a-z0-9-]+(\/[a-z0-9-]+)?$/.test(code);
}
