import type { CaseFile } from './case-file.ts';
import type { Seat } from './reasoner.ts';
import type { Transcript } from './transcript.ts';

export interface ComputeInput {
  caseFile: CaseFile;
  transcript: Transcript;
  round: number | null;
  signal: AbortSignal;
}

/** Who speaks when, as data. */
export type Protocol =
  | { kind: 'turn'; seat: Seat }
  | { kind: 'together'; steps: readonly Protocol[] }
  | { kind: 'in-order'; steps: readonly Protocol[] }
  | { kind: 'rounds'; max: number; until: Until; step: Protocol }
  | { kind: 'compute'; name: string; parameters: unknown; compute: (input: ComputeInput) => unknown };

/** A stop reason, or nothing: the rounds go on. */
export type Until = (transcript: Transcript) => string | undefined;

/** One seat speaks. */
export function turn(seat: Seat): Protocol {
  return { kind: 'turn', seat };
}

/** They speak at once; none sees what the others say in this step. */
export function together(...steps: Protocol[]): Protocol {
  return { kind: 'together', steps };
}

/** One after the other, each in view of those before it. */
export function inOrder(...steps: Protocol[]): Protocol {
  return { kind: 'in-order', steps };
}

/** The same step again, at most `max` times, until `until` gives a stop reason. */
export function rounds(options: { max: number; until?: Until }, step: Protocol): Protocol {
  return { kind: 'rounds', max: options.max, until: options.until ?? (() => undefined), step };
}

/**
 * Code in the transcript. `parameters` is everything the function depends on besides the case file and the
 * transcript: when it changes, the entry is computed anew instead of being recalled.
 */
export function compute(name: string, fn: (input: ComputeInput) => unknown, parameters: unknown = null): Protocol {
  return { kind: 'compute', name, compute: fn, parameters };
}
