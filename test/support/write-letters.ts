import sharp, { type Sharp } from 'sharp';

/** Straight strokes in a cell of 4 by 6, so that no test depends on the fonts of a machine. */
const strokes: Record<string, string> = {
  A: 'M0 6L2 0L4 6M0.8 4H3.2',
  E: 'M4 0H0V6H4M0 3H3',
  H: 'M0 0V6M4 0V6M0 3H4',
  I: 'M2 0V6M1 0H3M1 6H3',
  K: 'M0 0V6M4 0L0 3.4M1.2 2.6L4 6',
  '%': 'M0.9 0A0.9 0.9 0 1 1 0.89 0M3.6 0L0.4 6M3.1 4.2A0.9 0.9 0 1 1 3.09 4.2',
  L: 'M0 0V6H4',
  M: 'M0 6V0L2.5 4L5 0V6',
  N: 'M0 6V0L4 6V0',
  T: 'M0 0H4M2 0V6',
};

/** An image in which these lines are written, in capitals. */
export function writeLetters(lines: string[], { ink = 'black', paper = 'white', unit = 8 } = {}): Sharp {
  const letters = lines.flatMap((line, row) =>
    Array.from(
      line,
      (letter, column) =>
        `<path transform="translate(${4 + column * 6.4} ${4 + row * 10})" d="${strokes[letter] ?? ''}"/>`,
    ),
  );
  const width = 8 + Math.max(...lines.map((line) => line.length)) * 6.4;
  const height = 6 + lines.length * 10;
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width * unit}" height="${height * unit}" viewBox="0 0 ${width} ${height}">
      ${paper === 'none' ? '' : `<rect width="100%" height="100%" fill="${paper}"/>`}
      <g fill="none" stroke="${ink}" stroke-width="0.8">${letters.join('')}</g></svg>`,
    ),
  );
}
