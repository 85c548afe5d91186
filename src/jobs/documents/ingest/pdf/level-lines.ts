import { isValue } from './split-cells.ts';
import { overlap, right } from './geometry.ts';
import { joinSegments, type Line } from './build-lines.ts';

/** Nearer than half a line, in sizes of the font, letters would stand on each other. */
const tooNear = 0.5;
const mark = /^(?:[$€£¥₹()%*†‡]+|(?:\(\w{1,2}\)\s?)+)$/u;

/** Numbers and marks set a little off beside their label are on its line. */
export function joinLevelLines(lines: readonly Line[]): Line[] {
  const level: Line[] = [];
  let top = -Infinity;
  for (const line of lines) {
    const above = level.at(-1);
    const isNear = above && line.baseline - top < tooNear * Math.min(line.size, above.size);
    if (isNear && (isAside(above) || isAside(line)) && standApart(above, line)) {
      level[level.length - 1] = joinSegments(
        [...above.segments, ...line.segments].toSorted((one, other) => one.x - other.x),
      );
    } else {
      level.push(line);
      top = line.baseline;
    }
  }
  return level;
}

function isAside({ segments }: Line): boolean {
  return segments.every(({ text }) => isValue(text) || mark.test(text));
}

function standApart(above: Line, line: Line): boolean {
  return line.segments.every((one) =>
    above.segments.every((other) => overlap(one.x, right(one), other.x, right(other)) <= 0),
  );
}
