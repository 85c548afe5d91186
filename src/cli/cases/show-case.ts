import stringWidth from 'string-width';
import type { Case, CaseSummary, Decision } from '../../ledger/index.ts';
import { wrap } from '../terminal/table.ts';
import { momentWords } from '../terminal/format.ts';
import { recordedLines, type Recorded } from '../views/show-recorded.ts';
import { plain, styled } from '../terminal/style.ts';

/** A case with what was decided about it since, and the trials that held it again. */
export interface WholeCase {
  record: Case;
  decisions: readonly Decision[];
  retrials: readonly CaseSummary[];
}

/** A case from the ledger for a terminal: its trial and verdict, or why there is none, then what came after. */
export function caseLines({ record, decisions, retrials }: WholeCase, width: number, quiet = false): string[] {
  return [
    ...wrap(
      `${styled('bold', `Case ${plain(record.id)}`)} ${styled('dim', factsOf(record).map(plain).join(' · '))}`,
      width,
    ),
    '',
    ...(record.answer
      ? recordedLines(record.answer as unknown as Recorded, width, quiet)
      : missingLines(record, width)),
    ...section(
      'Decisions',
      decisions.flatMap((decision) => decisionLines(decision, width)),
    ),
    ...section(
      'Held again',
      retrials.flatMap((retrial) => wrap(retrialWords(retrial), width - 2).map((line) => `  ${line}`)),
    ),
  ];
}

function factsOf({ job, modality, openedAt, again, run }: Case): string[] {
  return [job, modality, momentWords(openedAt), again && `${again.how} of ${again.of}`, run && `run ${run}`].filter(
    (fact) => typeof fact === 'string',
  );
}

/** What is left of a case that was forgotten, and what to do with one that was cut short. */
function missingLines({ forgottenAt, label, score, rule, categories, seal }: Case, width: number): string[] {
  const indented = (text: string) => wrap(plain(text), width - 2).map((line) => `  ${line}`);
  const verdict =
    label === null
      ? []
      : indented(
          `Verdict: ${label}${score === null ? '' : ` at ${score.toFixed(2)}`}, by ${rule}${categories.length > 0 ? ` (${categories.join(', ')})` : ''}`,
        );
  if (forgottenAt === null)
    return wrap(
      styled('yellow', 'It has no verdict yet. Judge the same content again: the trial goes on where it stopped.'),
      width,
    );
  return [
    ...wrap(
      styled(
        'yellow',
        `Forgotten on ${momentWords(forgottenAt)}: what was judged and what was said about it were taken away.`,
      ),
      width,
    ),
    ...verdict,
    ...(seal === null ? [] : indented(`Seal: ${seal}`)),
  ];
}

function decisionLines({ at, label, by, why, clause }: Decision, width: number): string[] {
  const words = [`${momentWords(at)} ${label} by ${by}`, clause && `under ${clause}`, why].filter(Boolean).join(': ');
  return wrap(plain(words), width - 2).map((line) => `  ${line}`);
}

function retrialWords({ id, again, openedAt, label, score }: CaseSummary): string {
  return plain(
    `${momentWords(openedAt)} ${again?.how}: ${label ?? 'no verdict yet'}${score === null ? '' : ` ${score.toFixed(2)}`} ` +
      `· ${id}`,
  );
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', styled('bold', title), ...lines];
}

const labelColours: Record<string, 'red' | 'green' | 'yellow'> = {
  unsafe: 'red',
  safe: 'green',
  undecided: 'yellow',
  negative: 'red',
  positive: 'green',
  mixed: 'yellow',
};
const labelWidth = 'undecided 0.00'.length;

/** Less room than this for how a case begins, and it goes below. */
const leastRoom = 32;

/** One line for each case: when, the verdict, its id, how it begins; two where the terminal is narrow. */
export function caseRows(rows: readonly CaseSummary[], width: number): string[] {
  const idWidth = Math.max(...rows.map(({ id }) => id.length));
  return rows.flatMap((row) => {
    const verdict = verdictWords(row);
    const shown = row.label === null ? styled('dim', verdict) : styled(labelColours[row.label] ?? 'dim', verdict);
    const head = `${momentWords(row.openedAt)}  ${shown}${' '.repeat(Math.max(0, labelWidth - verdict.length))}  ${styled('cyan', row.id.padEnd(idWidth))}`;
    const room = width - stringWidth(head) - 2;
    return room < leastRoom
      ? [head.trimEnd(), `  ${cut(beginning(row), width - 2)}`]
      : [`${head}  ${cut(beginning(row), room)}`.trimEnd()];
  });
}

function verdictWords({ label, score, forgottenAt }: CaseSummary): string {
  if (label === null) return forgottenAt === null ? 'no verdict yet' : 'forgotten';
  return `${label}${score === null ? '' : ` ${score.toFixed(2)}`}`;
}

function beginning({ excerpt, forgottenAt, again, escalate }: CaseSummary): string {
  const marks = [again && `(${again.how})`, escalate && '(a person should look)'].filter(Boolean).join(' ');
  return plain(
    [marks, forgottenAt === null ? (excerpt ?? '').replace(/\s+/g, ' ') : '(forgotten)'].filter(Boolean).join(' '),
  );
}

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return width < 8 ? '' : `${wrap(text, width - 1)[0]!}…`;
}
