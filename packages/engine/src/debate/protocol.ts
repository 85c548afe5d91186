import type { CaseFile } from './case-file.ts';
import type { Seat } from './reasoner.ts';
import type { Step, Transcript } from './transcript.ts';

/** What a computed step is given. */
export interface ComputeInput<Case extends CaseFile = CaseFile> {
  caseFile: Case;
  transcript: Transcript;
  round: number | null;
  signal: AbortSignal;
}

/** Who speaks when, as data. */
export type Protocol<Case extends CaseFile = CaseFile> =
  | { kind: 'turn'; seat: Seat<Case> }
  | { kind: 'together'; steps: readonly Protocol<Case>[] }
  | { kind: 'in-order'; steps: readonly Protocol<Case>[] }
  | { kind: 'rounds'; max: number; until: Until; step: Protocol<Case> }
  | { kind: 'compute'; name: string; parameters: unknown; compute: (input: ComputeInput<Case>) => unknown };

/** A stop reason, or nothing: the rounds go on. */
export type Until = (transcript: Transcript) => string | undefined;

/** One seat speaks. */
export function turn<Case extends CaseFile>(seat: Seat<Case>): Protocol<Case> {
  return { kind: 'turn', seat };
}

/** They speak at once; none sees what the others say in this step. */
export function together<Case extends CaseFile>(...steps: Protocol<Case>[]): Protocol<Case> {
  return { kind: 'together', steps };
}

/** One after the other, each in view of those before it. */
export function inOrder<Case extends CaseFile>(...steps: Protocol<Case>[]): Protocol<Case> {
  return { kind: 'in-order', steps };
}

/** The same step again, at most `max` times, until `until` gives a stop reason. */
export function rounds<Case extends CaseFile>(
  options: { max: number; until?: Until },
  step: Protocol<Case>,
): Protocol<Case> {
  return { kind: 'rounds', max: options.max, until: options.until ?? (() => undefined), step };
}

/**
 * Code in the transcript. `parameters` is everything the function depends on besides the case file and the
 * transcript: when it changes, the entry is computed anew instead of being recalled.
 */
export function compute<Value, Case extends CaseFile>(
  { name }: Step<Value>,
  fn: (input: ComputeInput<Case>) => Value | Promise<Value>,
  parameters: unknown = null,
): Protocol<Case> {
  return { kind: 'compute', name, compute: fn, parameters };
}
