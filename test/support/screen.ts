import stringWidth from 'string-width';

const pattern = /\u001b\[(\?)?(\d*)([A-Za-z])|\r|\n|./gsu;

/**
 * A terminal as far as Agon uses one: it wraps, scrolls, moves the cursor up and erases. What scrolled away is in
 * `text` too, as in the history of a real one. Like many, it does not know joined emoji and shows their parts.
 */
export function fakeScreen({ columns = 80, rows = 24 } = {}) {
  const lines: string[][] = [[]];
  let row = 0;
  let column = 0;
  let wraps = true;
  const screen = {
    columns,
    rows,
    isTTY: true,
    on: () => screen,
    cursorHidden: false,
    written: '',
    write(text: string): boolean {
      screen.written += text;
      for (const [sequence, mark, count, command] of text.matchAll(pattern)) {
        if (command) control(command, Number(count || 1), mark === '?');
        else if (sequence === '\r') column = 0;
        else if (sequence === '\n') newLine();
        else put(sequence);
      }
      return true;
    },
    text: () =>
      lines
        .map((cells) => cells.join('').trimEnd())
        .join('\n')
        .trimEnd(),
  };
  return screen;

  function put(character: string): void {
    const cells = stringWidth(character);
    if (cells === 0) return;
    if (column + cells > screen.columns && !wraps) column = screen.columns - cells;
    else if (column + cells > screen.columns) newLine();
    lines[row]![column] = character;
    for (let extra = 1; extra < cells; extra++) lines[row]![column + extra] = '';
    column += cells;
    for (let at = 0; at < column; at++) lines[row]![at] ??= ' ';
  }

  function newLine(): void {
    row += 1;
    column = 0;
    lines[row] ??= [];
  }

  function control(command: string, count: number, isPrivate: boolean): void {
    if (isPrivate) {
      if (count === 25) screen.cursorHidden = command === 'l';
      if (count === 7) wraps = command === 'h';
      return;
    }
    if (command === 'A') row = Math.max(row - count, lines.length - screen.rows, 0);
    else if (command === 'K') lines[row]!.length = column;
    else if (command === 'J') {
      lines[row]!.length = column;
      lines.length = row + 1;
    } else if (command !== 'm') throw new Error(`The fake screen does not know ${command}.`);
  }
}
