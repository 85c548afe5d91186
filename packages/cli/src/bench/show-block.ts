import stringWidth from 'string-width';
import type { BenchBlock, BlockCell, BlockTable } from '@agonhq/bench';
import { shortenCharacters, toOneLine } from '@agonhq/engine/text';
import { sanitize, style } from '../terminal/style.ts';
import { fitLines, formatRow, padLine } from '../terminal/table.ts';

export interface Screen {
  isTTY?: boolean;
  columns?: number;
}

/** A table of a report. Charts are for pages: their numbers are in the tables. */
export function renderBlock({ title, lead, table, notes = [] }: BenchBlock, screen: Screen = process.stdout): string[] {
  const paragraph = (text: string) => formatRow('', text, screen).map((line) => style('dim', line));
  return [
    style('bold', title),
    ...(lead === '' ? [] : paragraph(lead)),
    ...(table ? fitLines(renderTable(table, screen), screen) : []),
    ...notes.flatMap(paragraph),
  ];
}

/** A table that is too wide is turned on its side; where that is too wide as well, some columns stand below others. */
function renderTable(table: BlockTable, { isTTY, columns = Infinity }: Screen): string[] {
  const room = isTTY ? columns : Infinity;
  const turned = turnTable(table);
  const fits = (some: BlockTable) => widthOf(drawColumns(some)) <= room;
  return !fits(table) && fits(turned)
    ? joinColumns(drawColumns(turned))
    : splitColumns(table, room).flatMap((columnsOf, place) => [...(place > 0 ? [''] : []), ...joinColumns(columnsOf)]);
}

/** Each row becomes a column below its name. */
function turnTable({ head: [corner, ...titles], rows }: BlockTable): BlockTable {
  return {
    head: [corner!, ...rows.map(([name]) => ({ ...name!, number: true }))],
    rows: titles.map((title, place) => [title, ...rows.map((row) => row[place + 1]!)]),
  };
}

type Column = readonly string[];

/** As many columns beside each other as there is room for, and the names of the rows with each lot. */
function splitColumns(table: BlockTable, room: number): Column[][] {
  const columns = drawColumns(table);
  const firstNumber = table.head.findIndex(({ number }) => number);
  const names = columns.slice(0, Math.max(1, firstNumber));
  const lots = [[...names]];
  for (const column of columns.slice(names.length)) {
    const last = lots.at(-1)!;
    if (last.length === names.length || widthOf([...last, column]) <= room) last.push(column);
    else lots.push([...names, column]);
  }
  return lots;
}

const gap = '  ';

function widthOf(columns: readonly Column[]): number {
  return stringWidth(columns.map(([title]) => title).join(gap));
}

function joinColumns(columns: readonly Column[]): string[] {
  return columns[0]!.map((_, line) =>
    columns
      .map((column) => column[line])
      .join(gap)
      .trimEnd(),
  );
}

/** The lines of each column, all of one width: words to the left, figures to the right with their intervals beside. */
function drawColumns({ head, rows }: BlockTable): Column[] {
  return head.map((title, place) => {
    const cells = rows.map((row) => row[place]!);
    const widest = Math.max(0, ...cells.map(({ detail = '' }) => stringWidth(detail)));
    const lines = [
      style('dim', writeCell(title)),
      ...cells.map((cell) =>
        widest === 0 ? writeCell(cell) : `${writeCell(cell)} ${style('dim', padLine(cell.detail ?? '', widest))}`,
      ),
    ];
    const width = Math.max(...lines.map((line) => stringWidth(line)));
    return lines.map((line) => (title.number ? padLine('', width - stringWidth(line)) + line : padLine(line, width)));
  });
}

const longestName = 40;
const mostNamed = 8;

function writeCell({ text, name, emphasis, mark, items = [] }: BlockCell): string {
  const words = sanitize(name ? shortenName(text) : text);
  const listed = items
    .slice(0, mostNamed)
    .map((item) =>
      sanitize(item.note === undefined ? shortenName(item.name) : `${shortenName(item.name)} ${item.note}`),
    );
  const more = items.length > mostNamed ? `, and ${items.length - mostNamed} more` : '';
  return [
    `${emphasise(words, emphasis)}${mark ? style('yellow', mark) : ''}`,
    ...(listed.length === 0 ? [] : [`${listed.join(', ')}${more}`]),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function shortenName(name: string): string {
  return shortenCharacters(toOneLine(name), longestName);
}

function emphasise(words: string, emphasis: BlockCell['emphasis']): string {
  if (emphasis === 'best') return style('bold', words);
  if (emphasis === 'second') return style('underline', words);
  return emphasis === 'breach' ? style('yellow', `${words} ⚑`) : words;
}
