import { averages, comparatives, counting, negations, sums, superlatives, universal } from './operator-words.ts';
import { checkThreshold, findLimit } from './check-limits.ts';
import { checkAggregate, checkComparison, checkSuperlative } from './check-values.ts';
import { stemAll } from '@agonhq/engine/text';
import type { HeaderMention, Links, LinkedMention } from './link-claim.ts';
import type { ReadTable } from './read-table.ts';
import { findRows, formatRowCount, selectNarrowing, type AskedCells, type TableCheck } from './select-cells.ts';

/** Every reading of a claim that a table can answer. */
export function checkTable(table: ReadTable, links: Links): TableCheck[] {
  const asked: AskedCells = { table, links, stems: links.tokens.map(({ stem }) => stem) };
  return [
    checkSuperlative,
    checkComparison,
    checkThreshold,
    checkAggregate,
    checkOnly,
    checkAll,
    checkCount,
    checkLookup,
  ].flatMap((check) => check(asked) ?? []);
}

function checkOnly({ table, links, stems }: AskedCells): TableCheck | null {
  const only = stems.indexOf('only');
  if (only < 0) return null;
  const subject =
    links.mentions.filter(({ to, numeric }) => to <= only && !numeric).at(-1) ??
    links.mentions.find(({ from, numeric }) => from > only && !numeric);
  if (!subject || links.tokens.slice(only + 1, only + 3).some(({ number }) => number !== null)) return null;
  const filters = links.mentions.filter((mention) => mention !== subject);
  if (filters.length === 0) return null;
  const rows = findRows(table, filters);
  const holds = rows.length > 0 && rows.every((row) => subject.rows.has(row));
  const shown = rows.slice(0, 4).filter((row) => filters[0]!.rows.has(row));
  return { holds, rows: shown, why: `${formatRowCount(rows.length)} like that` };
}

function checkAll({ table, links, stems }: AskedCells): TableCheck | null {
  const at = stems.findIndex((stem) => universal.has(stem));
  if (at < 0 || links.mentions.length === 0) return null;
  const { mentions } = links;
  const scope = mentions.length > 1 ? findRows(table, mentions.slice(0, -1)) : Array.from(table.rows.keys());
  const asserted = mentions.at(-1)!;
  if (scope.length < 2) return null;
  const outside = scope.filter((row) => !asserted.rows.has(row));
  const why = `${outside.length} of ${scope.length} rows differ`;
  return { holds: outside.length === 0, rows: outside.slice(0, 2), why };
}

function checkCount(asked: AskedCells): TableCheck | null {
  const { table, links, stems } = asked;
  const { tokens, mentions, headers } = links;
  for (const [at, { number }] of tokens.entries()) {
    if (
      number === null ||
      !Number.isInteger(number) ||
      number > table.rows.length + 3 ||
      /^\d{4}$/.test(tokens[at]!.text)
    )
      continue;
    const within = mentions.find(({ from, to }) => from <= at && at < to);
    if (within && within.to - within.from > 1) continue;
    const previous = stems[at - 1];
    const next = stems[at + 1];
    const asks =
      (previous === 'be' && stems[at - 2] === counting.there) ||
      at === 0 ||
      previous === 'only' ||
      stems[at - 2] === 'only' ||
      next === counting.times ||
      (previous === 'in' && links.unknown.includes(at + 1)) ||
      next === 'different' ||
      (next === 'of' && stems[at + 2] === 'the') ||
      previous === 'have' ||
      counting.verbs.has(previous ?? '') ||
      comparatives.has(previous ?? '') ||
      previous === 'than' ||
      previous === 'least' ||
      (previous === 'of' && (sums.has(stems[at - 2] ?? '') || tokens[at - 2]?.number === 1));
    if (!asks) continue;
    const named = headers.find(
      ({ from }) =>
        from === at - 1 || (from < at && stems.slice(from + 1, at).every((stem) => stem === 'be' || stem === 'of')),
    );
    if (named && within?.cells.some(({ column }) => column === named.column)) continue;
    // "Both have 6 wins": a number that its column has is a value there.
    const behind = headers.find(({ from }) => from === at + 1);
    if (behind && previous === 'have' && within?.cells.some(({ column }) => column === behind.column)) continue;
    // "Is 1 of 3": the whole is what counts.
    if (next === 'of' && tokens[at + 2] !== undefined && tokens[at + 2]!.number !== null) continue;
    const isOneOf = previous === 'of' && tokens[at - 2]?.number === 1;
    const filters = selectNarrowing(
      asked,
      mentions.filter((mention) => mention !== within && !(isOneOf && mention.from < at)),
    );
    const limit = findLimit(asked, at);
    const rows = findRows(
      table,
      filters.filter(({ from, to }) => !(limit && from <= limit.bound && limit.bound < to)),
    ).filter((row) => limit?.test(row) ?? true);
    const column = headers.find(({ from }) => from > at && from <= at + 3)?.column;
    const distinct =
      column === undefined ? rows.length : new Set(rows.map((row) => table.rows[row]![column]?.cell.text)).size;
    const operator = [previous, stems[at - 2]]
      .map((stem) => comparatives.get(stem ?? ''))
      .find((direction) => direction !== undefined);
    const atLeast = stems[at - 2] === 'at' && (previous === 'least' || previous === 'most') ? previous : null;
    const fits = (count: number): boolean =>
      atLeast
        ? atLeast === 'least'
          ? count >= number
          : count <= number
        : operator === undefined
          ? count === number
          : operator === 'up'
            ? count > number
            : count < number;
    return {
      holds: (fits(rows.length) || fits(distinct)) !== (previous === 'not'),
      rows: rows.slice(0, 12).filter((row) => filters[0]?.rows.has(row) ?? true),
      why: `${formatRowCount(rows.length)} like that, ${number} stated`,
    };
  }
  return null;
}

/** `2008`, or the `09` of `2008 - 09`. */
function isYear(tokens: Links['tokens'], at: number): boolean {
  const year = /^(?:1[6-9]|20)\d\d$/;
  return year.test(tokens[at]!.text) || (/^\d\d$/.test(tokens[at]!.text) && year.test(tokens[at - 1]?.text ?? ''));
}

/** Words of a reading that asks for more than a row. */
function asksForMore(stems: readonly string[], at: number): boolean {
  return stems
    .slice(Math.max(0, at - 3), at + 3)
    .some(
      (stem) =>
        comparatives.has(stem) ||
        superlatives.has(stem) ||
        averages.has(stem) ||
        sums.has(stem) ||
        ['only', 'season', 'point'].includes(stem),
    );
}

const linking = stemAll('be as the a an play list name call');

/**
 * "Toulon is the home team", "the home team is Toulon", "plays as the away team": a name and the column it stands in.
 */
function isSaidAs({ tokens }: Links, mention: LinkedMention, header: HeaderMention): boolean {
  const [first, second] = mention.from < header.from ? [mention, header] : [header, mention];
  const between = tokens.slice(first.to, second.from).map(({ stem }) => stem);
  return between.length > 0 && between.length <= 4 && between.every((stem) => linking.has(stem));
}

/** The plainest reading: one row says everything that is named. */
function checkLookup({ table, links, stems }: AskedCells): TableCheck | null {
  const { mentions, headers } = links;
  if (mentions.length === 0) return null;
  let best = { row: -1, hit: 0 };
  const weight = (mention: LinkedMention): number => (mention.whole ? 1 : 0.6);
  for (const row of table.rows.keys()) {
    const hit = mentions.reduce((sum, mention) => sum + (mention.rows.has(row) ? weight(mention) : 0), 0);
    if (hit > best.hit) best = { row, hit };
  }
  const total = mentions.reduce((sum, mention) => sum + weight(mention), 0);
  const both = findRows(table, mentions).length > 0;
  const negated = stems.some((stem) => negations.has(stem));
  const agrees = both || best.hit >= total - 1e-9;
  // What stands in the row, but under another header than the one beside it in the claim.
  const misplaced = mentions.some((mention) => {
    const beside = mention.numeric
      ? headers.filter(({ from, to }) => Math.min(Math.abs(mention.from - to), Math.abs(from - mention.to)) <= 1)
      : headers.filter((header) => !table.columns[header.column]!.numeric && isSaidAs(links, mention, header));
    return (
      beside.length > 0 &&
      !mention.cells.some(({ row, column }) => row === best.row && beside.some((header) => header.column === column))
    );
  });
  // A number that the table does not have at all; years may stand in its title.
  const foreign = links.unknown.some(
    (at) =>
      links.tokens[at]!.number !== null &&
      !isYear(links.tokens, at) &&
      (!asksForMore(stems, at) || headers.some(({ from, to }) => from === at + 1 && to - from > 1)),
  );
  const holds = (agrees && !misplaced && !foreign) !== negated;
  const row = `row ${best.row + 1}`;
  const found = foreign ? `${row} is meant, and the number is nowhere in the table` : `${row} says all of it`;
  const nearest = misplaced ? `${row} has it under another heading` : found;
  return {
    holds,
    rows: mentions.some(({ rows }) => rows.has(best.row)) ? [best.row] : [],
    why: agrees ? nearest : `no row says all of it, and ${row} comes nearest`,
  };
}
