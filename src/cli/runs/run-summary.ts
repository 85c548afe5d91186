import type { Ledger, RunCounts, RunRow } from '../../ledger/index.ts';
import { count, counted, duration } from '../terminal/format.ts';
import { spendWords } from './run-view.ts';
import { plain, styled } from '../terminal/style.ts';

export interface RunEnd {
  run: RunRow;
  counts: RunCounts;
  /** How long this process was at it. */
  seconds: number;
  place: string;
  out: string | null;
  /** What else to type to look at it: where the ledger is, unless that goes without saying. */
  ledgerWords: string;
  /** Items that failed, for example. */
  failures: readonly { line: number; message: string; code: string }[];
}

/** What came of a run, and what to do next. */
export function runSummary(
  { run, counts, seconds, place, out, ledgerWords, failures }: RunEnd,
  stream: NodeJS.WriteStream = process.stderr,
): string[] {
  const { done, same, failed, byLabel, byGuard, escalated, failuresByCode, usage, expected } = counts;
  const words = `${runWord(run)}${ledgerWords}`;
  const again = Object.keys(failuresByCode).some((code) => code !== 'broken-line');
  const number = (value: number) => value.toLocaleString('en');
  const asides = [
    same > 0 && `${count(same, 'duplicate')} not judged again`,
    byGuard > 0 && `${number(byGuard)} decided by the guard`,
    escalated > 0 && `a person should look at ${number(escalated)}`,
  ];
  const right = expected.right + expected.guardRight;
  const labelled = right + expected.wrong + expected.guardWrong;
  const lines = [
    `${styled('bold', `${count(done, 'item')} judged`, stream)} in ${duration(seconds)}${done > 0 ? `: ${plain(counted(byLabel))}` : ''}`,
    asides.filter(Boolean).join(', '),
    labelled > 0 &&
      `${number(right)} of ${count(labelled, 'labelled item')} as their labels say (${((100 * right) / labelled).toFixed(1)} ` +
        '%)',
    failed > 0 && styled('yellow', `${count(failed, 'item')} failed: ${plain(counted(failuresByCode))}`, stream),
    ...failures.map(
      ({ line, message, code }) => `  line ${line}: ${plain(message.replace(/\s+/g, ' '))} (${plain(code)})`,
    ),
    failed > failures.length && failures.length > 0 && `  … all of them: agon runs export ${words} --only failed`,
    spendWords(usage).join(', '),
    `${out === null ? '' : `Results are in ${plain(out)}. `}Run ${run.name === null ? run.id : `${plain(run.name)} (${run.id})`} ` +
      `is on record in ${plain(place)}.`,
  ];
  const next = [
    `agon runs show ${words}`,
    ...(out === null ? [`agon runs export ${words} --out results.jsonl`] : []),
    ...(again ? [`agon runs retry-failed ${words}`] : []),
  ];
  return [
    ...(lines.filter((line) => typeof line === 'string' && line !== '') as string[]),
    styled('dim', `Next: ${next.join(' · ')}`, stream),
  ];
}

/** What a person calls a run on the command line. */
export function runWord({ name, id }: Pick<RunRow, 'name' | 'id'>): string {
  return name === null ? id : shellWord(name);
}

/** The flag that names the ledger again. A URL may hold a password, and is better said by the environment. */
export function ledgerWordsOf(flag: string | false | undefined): string {
  return typeof flag === 'string' && !flag.includes('://') ? ` --ledger ${shellWord(flag)}` : '';
}

/** A word as it must be typed. */
export function shellWord(word: string): string {
  return /^[\w.:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const shown = 3;

/** A few items that failed, the first ones. */
export async function someFailures(ledger: Ledger, run: string): Promise<RunEnd['failures']> {
  const items = await ledger.runs.items(run, { order: 'input', limit: shown, states: ['failed'] });
  return items.flatMap(({ position, error }) =>
    error ? [{ line: position, message: error.message, code: error.code }] : [],
  );
}
