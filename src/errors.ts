const marker = Symbol.for('agon.error');

/** One of the things that are wrong with a file. */
export interface Issue {
  line: number;
  column: number;
  reason: string;
}

/**
 * Every failure Agon reports: a stable `code`, one line of `message`, and a `hint` that says what to do next.
 *
 * @example throw new AgonError('empty-subject', 'There is nothing to judge.', 'Pass a text, --image FILE or --stdin.')
 */
export class AgonError extends Error {
  readonly [marker] = true;
  readonly code: string;
  readonly hint: string;
  /** Where a file that was given is wrong, one by one; `message` says the first of them. */
  readonly issues: readonly Issue[] | undefined;

  constructor(code: string, message: string, hint: string, options?: { cause?: unknown; issues?: readonly Issue[] }) {
    super(message, options);
    this.name = 'AgonError';
    this.code = code;
    this.hint = hint;
    this.issues = options?.issues;
  }

  /** Recognises an AgonError across copies of the package. */
  static is(value: unknown): value is AgonError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}
