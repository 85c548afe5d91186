import type { Random } from './random.ts';
import {
  formatted,
  rounded,
  sentenceText,
  slotText,
  type ContradictionKind,
  type Report,
  type ReportBlock,
  type ReportCell,
  type Sentence,
  type Slot,
  type Truth,
} from './report.ts';

interface SentencePlace {
  block: number;
  sentence: number;
  piece: number;
  slot: Slot;
}
interface CellPlace {
  block: number;
  row: number;
  column: number;
  cell: ReportCell;
}

/** A twin of a report with one contradiction in it; null when the report has no place for one of this kind. */
export function plant(
  report: Report,
  kind: ContradictionKind,
  random: Random,
  tablesOnly = false,
): { report: Report; truth: Truth } | null {
  const slots = tablesOnly ? [] : slotsOf(report);
  const cells = cellsOf(report);
  const levels = slots.filter(({ slot }) => slot.kind === 'level');
  const inSentence = (
    places: readonly SentencePlace[],
    change: (slot: Slot) => Slot | null,
  ): { report: Report; truth: Truth } | null => {
    for (const place of random.some(places, places.length)) {
      const changed = change(place.slot);
      if (changed !== null) return withSlot(report, kind, place, changed);
    }
    return null;
  };
  const inCell = (
    places: readonly CellPlace[],
    change: (cell: ReportCell) => number,
  ): { report: Report; truth: Truth } | null => {
    const place = places.length === 0 ? null : random.pick(places);
    return place === null ? null : withCell(report, kind, place, change(place.cell));
  };
  const points = (low: number, high: number): number =>
    (random.chance(0.5) ? 1 : -1) * rounded(random.between(low, high), 3);
  const factor = (): number => 1 + (random.chance(0.5) ? 1 : -1) * random.between(0.06, 0.3);

  switch (kind) {
    case 'margin': {
      const places = cells.filter(({ cell }) => cell.part === 'margin' && cell.value! > 0.1);
      const stated = slots.filter(({ slot }) => slot.kind === 'margin' && slot.value > 0.1);
      return (
        (places.length > 0 && (stated.length === 0 || random.chance(0.6))
          ? inCell(places, (cell) => cell.value! + points(0.025, 0.09))
          : null) ??
        inSentence(stated, (slot) => rateSlot(slot, points(0.025, 0.09))) ??
        inCell(places, (cell) => cell.value! + points(0.025, 0.09))
      );
    }
    case 'total':
      return inCell(
        cells.filter(
          ({ cell }) =>
            (cell.part === 'total' || cell.part === 'component') &&
            !cell.percent &&
            Math.abs(cell.value!) >= 20 * 10 ** -cell.decimals!,
        ),
        (cell) => cell.value! * factor(),
      );
    case 'text-table':
      return inSentence(levels, (slot) => levelSlot(slot, factor()));
    case 'growth': {
      const places = cells.filter(({ cell }) => cell.part === 'growth');
      const stated = slots.filter(({ slot }) => slot.kind === 'growth');
      return (
        (random.chance(0.5) ? inCell(places, (cell) => cell.value! + points(0.03, 0.15)) : null) ??
        inSentence(stated, (slot) => rateSlot(slot, Math.abs(points(0.03, 0.12)))) ??
        inCell(places, (cell) => cell.value! + points(0.03, 0.15))
      );
    }
    case 'units':
      return inSentence(
        levels.filter(({ slot }) => slot.kind === 'level' && slot.scale !== ''),
        (slot) => unitSlot(slot, random),
      );
    case 'periods':
      return inSentence(
        slots.filter(({ block, sentence, slot }) => slot.kind === 'period' && movable(report, block, sentence)),
        (slot) =>
          slot.kind === 'period' && slot.others.length > 0 ? { ...slot, text: random.pick(slot.others) } : null,
      );
    case 'direction':
      return inSentence(
        slots.filter(({ slot }) => slot.kind === 'direction'),
        (slot) => (slot.kind === 'direction' ? { ...slot, text: slot.opposite } : null),
      );
  }
}

/** Only a sentence with one period and one level says something false when its period changes. */
function movable(report: Report, block: number, sentence: number): boolean {
  const at = report.blocks[block]!;
  if (at.kind !== 'paragraph') return false;
  const pieces = at.sentences[sentence]!.filter((piece) => typeof piece !== 'string');
  return (
    pieces.filter(({ kind }) => kind === 'period').length === 1 &&
    pieces.some(({ kind }) => kind === 'level') &&
    !pieces.some(({ kind }) => kind === 'growth')
  );
}

function rateSlot(slot: Slot, by: number): Slot | null {
  if (slot.kind !== 'growth' && slot.kind !== 'margin' && slot.kind !== 'share') return null;
  const value = rounded(Math.abs(slot.value + by), slot.decimals + 2);
  return { ...slot, value, text: slot.text.replace(/^[\d.,]+/, formatted(value * 100, slot.decimals)) };
}

function levelSlot(slot: Slot, factor: number): Slot | null {
  if (slot.kind !== 'level' || Math.abs(slot.value) < 20 * 10 ** -slot.decimals) return null;
  const value = rounded(slot.value * factor, slot.decimals);
  return { ...slot, value, number: formatted(value, slot.decimals) };
}

function unitSlot(slot: Slot, random: Random): Slot | null {
  if (slot.kind !== 'level') return null;
  if (random.chance(0.2)) return { ...slot, currency: slot.currency === '€' ? '$' : '€' };
  const other = slot.scale === 'thousand' ? ['million'] : slot.scale === 'm' ? ['bn'] : ['billion', 'thousand'];
  return { ...slot, scale: random.pick(other) };
}

function slotsOf(report: Report): SentencePlace[] {
  return report.blocks.flatMap((block, blockIndex) =>
    block.kind !== 'paragraph'
      ? []
      : block.sentences.flatMap((sentence, sentenceIndex) =>
          sentence.flatMap((piece, pieceIndex) =>
            typeof piece === 'string'
              ? []
              : [{ block: blockIndex, sentence: sentenceIndex, piece: pieceIndex, slot: piece }],
          ),
        ),
  );
}

function cellsOf(report: Report): CellPlace[] {
  return report.blocks.flatMap((block, blockIndex) =>
    block.kind !== 'table'
      ? []
      : block.table.rows.flatMap((row, rowIndex) =>
          row.cells.flatMap((cell, column) =>
            cell.value === undefined || cell.part === undefined
              ? []
              : [{ block: blockIndex, row: rowIndex, column, cell }],
          ),
        ),
  );
}

function withSlot(
  report: Report,
  kind: ContradictionKind,
  place: SentencePlace,
  slot: Slot,
): { report: Report; truth: Truth } {
  let sentence: Sentence = [];
  const blocks = report.blocks.map((block, index): ReportBlock => {
    if (index !== place.block || block.kind !== 'paragraph') return block;
    sentence = block.sentences[place.sentence]!.map((piece, at) => (at === place.piece ? slot : piece));
    return { ...block, sentences: block.sentences.map((one, at) => (at === place.sentence ? sentence : one)) };
  });
  return {
    report: { ...report, blocks },
    truth: { kind, sentence: sentenceText(sentence), before: slotText(place.slot), after: slotText(slot) },
  };
}

function withCell(
  report: Report,
  kind: ContradictionKind,
  place: CellPlace,
  wanted: number,
): { report: Report; truth: Truth } {
  const { cell } = place;
  const decimals = cell.decimals! + (cell.percent ? 2 : 0);
  const value = rounded(wanted, decimals);
  const digits = formatted(Math.abs(cell.percent ? value * 100 : value), cell.decimals!);
  const flipped = Math.sign(value) !== Math.sign(cell.value!) && cell.value !== 0;
  const bare = flipped ? cell.text.replace(/[-()+]/g, '') : cell.text;
  const text = `${flipped && value < 0 ? '-' : ''}${bare.replace(/[\d.,]+/, digits)}`;
  let where = { table: '', row: '', column: '' };
  const blocks = report.blocks.map((block, index): ReportBlock => {
    if (index !== place.block || block.kind !== 'table') return block;
    const { table } = block;
    where = { table: table.title, row: table.rows[place.row]!.label, column: table.header[0]![place.column + 1]! };
    return {
      ...block,
      table: {
        ...table,
        rows: table.rows.map((row, at) =>
          at === place.row
            ? {
                ...row,
                cells: row.cells.map((one, column) => (column === place.column ? { ...cell, text, value } : one)),
              }
            : row,
        ),
      },
    };
  });
  return { report: { ...report, blocks }, truth: { kind, cell: { ...where, text }, before: cell.text, after: text } };
}
