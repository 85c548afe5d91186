import type { Block, Box, Cell, DocumentKind, ReportDocument, Sentence, Table } from '../document.ts';
import { createNarrator } from '../tables/narrate-row.ts';
import type { RawCell, RawPart } from './raw.ts';
import { detectHeaders } from './detect-headers.ts';
import { splitSentences, toOneLine, type TextRange } from '@agonhq/engine/text';
import { isTableCaption } from '../tables/classify-cell.ts';

export interface DocumentParts {
  name: string;
  kind: DocumentKind;
  /** `sha256:…` of the file's bytes. */
  hash: string;
  /** In reading order. */
  parts: readonly RawPart[];
  pages?: ReportDocument['pages'];
  notes: readonly string[];
}

const betweenBlocks = '\n\n';
const betweenRows = '\n';
const betweenCells = ' | ';

/** Lays the parts of a file out as one text with blocks that point into it; parts without a letter are left out. */
export function buildDocument({ name, kind, hash, parts, pages, notes }: DocumentParts): ReportDocument {
  const pieces: string[] = [];
  const blocks: Block[] = [];
  const headings: { level: number; text: string }[] = [];
  const kept = parts.map(trimPart).filter((part) => part !== null);
  let length = 0;
  for (const [index, part] of kept.entries()) {
    const start = blocks.length === 0 ? 0 : length + betweenBlocks.length;
    if (part.kind === 'heading') closeSections(headings, part.level ?? 1);
    const shared = {
      id: `b${blocks.length + 1}`,
      kind: part.kind,
      section: headings.map((heading) => heading.text),
      ...(part.page === undefined ? {} : { page: part.page }),
      ...(part.sheet === undefined ? {} : { sheet: part.sheet }),
      ...(part.sourceIndex === undefined ? {} : { sourceIndex: part.sourceIndex }),
      ...(part.ocr ? { ocr: true as const } : {}),
    };
    if (part.rows) {
      const { text, table } = layOutTable(part, part.rows, start, findCaption(kept, index));
      const boxes = part.boxes ?? mergeBoxes(table.cells.flatMap((cell) => cell.boxes ?? []));
      blocks.push({
        ...shared,
        start,
        end: start + text.length,
        ...optionalBoxes(boxes),
        table,
        sentences: buildRowSentences(table),
      });
      pieces.push(text);
      length = start + text.length;
      continue;
    }
    const text = part.text!;
    const boxes = part.boxes ?? mergeBoxes((part.lineBoxes ?? []).map(({ box }) => box));
    const level = part.kind === 'heading' ? { level: part.level ?? 1 } : {};
    blocks.push({
      ...shared,
      start,
      end: start + text.length,
      ...level,
      ...optionalBoxes(boxes),
      sentences: buildTextSentences(part, text, start),
    });
    if (part.kind === 'heading') headings.push({ level: part.level ?? 1, text: toOneLine(text) });
    pieces.push(text);
    length = start + text.length;
  }
  return { name, kind, hash, text: pieces.join(betweenBlocks), blocks, ...(pages ? { pages } : {}), notes };
}

/** A part without the white space around its text; null when nothing is left. */
function trimPart(part: RawPart): RawPart | null {
  if (part.rows)
    return part.rows.some((row) => row.some((cell) => cell !== null && cell.text.trim() !== '')) ? part : null;
  const text = (part.text ?? '').toWellFormed();
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (trimmed.length === text.length) return { ...part, text };
  const shift = text.length - text.trimStart().length;
  const moved = part.lineBoxes?.map((line) => ({
    start: Math.max(0, line.start - shift),
    end: Math.min(trimmed.length, line.end - shift),
    box: line.box,
  }));
  return { ...part, text: trimmed, ...(moved ? { lineBoxes: moved.filter((line) => line.end > line.start) } : {}) };
}

function closeSections(headings: { level: number }[], level: number): void {
  while (headings.length > 0 && headings.at(-1)!.level >= level) headings.pop();
}

function layOutTable(
  part: RawPart,
  rows: readonly (readonly (RawCell | null)[])[],
  offset: number,
  caption: string | null,
): { text: string; table: Table } {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const cells: Cell[] = [];
  const lines: string[] = [];
  let at = offset;
  for (const [row, rawCells] of rows.entries()) {
    const texts: string[] = [];
    if (row > 0) at += betweenRows.length;
    for (let column = 0; column < columns; column += 1) {
      const raw = column < rawCells.length ? rawCells[column]! : { text: '' };
      const text = raw === null ? '' : toOneLine(raw.text.toWellFormed());
      if (column > 0) at += betweenCells.length;
      if (raw !== null) cells.push(placeCell(raw, text, row, column, at));
      texts.push(text);
      at += text.length;
    }
    lines.push(texts.join(betweenCells));
  }
  const detected = detectHeaders(rows, columns);
  const headerRows = part.headerRows ?? detected.headerRows;
  const headerColumns = part.headerColumns ?? detected.headerColumns;
  const table: Table = {
    cells,
    rows: rows.length,
    columns,
    headerRows,
    headerColumns,
    ...(caption === null ? {} : { caption }),
  };
  return { text: lines.join(betweenRows), table };
}

function placeCell(raw: RawCell, text: string, row: number, column: number, start: number): Cell {
  const { value, span, address, boxes } = raw;
  return {
    row,
    column,
    text,
    start,
    end: start + text.length,
    ...(value === undefined ? {} : { value }),
    ...(span === undefined || (span.rows <= 1 && span.columns <= 1) ? {} : { span }),
    ...(address === undefined ? {} : { address }),
    ...optionalBoxes(boxes ?? []),
  };
}

function buildRowSentences(table: Table): Sentence[] {
  const narrate = createNarrator(table);
  const rows: Cell[][] = Array.from({ length: table.rows }, () => []);
  for (const cell of table.cells) rows[cell.row]!.push(cell);
  return rows.flatMap((cells, row): Sentence[] => {
    const told = cells.filter((cell) => cell.text !== '');
    if (told.length === 0) return [];
    const narrative = narrate(row);
    return [
      {
        start: told[0]!.start,
        end: told.at(-1)!.end,
        row,
        ...(narrative === null ? {} : { narrative }),
        ...optionalBoxes(mergeBoxes(told.flatMap((cell) => cell.boxes ?? []))),
      },
    ];
  });
}

function buildTextSentences(part: RawPart, text: string, offset: number): Sentence[] {
  const stretches =
    part.kind === 'heading'
      ? [{ start: 0, end: text.length }]
      : splitSentences(text, { linesApart: part.linesApart ?? part.kind === 'list' });
  return stretches.map((stretch) => ({
    start: offset + stretch.start,
    end: offset + stretch.end,
    ...optionalBoxes(findBoxes(stretch, part.lineBoxes ?? [])),
  }));
}

/** The part of each line's box that a stretch covers, as far as its characters tell. */
function findBoxes(stretch: TextRange, lines: NonNullable<RawPart['lineBoxes']>): Box[] {
  const boxes = lines.flatMap(({ start, end, box }): Box[] => {
    const from = Math.max(start, stretch.start);
    const to = Math.min(end, stretch.end);
    if (from >= to) return [];
    const width = box.width / (end - start);
    return [{ ...box, x: box.x + (from - start) * width, width: (to - from) * width }];
  });
  return mergeBoxes(boxes);
}

/** Boxes that follow one another on the same line become one. */
function mergeBoxes(boxes: readonly Box[]): Box[] {
  const lines: Box[] = [];
  for (const box of boxes) {
    const last = lines.at(-1);
    if (last && isSameLine(last, box)) lines[lines.length - 1] = joinBoxes(last, box);
    else lines.push(box);
  }
  return lines;
}

function isSameLine(a: Box, b: Box): boolean {
  const overlap = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return a.page === b.page && overlap > 0.5 * Math.min(a.height, b.height) && b.x >= a.x;
}

function joinBoxes(a: Box, b: Box): Box {
  const x = Math.min(a.x, b.x);
  const y = Math.min(a.y, b.y);
  return {
    page: a.page,
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

function optionalBoxes(boxes: readonly Box[]): { boxes?: readonly Box[] } {
  return boxes.length === 0 ? {} : { boxes };
}

const longest = 240;
const furthest = 3;

/** What stands right above a table and names it: a title, "in millions". Null when nothing does. */
function findCaption(parts: readonly RawPart[], index: number): string | null {
  const lines: string[] = [];
  for (let above = index - 1; above >= Math.max(0, index - furthest); above -= 1) {
    const part = parts[above]!;
    const text = toOneLine(part.text ?? '');
    if (
      part.rows ||
      part.kind === 'list' ||
      part.sheet !== parts[index]!.sheet ||
      !(part.caption || isCaption(part, text))
    )
      break;
    lines.unshift(text);
    if (part.kind === 'heading') break;
  }
  return lines.length === 0 ? null : lines.join(' ');
}

function isCaption(part: RawPart, text: string): boolean {
  return text.length <= longest && (part.kind === 'heading' || isTableCaption(text));
}
