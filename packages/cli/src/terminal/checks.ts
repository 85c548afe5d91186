import type { Check } from '@agonhq/engine/debate';
import { sanitize, style } from './style.ts';

const marks = { ok: style('green', '✓'), wrong: style('red', '✗'), 'not-checked': style('yellow', '–') };

/** Checks, one on each line. */
export function renderChecks(checks: readonly Check[]): string[] {
  const width = Math.max(...checks.map((check) => check.name.length));
  return checks.map(({ name, outcome, detail }) => `${marks[outcome]} ${name.padEnd(width)}  ${sanitize(detail)}`);
}

/** What they come to: `The answer is valid.` */
export function renderOutcome(holds: boolean, what: string): string {
  return holds ? style('green', `${what} is valid.`) : style('red', `${what} is not valid.`);
}
