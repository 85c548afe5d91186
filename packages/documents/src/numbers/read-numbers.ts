import { formatBlockId, type Block, type Dossier, type ReportDocument } from '../document.ts';
import { runAtOnce, type Steps } from '../run-tasks.ts';
import type { PlacedSentence } from './checks/check-figures.ts';
import { type Grid, locateNumber } from './tables/grid.ts';
import { listMeasureWords } from './values/find-measures.ts';
import { scanPeriods } from './values/scan-periods.ts';
import { readDocumentGrids } from './tables/read-grids.ts';
import { detectDecimalMark, readCellNumber, scanNumbers } from './values/scan-numbers.ts';
import { indexProse, type ProseIndex } from './checks/check-prose.ts';
import type { Quantity } from './finding.ts';
import { placeInContext, TableIndex, type SpokenSentence } from './programs/index.ts';

/** A dossier with its tables read and its sentences taken apart: what all checks share. */
export interface ReadNumbers {
  grids: readonly Grid[];
  sentences: readonly PlacedSentence[];
  tables: TableIndex;
  prose: ProseIndex;
  /** The sentences of the prose, with what they go on about. */
  spoken: readonly SpokenSentence[];
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
  yield;
  const spoken = dossier.documents.flatMap(listSpoken);
  yield;
  const tables = new TableIndex(grids);
  tables.learnNames(spoken);
  const read = {
    grids,
    sentences: dossier.documents.flatMap(placeSentences),
    tables,
    spoken,
    prose: yield* indexProse(spoken),
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

function listSpoken(document: ReportDocument): SpokenSentence[] {
  return [...Map.groupBy(listSentences(document), ({ block }) => block)].flatMap(([block, sentences]) =>
    placeInContext(
      sentences.map(({ start, text }) => ({
        text,
        place: { block: formatBlockId(document, block), start, end: start + text.length },
      })),
      block.section.at(-1) ?? '',
      isLong(document),
    ),
  );
}

/** Whether a line of a cell has words in a row, four of them or a number behind two. */
function isSpoken(line: string): boolean {
  const from = line.search(/\p{L} \p{L}+ /u);
  return from >= 0 && (/\d/.test(line.slice(from)) || /\p{L} \p{L}+ \p{L}+ \p{L}/u.test(line));
}

/** Nobody states a figure in a longer one; what is read of a sentence takes the square of its length. */
const longestSentence = 2_000;

/** The sentences of the prose, and those that stand in cells of tables. */
export function listSentences(document: ReportDocument): { block: Block; start: number; text: string }[] {
  return findSentences(document).filter(({ text }) => text.length <= longestSentence);
}

function findSentences(document: ReportDocument): { block: Block; start: number; text: string }[] {
  return document.blocks.flatMap((block) => {
    if (block.kind === 'heading') return [];
    if (block.table === undefined)
      return block.sentences.map(({ start, end }) => ({
        block,
        start,
        text: document.text.slice(start, end).replace(/\s/g, ' '),
      }));
    return block.table.cells
      .filter(({ text }) => text.length > 30 && text.split('\n').some(isSpoken) && readCellNumber(text) === null)
      .flatMap(({ start, text }) =>
        // Bounded: there is always a match, and the next begins where it ends.
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
