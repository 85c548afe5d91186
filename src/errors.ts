const marker = Symbol.for('agon.error');

/**
 * Every failure Agon reports: a stable `code`, one line of `message`, and a `hint` that says what to do next.
 *
 * @example throw new AgonError('empty-subject', 'There is nothing to judge.', 'Pass a text, --image FILE or --stdin.')
 */
export class AgonError extends Error {
  readonly [marker] = true;
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AgonError';
    this.code = code;
    this.hint = hint;
  }

  /** Recognises an AgonError across copies of the package. */
  static is(value: unknown): value is AgonError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}
