import type { Ledger, RunCounts, RunRow } from '@agonhq/ledger';
import { toOneLine } from '@agonhq/engine/text';
import { printCount, formatCounts, printDuration, formatInteger, printPercent } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import { formatSpend } from './run-progress.ts';

export interface RunEnd {
  run: RunRow;
  counts: RunCounts;
  /** How long this process worked on it. */
  seconds: number;
  place: string;
  out: string | null;
  /** The --ledger flag to repeat, if one was given. */
  ledgerWords: string;
  /** The first items that failed. */
  failures: readonly { line: number; message: string; code: string }[];
}

/** What came of a run, and what to do next. */
export function renderRunSummary(
  { run, counts, seconds, place, out, ledgerWords, failures }: RunEnd,
  stream: NodeJS.WriteStream = process.stderr,
): string[] {
  const { done, same, failed, byLabel, byGuard, escalated, failuresByCode, usage, expected } = counts;
  const words = `${quoteRunName(run)}${ledgerWords}`;
  const again = Object.keys(failuresByCode).some((code) => code !== 'broken-line');
  const asides = [
    same > 0 && `${printCount(same, 'duplicate')} skipped`,
    byGuard > 0 && `${formatInteger(byGuard)} decided by the guard`,
    escalated > 0 && `${formatInteger(escalated)} need review`,
  ];
  const right = expected.right + expected.guardRight;
  const labelled = right + expected.wrong + expected.guardWrong;
  const lines = [
    `${style('bold', `${printCount(done, 'item')} judged`, stream)} in ${printDuration(seconds)}` +
      (done > 0 ? `: ${sanitize(formatCounts(byLabel))}` : ''),
    asides.filter(Boolean).join(', '),
    labelled > 0 &&
      `${formatInteger(right)} of ${printCount(labelled, 'labelled item')} match their labels ` +
        `(${printPercent(right / labelled)})`,
    failed > 0 &&
      style('yellow', `${printCount(failed, 'item')} failed: ${sanitize(formatCounts(failuresByCode))}`, stream),
    ...failures.map(({ line, message, code }) => `  line ${line}: ${sanitize(toOneLine(message))} (${sanitize(code)})`),
    failed > failures.length && failures.length > 0 && `  … all failures: agon runs export ${words} --only failed`,
    formatSpend(usage).join(', '),
    `${out === null ? '' : `Results are in ${sanitize(out)}. `}Run ` +
      `${run.name === null ? run.id : `${sanitize(run.name)} (${run.id})`} is recorded in ${sanitize(place)}.`,
  ];
  const next = [
    `agon runs show ${words}`,
    ...(out === null ? [`agon runs export ${words} --out results.jsonl`] : []),
    ...(again ? [`agon runs retry-failed ${words}`] : []),
  ];
  return [
    ...(lines.filter((line) => typeof line === 'string' && line !== '') as string[]),
    style('dim', `Next: ${next.join(' · ')}`, stream),
  ];
}

/** What a person calls a run on the command line. */
export function quoteRunName({ name, id }: Pick<RunRow, 'name' | 'id'>): string {
  return name === null ? id : quoteForShell(name);
}

/** The flag that names the ledger again, except a URL: it may hold a password and is better left to the environment. */
export function repeatLedgerFlag(flag: string | false | undefined): string {
  return typeof flag === 'string' && !flag.includes('://') ? ` --ledger ${quoteForShell(flag)}` : '';
}

/** A word as it must be typed in a shell. */
export function quoteForShell(word: string): string {
  return /^[\w.:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const shown = 3;

/** A few items that failed, the first ones. */
export async function listFirstFailures(ledger: Ledger, run: string): Promise<RunEnd['failures']> {
  const items = await ledger.runs.listItems(run, { order: 'input', limit: shown, states: ['failed'] });
  return items.flatMap(({ position, error }) =>
    error ? [{ line: position, message: error.message, code: error.code }] : [],
  );
}
