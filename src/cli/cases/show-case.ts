import stringWidth from 'string-width';
import type { Case, CaseSummary, Decision } from '../../ledger/index.ts';
import { wrapText } from '../terminal/table.ts';
import { formatMoment } from '../terminal/format.ts';
import { renderRecorded, type RecordedAnswer } from '../views/show-recorded.ts';
import { sanitize, style } from '../terminal/style.ts';
import { toOneLine } from '../../text/index.ts';

/** A case with what was decided about it since, and the trials that held it again. */
export interface WholeCase {
  record: Case;
  decisions: readonly Decision[];
  retrials: readonly CaseSummary[];
}

/** A case from the ledger for a terminal: its trial and verdict, or why there is none, then what came after. */
export function renderCaseRecord({ record, decisions, retrials }: WholeCase, width: number, quiet = false): string[] {
  return [
    ...wrapText(
      `${style('bold', `Case ${sanitize(record.id)}`)} ${style('dim', factsOf(record).map(sanitize).join(' · '))}`,
      width,
    ),
    '',
    ...(record.answer
      ? renderRecorded(record.answer as unknown as RecordedAnswer, width, quiet)
      : missingLines(record, width)),
    ...section(
      'Decisions',
      decisions.flatMap((decision) => decisionLines(decision, width)),
    ),
    ...section(
      'Held again',
      retrials.flatMap((retrial) => wrapText(retrialWords(retrial), width - 2).map((line) => `  ${line}`)),
    ),
  ];
}

function factsOf({ job, modality, openedAt, again, run }: Case): string[] {
  return [job, modality, formatMoment(openedAt), again && `${again.how} of ${again.of}`, run && `run ${run}`].filter(
    (fact) => typeof fact === 'string',
  );
}

/** What is left of a case that was forgotten, and what to do with one that was cut short. */
function missingLines({ forgottenAt, label, score, rule, categories, seal }: Case, width: number): string[] {
  const indented = (text: string) => wrapText(sanitize(text), width - 2).map((line) => `  ${line}`);
  const verdict =
    label === null
      ? []
      : indented(
          `Verdict: ${label}${score === null ? '' : ` at ${score.toFixed(2)}`}, by ${rule}${categories.length > 0 ? ` (${categories.join(', ')})` : ''}`,
        );
  if (forgottenAt === null)
    return wrapText(
      style('yellow', 'It has no verdict yet. Judge the same content again: the trial goes on where it stopped.'),
      width,
    );
  return [
    ...wrapText(
      style(
        'yellow',
        `Forgotten on ${formatMoment(forgottenAt)}: what was judged and what was said about it were taken away.`,
      ),
      width,
    ),
    ...verdict,
    ...(seal === null ? [] : indented(`Seal: ${seal}`)),
  ];
}

function decisionLines({ at, label, by, why, clause }: Decision, width: number): string[] {
  const words = [`${formatMoment(at)} ${label} by ${by}`, clause && `under ${clause}`, why].filter(Boolean).join(': ');
  return wrapText(sanitize(words), width - 2).map((line) => `  ${line}`);
}

function retrialWords({ id, again, openedAt, label, score }: CaseSummary): string {
  return sanitize(
    `${formatMoment(openedAt)} ${again?.how}: ${label ?? 'no verdict yet'}${score === null ? '' : ` ${score.toFixed(2)}`} ` +
      `· ${id}`,
  );
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', style('bold', title), ...lines];
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
export function renderCaseList(rows: readonly CaseSummary[], width: number): string[] {
  const idWidth = Math.max(...rows.map(({ id }) => id.length));
  return rows.flatMap((row) => {
    const verdict = verdictWords(row);
    const shown = row.label === null ? style('dim', verdict) : style(labelColours[row.label] ?? 'dim', verdict);
    const head = `${formatMoment(row.openedAt)}  ${shown}${' '.repeat(Math.max(0, labelWidth - verdict.length))}  ${style('cyan', row.id.padEnd(idWidth))}`;
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
  return sanitize([marks, forgottenAt === null ? toOneLine(excerpt ?? '') : '(forgotten)'].filter(Boolean).join(' '));
}

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return width < 8 ? '' : `${wrapText(text, width - 1)[0]!}…`;
}
