import { overlap, right, type Area } from './geometry.ts';
import { joinRuns, type Segment } from './build-lines.ts';
import type { Run } from './read-runs.ts';
import type { Column, Row } from './find-table-columns.ts';

/** In points: how far a heading may stand off the edge of its column; less where its place is only reckoned. */
const flush = 3.5;
const reckonedFlush = 1.5;
/** Wider than the space between two words: in sizes of the font. */
const wordGap = 0.45;

/**
 * Headings of narrow columns stand as near to one another as words: they are cut where the columns part, unless those
 * are named below one by one.
 */
export function cutHeadings(row: Row, columns: readonly Column[], below: readonly Row[]): Row {
  const cells = row.cells.flatMap((cell) => {
    const touched = columns.slice(1).filter((column) => overlap(cell.x, right(cell), column.start, column.end) > 0);
    const isNamedBelow = below.some(
      (later) => later.cells.filter((one) => overlap(cell.x, right(cell), one.x, right(one)) > 0).length > 1,
    );
    if (touched.length < 2 || cell.x < columns[0]!.end) return [cell];
    const words = cell.runs.flatMap(splitRunWords);
    const pieces =
      cutAtEdges(words, touched, right, ({ end }) => end) ??
      cutAtEdges(
        words.toReversed(),
        touched.toReversed(),
        ({ x }) => x,
        ({ start }) => start,
      )?.toReversed();
    const standApart = pieces
      ?.slice(1)
      .every((piece, index) => piece.x - right(pieces[index]!) > wordGap * piece.runs[0]!.size);
    return pieces && (standApart || !isNamedBelow) ? pieces : [cell];
  });
  return { ...row, cells };
}

/**
 * The words over each column, the last of which has its edge where the column has. Null where they do not line up so.
 */
function cutAtEdges(
  words: readonly Word[],
  columns: readonly Column[],
  edgeOf: (area: Area) => number,
  edge: (column: Column) => number,
): Segment[] | null {
  const pieces: Segment[] = [];
  let from = 0;
  for (const column of columns) {
    const to = words.findIndex(
      (word, index) => index >= from && Math.abs(edgeOf(word) - edge(column)) <= (word.isWhole ? flush : reckonedFlush),
    );
    if (to < 0) return null;
    pieces.push(joinRuns(words.slice(from, to + 1).toSorted((one, other) => one.x - other.x)));
    from = to + 1;
  }
  const isBroken = pieces.some(({ text }) => /^[^(]*\)|\([^)]*$/u.test(text));
  return from === words.length && !isBroken ? pieces : null;
}

interface Word extends Run {
  /** The file says where it stands, and not only its letters. */
  isWhole: boolean;
}

/** The words of a run, and where they stand as far as their letters tell. */
export function splitRunWords(run: Run): Word[] {
  const unit = run.width / estimateWidth(run.text);
  const words = [...run.text.matchAll(/\S+/gu)];
  return words.map(({ 0: text, index }) => ({
    ...run,
    text,
    x: run.x + estimateWidth(run.text.slice(0, index)) * unit,
    width: estimateWidth(text) * unit,
    spaced: index > 0 || run.spaced,
    isWhole: words.length === 1,
  }));
}

/** How wide letters are beside one another in most fonts. */
function estimateWidth(text: string): number {
  return Array.from(text).reduce(
    (sum, letter) =>
      sum +
      (/[\siljtfrI.,:;'|!()[\]-]/u.test(letter)
        ? 0.55
        : /[mwMW%@&—]/u.test(letter)
          ? 1.5
          : /\p{Lu}/u.test(letter)
            ? 1.25
            : 1),
    0,
  );
}
