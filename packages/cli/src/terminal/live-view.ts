import stringWidth from 'string-width';
import type { PrintedBlock } from '../views/debate-parts.ts';

/** What the view needs of a terminal. */
export type Screen = Pick<NodeJS.WriteStream, 'write'> & { columns?: number; rows?: number };

const framesPerSecond = 12;
const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
/** Where a terminal knows these, it shows a frame all at once. */
const beginFrame = '\u001b[?2026h';
const endFrame = '\u001b[?2026l';
/** Terminals disagree on how wide some characters are: a line that comes out too long is cut, and takes one row. */
const cutLines = '\u001b[?7l';
const wrapLines = '\u001b[?7h';
const eraseLine = '\u001b[K';
const eraseBelow = '\u001b[J';

/** Redraws the part that still changes; parts that are done scroll up as ordinary output. */
export function drawLive(
  screen: Screen,
  blocksAt: (width: number) => PrintedBlock[],
): { changed(): void; end(): void } {
  let settled = 0;
  let drawn: string[] = [];
  let stale = false;
  let ended = false;
  const timer = setInterval(() => stale && draw(), 1000 / framesPerSecond);
  const restore = () => screen.write(showCursor);
  process.once('exit', restore);
  screen.write(hideCursor);

  return {
    changed() {
      stale = true;
    },
    end() {
      if (ended) return;
      ended = true;
      clearInterval(timer);
      draw();
      process.off('exit', restore);
      restore();
    },
  };

  function draw(): void {
    stale = false;
    const blocks = blocksAt(readableWidth(screen));
    const finished = takeDone(blocks.slice(settled));
    const changing = blocks.slice(settled + finished.length).flatMap((block) => block.lines);
    // The part that changes must fit, for what has scrolled away cannot be redrawn.
    const fits = changing.slice(-Math.max(1, (screen.rows ?? 24) - 2));
    const up = countRows(drawn, screen.columns ?? 80);
    const clean = finished.length > 0 ? eraseBelow : ''; // These may wrap, onto rows that still show the last frame.
    // From the first column: the ^C that a terminal echoes has moved the cursor.
    const home = `\r${up > 0 ? `\u001b[${up}A` : ''}${clean}`;
    const settledLines = formatLines(finished.flatMap((block) => block.lines));
    const changingLines = `${cutLines}${formatLines(fits)}${wrapLines}${eraseBelow}`;
    screen.write(`${beginFrame}${home}${settledLines}${changingLines}${endFrame}`);
    settled += finished.length;
    drawn = fits;
  }
}

function formatLines(lines: readonly string[]): string {
  return lines.map((line) => `${eraseLine}${line}\n`).join('');
}

/** How many rows lines take up: more than one each when the terminal was made narrower since. */
function countRows(lines: readonly string[], columns: number): number {
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);
}

function takeDone(blocks: readonly PrintedBlock[]): PrintedBlock[] {
  const open = blocks.findIndex((block) => !block.done);
  return open === -1 ? [...blocks] : blocks.slice(0, open);
}

/** The width to write for: long lines are hard to read, and a pipe has none. */
export function readableWidth(screen: { columns?: number }): number {
  return Math.min(Math.max(screen.columns ?? 100, 20), 140);
}
