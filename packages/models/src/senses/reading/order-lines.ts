import type { TurnedBox } from '../pixels.ts';
import type { LineRead } from './read-text.ts';

/** Pieces further apart than this many heights are in different columns. */
const widestGap = 2.2;
/** Pieces of one line are about equally high. */
const mostUneven = 2.2;

interface Placed {
  line: LineRead;
  /** Along the way most of the text runs, and across it. */
  from: number;
  to: number;
  across: number;
}

/**
 * Lines as they are read: row by row along the way most of the text runs, and in a row from its start. What stands
 * close together in a row is one line, since the detector often finds word by word.
 */
export function orderLines(pieces: readonly LineRead[]): LineRead[] {
  const angle = findMainAngle(pieces);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const placed = pieces
    .map((line): Placed => {
      const { x, y, width } = line.box;
      const along = x * cos + y * sin;
      return { line, from: along - width / 2, to: along + width / 2, across: y * cos - x * sin };
    })
    .toSorted((a, b) => a.across - b.across);
  const rows: Placed[][] = [];
  for (const next of placed) {
    const row = rows.at(-1);
    // Half a line lower is another row.
    const isSame =
      row && next.across - row.at(-1)!.across < Math.min(row.at(-1)!.line.box.height, next.line.box.height) / 2;
    if (isSame) row.push(next);
    else rows.push([next]);
  }
  return rows.flatMap((row) => joinPieces(row.toSorted((a, b) => a.from - b.from)));
}

function joinPieces(row: readonly Placed[]): LineRead[] {
  const lines: Placed[] = [];
  for (const next of row) {
    const last = lines.at(-1);
    if (last && belongTogether(last, next)) lines.splice(-1, 1, joinTwo(last, next));
    else lines.push(next);
  }
  return lines.map(({ line }) => line);
}

function belongTogether(last: Placed, next: Placed): boolean {
  const heights = [last.line.box.height, next.line.box.height];
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const isTurnedAlike = Math.cos(last.line.box.angle - next.line.box.angle) > 0.9;
  return isTurnedAlike && high / low < mostUneven && next.from - last.to < widestGap * low;
}

function joinTwo(last: Placed, next: Placed): Placed {
  const [a, b] = [last.line, next.line];
  const [shareA, shareB] = [a.text.length, b.text.length];
  const longer = shareA >= shareB ? a.box : b.box;
  const [from, to] = [Math.min(last.from, next.from), Math.max(last.to, next.to)];
  // The middle of the joint line lies between the middles of its pieces, by how wide they are.
  const weight = b.box.width / (a.box.width + b.box.width);
  const shift = (from + to) / 2 - ((last.from + last.to) / 2) * (1 - weight) - ((next.from + next.to) / 2) * weight;
  return {
    from,
    to,
    across: last.across * (1 - weight) + next.across * weight,
    line: {
      text: `${a.text} ${b.text}`,
      confidence: (a.confidence * shareA + b.confidence * shareB) / (shareA + shareB),
      words: [...a.words, ...b.words],
      box: {
        x: a.box.x * (1 - weight) + b.box.x * weight + shift * Math.cos(longer.angle),
        y: a.box.y * (1 - weight) + b.box.y * weight + shift * Math.sin(longer.angle),
        width: to - from,
        height: Math.max(a.box.height, b.box.height),
        angle: longer.angle,
      },
    },
  };
}

/** The turn that most letters have: their sum as arrows. */
function findMainAngle(lines: readonly { box: TurnedBox; text: string }[]): number {
  let [x, y] = [0, 0];
  for (const { box, text } of lines) {
    x += Math.cos(box.angle) * text.length;
    y += Math.sin(box.angle) * text.length;
  }
  return Math.atan2(y, x);
}
