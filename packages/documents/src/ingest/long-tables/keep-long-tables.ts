import type { Dossier, ReportDocument } from '../../document.ts';
import { buildDocument } from '../build-document.ts';
import type { RawPart } from '../raw.ts';
import { cross, tabulateFigures, type Cube } from './summarize-table.ts';
import { formatAddress } from '../xlsx/format-address.ts';
import { readLongCell, type LongTable } from './collect-columns.ts';
import type { DescribedColumn } from './describe-columns.ts';
import type { Grouping } from './group-rows.ts';

/** What documents were made of, where they hold long tables: as long as they are in memory. */
const kept = new WeakMap<ReportDocument['blocks'], { parts: readonly RawPart[]; cubes: readonly Cube[] }>();

export function keepLongTables(document: ReportDocument, parts: readonly RawPart[], cubes: readonly Cube[]): void {
  kept.set(document.blocks, { parts, cubes });
}

/**
 * A dossier with what its long tables have on what its own prose and these claims name, at the end of each document.
 */
export function addNamedRows(dossier: Dossier, claims: readonly string[]): Dossier {
  if (!dossier.documents.some(({ blocks }) => kept.has(blocks))) return dossier;
  const texts = [...claims, ...dossier.documents.flatMap(listProse)];
  return {
    documents: dossier.documents.map((document) => {
      const known = kept.get(document.blocks);
      const more = known?.cubes.flatMap((cube) => findNamedRows(cube, texts)) ?? [];
      return more.length === 0 ? document : buildDocument({ ...document, parts: [...known!.parts, ...more] });
    }),
  };
}

function listProse({ text, blocks }: ReportDocument): string[] {
  return blocks
    .filter(({ kind }) => kind === 'paragraph' || (kind === 'list' && !kept.has(blocks)))
    .flatMap(({ sentences }) => sentences.map(({ start, end }) => text.slice(start, end)));
}

/** Of one table: so many rows are shown, so many names and combinations are added up. */
const most = { rows: 40, names: 20, combinations: 20 };
const longestName = 6;
const shortestName = 2;

/**
 * What a long table has on what texts name: single rows, all rows of a name, and the rows of several groups at once.
 */
function findNamedRows(cube: Cube, texts: readonly string[]): RawPart[] {
  const phrases = texts.map(listPhrases);
  const all = new Set(phrases.flatMap((one) => [...one]));
  const parts = [...cube.keys.flatMap((column) => tellNames(cube, column, all)), ...tellCombinations(cube, phrases)];
  const { sheet } = cube.table;
  return parts.map((part) => (sheet === undefined ? part : { ...part, sheet }));
}

/** Every run of a few words, without the marks around it. */
function listPhrases(text: string): ReadonlySet<string> {
  const words = text.split(/\s+/u).map(cleanName);
  const phrases = new Set<string>();
  for (let from = 0; from < words.length; from += 1)
    for (let to = from + 1; to <= Math.min(words.length, from + longestName); to += 1)
      phrases.add(words.slice(from, to).join(' '));
  return phrases;
}

function cleanName(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|(?:['’]s|(?<=[\p{L}\p{N}]))[^\p{L}\p{N}]*$/gu, '')
    .trim();
}

/** Names of rows that occur in the texts: rows of few, and what all rows of a name come to where it has several. */
function tellNames(cube: Cube, column: DescribedColumn, phrases: ReadonlySet<string>): RawPart[] {
  const rowsOf = findRows(column, phrases);
  const single = [...rowsOf.values()].flat().toSorted((a, b) => a - b);
  const several = [...rowsOf].filter(([, rows]) => rows.length > 1).slice(0, most.names);
  const parts: RawPart[] = [];
  if (single.length > 0 && single.length <= most.rows) parts.push(...showRows(cube.table, column.name, single));
  if (several.length > 0) {
    const of = new Int32Array(cube.table.rows).fill(several.length);
    for (const [at, [, rows]] of several.entries()) for (const row of rows) of[row] = at;
    const grouping = { name: column.name, labels: [...several.map(([name]) => name), 'All others'], of };
    parts.push(...tellGroups(cube, grouping));
  }
  return parts;
}

function findRows(column: DescribedColumn, phrases: ReadonlySet<string>): Map<string, number[]> {
  const { codes, numbers, values } = column;
  const named = values.map((value) => value.length >= shortestName && phrases.has(normalize(value)));
  const rows = new Map<string, number[]>();
  for (let row = 0; row < codes.length; row += 1) {
    const number = numbers[row]!;
    const isNamed = codes[row] === 0 ? !Number.isNaN(number) && phrases.has(String(number)) : named[codes[row]! - 1];
    if (!isNamed) continue;
    const name = readLongCell(column, row).text;
    const known = rows.get(name);
    if (known) known.push(row);
    else rows.set(name, [row]);
  }
  return rows;
}

function normalize(value: string): string {
  return value.split(/\s+/u).map(cleanName).join(' ');
}

function showRows({ columns, firstRow }: LongTable, name: string, rows: readonly number[]): RawPart[] {
  const header = columns.map((column) => ({ text: column.name }));
  const body = rows.map((row) =>
    columns.map((column, at) => ({
      ...readLongCell(column, row),
      ...(firstRow === null ? {} : { address: formatAddress(firstRow + row, at) }),
    })),
  );
  return [
    { kind: 'heading', level: 6, text: `Rows whose ${name} is named` },
    { kind: 'table', rows: [header, ...body], headerRows: 1, headerColumns: 1 },
  ];
}

function tellGroups(cube: Cube, grouping: Grouping): RawPart[] {
  const { years, figures } = cube;
  const byYear = years ? figures.slice(0, 2).flatMap((figure) => cross(cube, figure, grouping, years)) : [];
  return [...tabulateFigures(cube, `By ${grouping.name}, of those named`, grouping), ...byYear];
}

/** A text that names values of several groupings ("Widget", "North") speaks of the rows that have them all. */
function tellCombinations(cube: Cube, texts: readonly ReadonlySet<string>[]): RawPart[] {
  const { dimensions, years, figures, table } = cube;
  const combinations = new Map<string, { at: readonly { dimension: Grouping; group: number }[] }>();
  for (const phrases of texts) {
    const named = dimensions.flatMap((dimension) => {
      const groups = dimension.labels.flatMap((label, group) => (phrases.has(normalize(label)) ? [group] : []));
      return groups.length === 0 ? [] : [groups.map((group) => ({ dimension, group }))];
    });
    if (named.length < 2) continue;
    for (const at of combine(named))
      combinations.set(at.map(({ dimension, group }) => dimension.labels[group]).join(', '), { at });
  }
  return [...combinations].slice(0, most.combinations).flatMap(([label, { at }]) => {
    const of = Int32Array.from({ length: table.rows }, (_, row) =>
      at.every(({ dimension, group }) => dimension.of[row] === group) ? 0 : 1,
    );
    const name = at.map(({ dimension }) => dimension.name).join(' and ');
    const grouping: Grouping = { name, labels: [label, 'All others'], of };
    return years && figures.length > 0
      ? figures.slice(0, 2).flatMap((figure) => cross(cube, figure, grouping, years))
      : tabulateFigures(cube, `By ${name}, of those named`, grouping);
  });
}

function combine<Item>(lists: readonly (readonly Item[])[]): Item[][] {
  return lists.reduce<Item[][]>(
    (made, list) => made.flatMap((one) => list.map((item) => [...one, item])).slice(0, most.combinations),
    [[]],
  );
}
