import { blockId, type Block, type ReportDocument } from '../document.ts';
import type { PlacedStatement } from './check-statements.ts';
import type { Quantity } from './finding.ts';
import { gridsOf, placeOf, type Grid } from './grid.ts';
import { measureWords, metricWords } from './measure-words.ts';
import { scanPeriods, timeOf, yearBefore } from './periods.ts';
import { decimalMarkOf, numberOfCell, scanNumbers } from './scan-numbers.ts';
import { statementsIn } from './statements.ts';

/** A document with its tables read and its sentences taken apart: what all checks share. */
export interface ReadNumbers {
  document: ReportDocument;
  grids: readonly Grid[];
  statements: readonly PlacedStatement[];
}

const known = new WeakMap<ReportDocument, ReadNumbers>();

export function readNumbers(document: ReportDocument): ReadNumbers {
  const already = known.get(document);
  if (already !== undefined) return already;
  const mark = decimalMarkOf(document.text);
  const grids = gridsOf(document, mark);
  const named = linesNamed(grids);
  const statements: PlacedStatement[] = [];
  let before: Block | null = null;
  let last: string | null = null;
  let topic: readonly string[] = [];
  const several = document.blocks.length > 150;
  for (const { block, start, text } of sentencesOf(document)) {
    const found = statementsIn(text, mark);
    // A sentence without a period goes on about the one before it, or about the one in its heading.
    if (before !== block) topic = [];
    if (before !== block) last = block.section.length > 1 ? (scanPeriods(block.section.at(-1)!)[0]?.period ?? null) : null;
    before = block;
    // In a long report a paragraph that has named a segment goes on about it.
    const context = several && topic.length > 0 ? topic : contextOf(block, named);
    for (const statement of found) {
      const period = statement.period ?? (statement.base === null && block.table === undefined ? last : null);
      statements.push({
        statement: {
          ...statement, context: context.filter((word) => !statement.words.has(word)), period,
          base: statement.base ?? (period === null ? null : yearBefore(period)),
        },
        sentence: text, place: { block: blockId(document, block), start: start + statement.start, end: start + statement.end }, several,
      });
    }
    topic = found.map(({ modifiers }) => named.find((words) => words.length > 0
      && words.every((word) => modifiers.includes(word)))).find((words) => words !== undefined)
      ?? topic;
    last = found.flatMap(({ period }) => (period === null || period === 'previous'
      ? []
      : [period])).toSorted((left, right) => (timeOf(right) ?? 0) - (timeOf(left) ?? 0))[0]
      ?? last;
  }
  const read = { document, grids, statements };
  known.set(document, read);
  return read;
}

/** The words of each line of a table that names no measure: a segment, a country, a product. */
function linesNamed(grids: readonly Grid[]): string[][] {
  const lines = grids.flatMap(({ rows, columns }) => [...rows, ...columns]).map(({ words }) => words).filter((words) => words.length > 0
    && words.length < 5
    && !words.some((word) => metricWords.has(word)));
  return [...new Map(lines.map((words) => [words.join(' '), [...words]])).values()];
}

function contextOf(block: Block, named: readonly string[][]): string[] {
  const heading = measureWords(block.section.at(-1) ?? '');
  return heading.length === 0 || heading.length > 6
    ? []
    : (named.filter((words) => words.every((word) => heading.includes(word))).toSorted((left, right) => right.length - left.length)[0] ?? []);
}

/** The sentences of the prose, and those that stand in cells of tables. */
function sentencesOf(document: ReportDocument): { block: Block; start: number; text: string }[] {
  return document.blocks.flatMap((block) => {
    if (block.kind === 'heading') return [];
    if (block.table === undefined) return block.sentences.map(({ start, end }) => ({ block, start, text: document.text.slice(start, end) }));
    return block.table.cells.filter(({ text }) => text.length > 30
      && /\p{L}+ \p{L}+ .*\d|\p{L}+ \p{L}+ \p{L}+ \p{L}+/u.test(text)
      && numberOfCell(text) === null)
      .flatMap(({ start, text }) => [...text.matchAll(/.+?(?:[.!?](?=\s+\p{Lu}|\s*$)|$)/gsu)].filter(([sentence]) => sentence.trim() !== '').map((match) => ({ block, start: start + match.index, text: match[0] })));
  });
}

/**
 * The numbers of a document with unit, scale and period.
 *
 * ```ts
 * quantitiesIn(report).filter(({ measure }) => measure.includes('Revenue'));
 * ```
 */
export function quantitiesIn(document: ReportDocument): Quantity[] {
  const { grids } = readNumbers(document);
  const mark = decimalMarkOf(document.text);
  const fromTables = grids.flatMap((grid) => grid.cells.filter(({ number }) => !number.dash).map(({ row, column, number }): Quantity => ({
    value: number.value, text: number.text, unit: number.unit, precision: number.precision, period: number.period,
    measure: [
      grid.rows[row]!.group, grid.rows[row]!.label, grid.columns[column]!.label,
    ].filter((text) => text !== '').join(' · '), place: placeOf(grid, number),
  })));
  const fromText = sentencesOf(document).flatMap(({ block, start, text }) => {
    const periods = scanPeriods(text);
    return scanNumbers(text, mark).filter((number) => !number.year
      && !periods.some((period) => number.start < period.end && number.end > period.start)).map((number): Quantity => {
      const factor = number.unit === '%' || number.unit === 'pp' ? 1 : (number.scale ?? 1);
      const nearest = periods.toSorted((left, right) => Math.abs(left.start - number.start) - Math.abs(right.start - number.start))[0];
      return {
        value: number.value * factor, text: number.text, unit: number.unit, precision: number.precision * factor,
        period: nearest?.period ?? null, measure: measureWords(text).join(' '),
        place: { block: blockId(document, block), start: start + number.start, end: start + number.end },
      };
    });
  });
  return [...fromTables, ...fromText].toSorted((left, right) => left.place.start - right.place.start);
}
