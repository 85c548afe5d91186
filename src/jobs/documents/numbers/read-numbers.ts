import { formatBlockId, type Block, type Dossier, type ReportDocument } from '../document.ts';
import { runAtOnce, type Steps } from '../run-tasks.ts';
import type { PlacedSentence } from './checks/check-figures.ts';
import { type Grid, locateNumber } from './tables/grid.ts';
import { CellIndex } from './checks/match-cells.ts';
import { headlineMetrics, listMeasureWords } from './values/find-measures.ts';
import { findImpliedBase, scanPeriods, orderPeriod } from './values/scan-periods.ts';
import type { PlacedStatement } from './checks/draft-finding.ts';
import { readDocumentGrids } from './tables/read-grids.ts';
import { detectDecimalMark, readCellNumber, scanNumbers } from './values/scan-numbers.ts';
import { readStatements } from './statements/read-statements.ts';
import type { Quantity } from './finding.ts';

/** A dossier with its tables read and its sentences taken apart: what all checks share. */
export interface ReadNumbers {
  grids: readonly Grid[];
  index: CellIndex;
  statements: readonly PlacedStatement[];
  sentences: readonly PlacedSentence[];
  /** The words of each line of its tables that names no measure: a segment, a country, a product. */
  lines: readonly (readonly string[])[];
}

const known = new WeakMap<Dossier, ReadNumbers>();
const knownGrids = new WeakMap<ReportDocument, readonly Grid[]>();

export function readNumbers(dossier: Dossier): ReadNumbers {
  return runAtOnce(readNumbersInSteps(dossier));
}

export function* readNumbersInSteps(dossier: Dossier): Steps<ReadNumbers> {
  const already = known.get(dossier);
  if (already !== undefined) return already;
  const grids: Grid[] = [];
  for (const document of dossier.documents) grids.push(...(yield* readGridsInSteps(document)));
  const lines = listNamedLines(grids);
  const statements: PlacedStatement[] = [];
  for (const document of dossier.documents)
    for (const statement of yield* readStatementsInSteps(document, lines)) statements.push(statement);
  yield;
  const read = {
    grids,
    index: new CellIndex(grids),
    lines,
    statements,
    sentences: dossier.documents.flatMap(placeSentences),
  };
  known.set(dossier, read);
  return read;
}

export function readGrids(document: ReportDocument): readonly Grid[] {
  return runAtOnce(readGridsInSteps(document));
}

function* readGridsInSteps(document: ReportDocument): Steps<readonly Grid[]> {
  const already = knownGrids.get(document);
  if (already !== undefined) return already;
  const grids = yield* readDocumentGrids(document, detectDecimalMark(document.text));
  knownGrids.set(document, grids);
  return grids;
}

/** A long document speaks of many things: what it does not name is not guessed. */
export function isLong({ blocks, text }: ReportDocument): boolean {
  return blocks.length > 150 || text.length > 60_000;
}

function* readStatementsInSteps(
  document: ReportDocument,
  lines: readonly (readonly string[])[],
): Steps<PlacedStatement[]> {
  const mark = detectDecimalMark(document.text);
  const statements: PlacedStatement[] = [];
  let before: Block | null = null;
  let last: string | null = null;
  let topic: readonly string[] = [];
  let heading: readonly string[] = [];
  const several = isLong(document);
  for (const { block, start, text } of listSentences(document)) {
    yield;
    const found = readStatements(text, mark, several ? [] : lines);
    // A sentence without a period goes on about the one before it, or about the one in its heading.
    if (before !== block) {
      topic = [];
      heading = findContext(block, lines);
    }
    if (before !== block)
      last = block.section.length > 1 ? (scanPeriods(block.section.at(-1)!)[0]?.period ?? null) : null;
    before = block;
    // In a long report a paragraph that has named a segment goes on about it.
    const context = several && topic.length > 0 ? topic : heading;
    for (const statement of found) {
      const period = statement.period ?? (statement.base === null && block.table === undefined ? last : null);
      statements.push({
        statement: {
          ...statement,
          context: context.filter((word) => !statement.words.has(word)),
          period,
          base: statement.base ?? (period === null ? null : findImpliedBase(period)),
        },
        sentence: text,
        place: { block: formatBlockId(document, block), start: start + statement.start, end: start + statement.end },
        several,
      });
    }
    topic =
      found
        .map(({ modifiers }) =>
          lines.find((words) => words.length > 0 && words.every((word) => modifiers.includes(word))),
        )
        .find((words) => words !== undefined) ?? topic;
    last =
      found
        .flatMap(({ period }) => (period === null || period === 'previous' ? [] : [period]))
        .toSorted((left, right) => (orderPeriod(right) ?? 0) - (orderPeriod(left) ?? 0))[0] ?? last;
  }
  return statements;
}

function placeSentences(document: ReportDocument): PlacedSentence[] {
  const mark = detectDecimalMark(document.text);
  return listSentences(document).map(({ block, start, text }) => ({
    text,
    mark,
    several: isLong(document),
    placeOf: (number) => ({
      block: formatBlockId(document, block),
      start: start + number.start,
      end: start + number.end,
    }),
  }));
}

function listNamedLines(grids: readonly Grid[]): string[][] {
  const lines = grids
    .flatMap(({ rows, columns }) => [...rows, ...columns])
    .map(({ words }) => words)
    .filter((words) => words.length > 0 && words.length < 5 && !words.some((word) => headlineMetrics.has(word)));
  return [...new Map(lines.map((words) => [words.join(' '), [...words]])).values()];
}

function findContext(block: Block, lines: readonly (readonly string[])[]): readonly string[] {
  const heading = listMeasureWords(block.section.at(-1) ?? '');
  return heading.length === 0 || heading.length > 6
    ? []
    : (lines
        .filter((words) => words.every((word) => heading.includes(word)))
        .toSorted((left, right) => right.length - left.length)[0] ?? []);
}

/** The sentences of the prose, and those that stand in cells of tables. */
export function listSentences(document: ReportDocument): { block: Block; start: number; text: string }[] {
  return document.blocks.flatMap((block) => {
    if (block.kind === 'heading') return [];
    if (block.table === undefined)
      return block.sentences.map(({ start, end }) => ({
        block,
        start,
        text: document.text.slice(start, end).replace(/\s/g, ' '),
      }));
    return block.table.cells
      .filter(
        ({ text }) =>
          text.length > 30 &&
          /\p{L}+ \p{L}+ .*\d|\p{L}+ \p{L}+ \p{L}+ \p{L}+/u.test(text) &&
          readCellNumber(text) === null,
      )
      .flatMap(({ start, text }) =>
        [...text.matchAll(/.+?(?:[.!?](?=\s+\p{Lu}|\s*$)|$)/gsu)]
          .filter(([sentence]) => sentence.trim() !== '')
          .map((match) => ({ block, start: start + match.index, text: match[0] })),
      );
  });
}

/** The numbers of a document with unit, scale and period. */
export function quantitiesIn(document: ReportDocument): Quantity[] {
  const mark = detectDecimalMark(document.text);
  const fromTables = readGrids(document).flatMap((grid) =>
    grid.cells
      .filter(({ number }) => !number.dash)
      .map(({ row, column, number }): Quantity => ({
        value: number.value,
        text: number.text,
        unit: number.unit,
        precision: number.precision,
        period: number.period,
        measure: [grid.rows[row]!.group, grid.rows[row]!.label, grid.columns[column]!.label]
          .filter((text) => text !== '')
          .join(' · '),
        place: locateNumber(grid, number),
      })),
  );
  const fromText = listSentences(document).flatMap(({ block, start, text }) => {
    const periods = scanPeriods(text);
    return scanNumbers(text, mark)
      .filter(
        (number) => !number.year && !periods.some((period) => number.start < period.end && number.end > period.start),
      )
      .map((number): Quantity => {
        const factor = number.unit === '%' || number.unit === 'pp' ? 1 : (number.scale ?? 1);
        const nearest = periods.toSorted(
          (left, right) => Math.abs(left.start - number.start) - Math.abs(right.start - number.start),
        )[0];
        return {
          value: number.value * factor,
          text: number.text,
          unit: number.unit,
          precision: number.precision * factor,
          period: nearest?.period ?? null,
          measure: listMeasureWords(text).join(' '),
          place: { block: formatBlockId(document, block), start: start + number.start, end: start + number.end },
        };
      });
  });
  return [...fromTables, ...fromText].toSorted((left, right) => left.place.start - right.place.start);
}
