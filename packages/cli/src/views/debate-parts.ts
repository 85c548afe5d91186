import { isObservation, type CaseFile } from '@agonhq/engine/debate';
import { shorten, toOneLine } from '@agonhq/engine/text';
import { formatInteger } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';
import type { RiskView } from '@agonhq/engine/view';
import { padLine, wrapText } from '../terminal/table.ts';
import type { DebateState, ShownTurn } from './debate-state.ts';

/** A part of the view; a part that is `done` no longer changes. */
export interface PrintedBlock {
  lines: string[];
  done: boolean;
}

/** What is judged: each source with its origin and its beginning. */
export function printCase(title: string, sources: CaseFile['sources'], width: number): PrintedBlock {
  const lines = sources.flatMap((source) => {
    const origin = isObservation(source) ? `${source.id} by ${source.tool}` : source.id;
    const [first = '', ...rest] = wrapText(sanitize(excerptText(source.text)), width - 4);
    return [
      ...wrapText(sanitize(origin), width - 4).map((line) => `  ${style('dim', line)}`),
      ...[first, ...rest].slice(0, 6).map((line) => `  ${line}`),
    ];
  });
  return { lines: [...wrapText(style('bold', sanitize(title)), width), ...lines, ''], done: true };
}

function excerptText(text: string): string {
  return shorten(toOneLine(text), 400, ` … (${formatInteger(text.length)} characters)`);
}

/** A seat that speaks alone; `extra` are further paragraphs of its statement. */
export function renderSpeaker(
  title: string,
  shown: ShownTurn,
  width: number,
  extra: readonly string[] = [],
): PrintedBlock {
  const lines = [shown.statement || 'thinking …', ...extra]
    .flatMap((text) => wrapText(sanitize(text), width - 4))
    .map((line) => `  ${line}`);
  const facts = [shown.key.split('/').slice(0, -1).join('/'), sanitize(shown.reasoner), ...listMarks(shown)].filter(
    Boolean,
  );
  const heading = `${style('bold', title)} ${style('dim', facts.join(' · '))}`;
  return { lines: [...wrapText(heading, width), ...lines, ''], done: shown.turn !== null };
}

/** In a terminal narrower than this, speakers stand one below the other. */
const narrowest = 48;
const gap = ' │ ';

/** Those who speak at once, in columns where there is room. */
export function renderColumns(speakers: readonly ((column: number) => string[])[], width: number): string[] {
  if (width < narrowest) return speakers.flatMap((speaker) => speaker(width - 2));
  const column = Math.floor((width - gap.length * (speakers.length - 1) - 2) / Math.max(speakers.length, 1));
  const columns = speakers.map((speaker) => speaker(column));
  const height = Math.max(0, ...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row) =>
    columns.map((lines) => padLine(lines[row] ?? '', column)).join(style('dim', gap)),
  );
}

/** Two in a row, with `between` from row to row. */
export function renderPairs(
  turns: readonly ShownTurn[],
  width: number,
  render: (shown: ShownTurn, column: number) => string[],
  between: readonly string[] = [''],
): string[] {
  const pairs = Array.from({ length: Math.ceil(turns.length / 2) }, (_, row) => turns.slice(row * 2, row * 2 + 2));
  return pairs.flatMap((pair, index) => [
    ...(index > 0 ? between : []),
    ...renderColumns(
      pair.map((shown) => (column: number) => render(shown, column)),
      width,
    ),
  ]);
}

/** A turn in its column: who speaks, what is said, the `points` that are made, what is quoted. */
export function printTurn(
  shown: ShownTurn,
  width: number,
  heading: readonly string[],
  points: readonly string[] = [],
): string[] {
  return [
    ...heading,
    ...wrapText([sanitize(shown.reasoner), ...listMarks(shown)].join(' · '), width).map((line) => style('dim', line)),
    ...wrapText(sanitize(shown.statement), width),
    ...points,
    ...renderQuotes(shown, width),
  ];
}

/** Judges who do not debate: a single one, or votes. */
export function renderVotes(state: DebateState, votes: readonly ShownTurn[], rows: readonly string[]): PrintedBlock[] {
  if (votes.length === 0) return [];
  return [
    {
      lines: [style('bold', votes.length === 1 ? 'Judge' : 'Votes'), ...rows.map((row) => `  ${row}`.trimEnd()), ''],
      done: state.computed.some(({ name }) => name === 'adjudication'),
    },
  ];
}

/** The rows of a round under its heading. */
export function renderRound(
  heading: { round: number; note: string },
  rows: readonly string[],
  width: number,
  done: boolean,
): PrintedBlock {
  return {
    lines: [
      ...wrapText(`${style('bold', `Round ${heading.round}`)}${style('dim', heading.note)}`, width),
      ...rows.map((row) => `  ${row}`.trimEnd()),
      '',
    ],
    done,
  };
}

function renderQuotes(shown: ShownTurn, width: number): string[] {
  const quotes = (shown.turn?.evidence ?? []).map((evidence) =>
    evidence.verified ? `“${evidence.quote}”` : `“${evidence.quote}” (struck: not in any source)`,
  );
  return quotes.flatMap((quote) => wrapText(sanitize(toOneLine(quote)), width).map((line) => style('cyan', line)));
}

function listMarks(shown: ShownTurn): string[] {
  return [shown.replayed && 'recalled', shown.turn?.fallback && `no answer: ${shown.turn.fallback.reason}`].filter(
    (mark) => typeof mark === 'string',
  );
}

/** A risk as ten cells with a mark at its bar, red from there on and green below: `████┃██░░░░ 0.61 bar 0.36`. */
export function renderRisk({ value, bar, text, barText, isAbove }: RiskView): string {
  const filled = Math.round(value * 10);
  const mark = Math.round(bar * 10);
  const colour = isAbove ? 'red' : 'green';
  const cells = (from: number, to: number) =>
    style(colour, '█'.repeat(Math.max(0, Math.min(filled, to) - from))) +
    style('dim', '░'.repeat(Math.max(0, to - Math.max(filled, from))));
  return `${cells(0, mark)}┃${cells(mark, 10)} ${style(['bold', colour], text)} ${style('dim', `bar ${barText}`)}`;
}

/** A score as a bar of ten. */
export function renderBar(score: number): string {
  const filled = Math.round(score * 10);
  return `${'█'.repeat(filled)}${style('dim', '░'.repeat(10 - filled))}`;
}
