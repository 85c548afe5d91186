import { requireJob, type Difference, type JudgeEvent } from '../../jobs/index.ts';
import type { JudgedCase, Outcome, Retrial, RetrialOptions } from '../../retrials/index.ts';
import { shorten, toOneLine } from '../../text/index.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { formatCount } from '../terminal/format.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { wrapText } from '../terminal/table.ts';
import { renderColumns } from '../views/debate-parts.ts';
import { findView } from '../views/job-view.ts';
import { watchCase } from '../views/watch-case.ts';

export interface RetrialFlags extends LedgerFlags {
  seat?: string[];
  json?: boolean;
  quiet?: boolean;
}

type StartRetrial = (options: Pick<RetrialOptions, 'signal' | 'stream'>) => AsyncGenerator<JudgeEvent, Retrial, void>;

/** Judges a case again and shows both outcomes side by side. Returns the exit code. */
export async function holdRetrial(record: JudgedCase, flags: RetrialFlags, start: StartRetrial): Promise<number> {
  const { documents = [] } = (record.content ?? {}) as { documents?: readonly { name: string }[] };
  const { result: retrial } = await watchCase(findView(requireJob(record.job)), start, {
    names: documents.map(({ name }) => name),
    silent: flags.json || flags.quiet,
  });
  printLines(flags.json ? [JSON.stringify(retrial)] : renderRetrial(retrial, readableWidth(process.stdout)));
  return exitCodes.judged;
}

const colours: Record<string, 'green' | 'red' | 'yellow'> = {
  safe: 'green',
  positive: 'green',
  unsafe: 'red',
  negative: 'red',
};

/** Both outcomes side by side, what flipped and why, and what was only recalled. */
function renderRetrial(retrial: Retrial, width: number): string[] {
  const { how, of, changes, before, after, notes } = retrial;
  const title = `${how === 'replay' ? 'Replay' : 'Appeal'} of ${of}`;
  return [
    '',
    ...wrapText(style('bold', sanitize(title)), width),
    ...(changes.length === 0 ? ['  no changes'] : changes.flatMap((change) => indentText(change, width))),
    '',
    ...renderColumns(
      [(column) => renderOutcome('Before', before, column), (column) => renderOutcome('After', after, column)],
      width - 2,
    ).map((line) => `  ${line}`.trimEnd()),
    '',
    ...renderFlip(retrial, width),
    ...renderDifferences(retrial, width),
    ...renderMemory(retrial, width),
    ...notes.flatMap((note) => wrapText(style('yellow', sanitize(`Note: ${note}`)), width)),
    ...wrapText(style('dim', sanitize(`Recorded as ${after.id}`)), width),
  ];
}

function renderOutcome(
  title: string,
  { label, score, escalate, rule, categories, models }: Outcome,
  column: number,
): string[] {
  const verdict = style(['bold', colours[label] ?? 'yellow'], label.toUpperCase());
  const points = score === null ? '' : ` ${score.toFixed(2)}`;
  const heading = `${style('dim', title)} ${verdict}${points}${escalate ? ' · needs review' : ''}`;
  const byModel = Map.groupBy(Object.entries(models), ([, model]) => model);
  const panel =
    byModel.size === 1
      ? [...byModel.keys()]
      : [...byModel].map(([model, seats]) => `${model} (${seats.map(([seat]) => seat).join(', ')})`);
  return [
    ...wrapText(heading, column),
    ...wrapText(sanitize(`${rule.id.replaceAll('-', ' ')}: ${rule.why}`), column),
    ...(categories.length > 0 ? wrapText(sanitize(`Clauses: ${categories.join(', ')}`), column) : []),
    ...panel.flatMap((seat) => wrapText(sanitize(seat), column).map((line) => style('dim', line))),
  ];
}

function renderFlip({ flipped, before, after, differences }: Retrial, width: number): string[] {
  if (flipped)
    return wrapText(style(['bold', 'yellow'], `The verdict flipped: ${before.label} became ${after.label}.`), width);
  const same = differences.length === 0 ? 'The retrial came out the same.' : `The verdict stands: ${after.label}.`;
  return wrapText(style('bold', same), width);
}

/** What is shown of one statement; the whole of it is in --json and in the case itself. */
const longestWords = 280;

function renderDifferences({ differences }: Retrial, width: number): string[] {
  if (differences.length === 0) return [];
  return ['Differences', ...differences.flatMap((difference) => renderPair(difference, width)), ''];
}

function renderPair({ at, before, after }: Difference, width: number): string[] {
  const side = (mark: string, text: string) =>
    wrapText(sanitize(shortenText(text)), width - 6).map((line, index) => `    ${index === 0 ? mark : ' '} ${line}`);
  return [
    ...wrapText(sanitize(at), width - 2).map((line) => `  ${style('cyan', line)}`),
    ...side('−', before),
    ...side('+', after),
  ];
}

function shortenText(text: string): string {
  return shorten(toOneLine(text), longestWords, ' …');
}

function renderMemory({ how, recalled, argued }: Retrial, width: number): string[] {
  if (how === 'appeal' && recalled.length === 0)
    return wrapText(`Everything was debated anew (${formatCount(argued.length, 'entry', 'entries')}).`, width);
  const named = (title: string, keys: readonly string[]) =>
    keys.length === 0 ? [] : wrapText(sanitize(`${title}: ${listKeys(keys)}`), width);
  return [...named(`Recalled (${recalled.length})`, recalled), ...named(`Debated anew (${argued.length})`, argued)];
}

function listKeys(keys: readonly string[]): string {
  const most = 12;
  return keys.length > most ? `${keys.slice(0, most).join(', ')}, … and ${keys.length - most} more` : keys.join(', ');
}

function indentText(text: string, width: number): string[] {
  return wrapText(sanitize(text), width - 2).map((line) => `  ${line}`);
}
