import type { Box } from '../../document.ts';
import type { RawCell, RawPart } from '../raw.ts';
import type { LaidTable } from './split-cells.ts';
import { orderByColumns } from './order-columns.ts';
import { findRuledTables, addHeadingsAbove } from './find-ruled-tables.ts';
import { within, type Area } from './geometry.ts';
import { buildLines, joinRuns, buildSegments, type PdfLine, type Segment } from './build-lines.ts';
import type { PageLayout } from './read-page.ts';
import {
  measureBullet,
  groupLines,
  rankHeading,
  type LineGroup,
  flowText,
  type Boxed,
  type PlacedText,
} from './group-lines.ts';
import { turnAreaBack, type GlyphRun } from './read-runs.ts';
import { findTables } from './find-tables.ts';

/** A part with what deciding between pages needs. */
export interface PagePart {
  part: RawPart;
  /** Of a heading: how it is set, larger for a heading further out. */
  style?: number;
}

type OnPage = (Segment | LaidTable) & { words: number | null };

/** The parts of a page in reading order. Lines in `running` are left out. */
export function buildPageParts(
  page: PageLayout,
  running: ReadonlySet<PdfLine>,
  bodySize: number,
  vocabulary: ReadonlySet<string>,
): PagePart[] {
  const left = new Set(
    page.lines.filter((line) => running.has(line)).flatMap((line) => line.segments.flatMap((segment) => segment.runs)),
  );
  // Running lines were found among lines that raise marks, which copies runs: those are told by their place.
  const leftAt = new Set([...left].map(placeKey));
  const runs = left.size === 0 ? page.runs : page.runs.filter((run) => !leftAt.has(placeKey(run)));
  const { tables, rest } = findRuledTables(runs, page.rules);
  const things: OnPage[] = [
    ...buildSegments(rest).map((segment) => ({
      ...segment,
      words: segment.text.split(' ').length,
      baseline: segment.runs[0]!.baseline,
      isWorded: /\p{L}{2}/u.test(segment.text),
    })),
    ...tables.map((table) => ({ ...table, words: null })),
  ];
  const box: Boxed = (area) => placeBox(page, area);
  const parts = orderByColumns(things).flatMap((region) => buildRegionParts(region, page, box, bodySize, vocabulary));
  const aside = page.aside.map((run): PagePart => {
    const area = { page: page.number, ...roundArea(within(run, page)) };
    return {
      part: {
        kind: 'paragraph',
        text: run.text,
        page: page.number,
        lineBoxes: [{ start: 0, end: run.text.length, box: area }],
      },
    };
  });
  const all = [...parts, ...aside];
  return page.ocr ? all.map(({ part, ...more }) => ({ part: { ...part, ocr: true as const }, ...more })) : all;
}

function placeKey(run: GlyphRun): string {
  return `${run.x.toFixed(1)}|${run.y.toFixed(1)}`;
}

function buildRegionParts(
  region: readonly OnPage[],
  page: PageLayout,
  box: Boxed,
  bodySize: number,
  vocabulary: ReadonlySet<string>,
): PagePart[] {
  const tables = region.filter((thing): thing is LaidTable & { words: null } => 'cells' in thing);
  const lines = buildLines(region.filter((thing): thing is Segment & { words: number } => 'runs' in thing));
  const parts: PagePart[] = [];
  // A ruled table parts the lines above it from those below.
  for (const table of [...tables.toSorted((one, other) => one.y - other.y), null]) {
    const above = table
      ? lines.splice(0, lines.findLastIndex((line) => line.y + line.height / 2 < table.y) + 1)
      : lines;
    const headed = table && addHeadingsAbove(table, above.at(-1));
    parts.push(
      ...buildLineParts(findTables(headed ? above.slice(0, -1) : above, page.rules), page, box, bodySize, vocabulary),
    );
    if (table) parts.push(buildTablePart(headed ?? table, page, box, vocabulary));
  }
  return parts;
}

function buildLineParts(
  found: readonly (PdfLine | LaidTable)[],
  page: PageLayout,
  box: Boxed,
  bodySize: number,
  vocabulary: ReadonlySet<string>,
): PagePart[] {
  const parts: PagePart[] = [];
  let lines: PdfLine[] = [];
  const flush = (): void => {
    parts.push(...buildTextParts(groupLines(lines, bodySize), page, box, vocabulary));
    lines = [];
  };
  for (const thing of found) {
    if (!('cells' in thing)) {
      lines.push(thing);
      continue;
    }
    flush();
    parts.push(buildTablePart(thing, page, box, vocabulary));
  }
  flush();
  return parts;
}

function buildTextParts(
  groups: readonly LineGroup[],
  page: PageLayout,
  box: Boxed,
  vocabulary: ReadonlySet<string>,
): PagePart[] {
  const parts: PagePart[] = [];
  let items: PlacedText[] = [];
  const flush = (): void => {
    if (items.length > 0) parts.push({ part: { kind: 'list', ...stackItems(items), page: page.number } });
    items = [];
  };
  for (const group of groups) {
    const placed = flowText(
      group.lines.map((line) => ({ line, box })),
      vocabulary,
    );
    if (group.kind === 'list-item') {
      items.push(dropBullet(placed));
      continue;
    }
    flush();
    const style = group.kind === 'heading' ? { style: rankHeading(group.lines) } : {};
    parts.push({ part: { kind: group.kind, ...placed, page: page.number }, ...style });
  }
  flush();
  return parts;
}

function dropBullet(item: PlacedText): PlacedText {
  const cut = measureBullet(item.text);
  if (cut === 0 || cut >= item.text.length) return item;
  const lineBoxes = item.lineBoxes.flatMap(({ start, end, box }) => {
    if (end <= cut) return [];
    const from = Math.max(start, cut);
    const share = (from - start) / (end - start);
    return [
      {
        start: from - cut,
        end: end - cut,
        box: { ...box, x: box.x + share * box.width, width: (1 - share) * box.width },
      },
    ];
  });
  return { text: item.text.slice(cut), lineBoxes };
}

function stackItems(items: readonly PlacedText[]): PlacedText {
  const all: PlacedText = { text: '', lineBoxes: [] };
  for (const [index, item] of items.entries()) {
    if (index > 0) all.text += '\n';
    const shift = all.text.length;
    all.text += item.text;
    all.lineBoxes.push(
      ...item.lineBoxes.map(({ start, end, box }) => ({ start: start + shift, end: end + shift, box })),
    );
  }
  return all;
}

function buildTablePart(table: LaidTable, page: PageLayout, box: Boxed, vocabulary: ReadonlySet<string>): PagePart {
  const rows: (RawCell | null)[][] = Array.from({ length: table.rows }, () =>
    Array.from({ length: table.columns }, () => ({ text: '' })),
  );
  for (const cell of table.cells) {
    const { text } = flowText(
      cell.lines.map((line) => ({ line: { segments: [joinRuns(line.runs)] }, box })),
      vocabulary,
    );
    for (let row = cell.row; row < cell.row + cell.rows; row += 1)
      for (let column = cell.column; column < cell.column + cell.columns; column += 1) rows[row]![column] = null;
    rows[cell.row]![cell.column] = {
      text: tidyCell(text),
      ...(cell.rows > 1 || cell.columns > 1 ? { span: { rows: cell.rows, columns: cell.columns } } : {}),
      boxes: cell.lines.map((line) => box(line)),
    };
  }
  return { part: { kind: 'table', rows, page: page.number, boxes: [box(table)] } };
}

/** "$ 4,756" and "( 39 )" are set apart only to line up. */
function tidyCell(text: string): string {
  return text
    .replace(/(?<![\s.…_])(?:\s*[.…_]){4,}\s*$/u, '')
    .replace(/^((?:[A-Z]{2,3})?[$€£¥₹])\s+(?=[\d(—–-])/u, '$1')
    .replace(/\(\s+(?=[\d$])/u, '(')
    .replace(/(?<=\d)\s+(?=[)%])/u, '')
    .replace(/\)\s+%$/u, ')%');
}

function placeBox(page: PageLayout, area: Area): Box {
  return { page: page.number, ...roundArea(within(turnAreaBack(area, page.turned, page), page)) };
}

/** Hundredths of a point, and never past the edge by rounding. */
function roundArea({ x, y, width, height }: Area): Area {
  const floor = (value: number): number => Math.floor(value * 100) / 100;
  return { x: floor(x), y: floor(y), width: floor(width), height: floor(height) };
}
