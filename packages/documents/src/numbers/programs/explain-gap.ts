import { joinWithAnd } from '@agonhq/engine/text';
import { isForecast } from '../statements/qualify-numbers.ts';
import { asserts, cutPeriods, splitStatements } from '../statements/split-statements.ts';
import { isSamePeriod, scanPeriods, type ScannedPeriod } from '../values/scan-periods.ts';
import { namesOf } from './bind-series.ts';
import { readClause, type StatementClause } from './read-clause.ts';
import type { TypedTable } from './typed-table.ts';

/*
 * Why nothing in the tables shows a statement: what it speaks of is in none, or not for its period, or not with the
 * word that narrows it down, or on two bases, or it can be read in more than one way. A sentence without a capital, to
 * stand behind others.
 */

/** What a dossier lacks to show a text; null for one that states nothing a table could show. */
export function explainGap(sentence: string, tables: readonly TypedTable[]): string | null {
  const text = splitStatements(sentence)
    .map(([from, to]) => sentence.slice(from, to))
    .find((clause) => /\d/.test(cutPeriods(clause)) && !isForecast(clause));
  if (text === undefined) return null;
  const periods = scanPeriods(text);
  const [best] = tables
    .map((table) => readClause(text, table))
    .toSorted((one, other) => other.mentions.length - one.mentions.length || one.unknown.length - other.unknown.length);
  const subject = findSubject(text);
  const nothing = `no table or other sentence gives ${subject}${sayPeriods(text, periods)}`;
  if (best === undefined || best.mentions.length === 0) return nothing;
  const named = `${nameTable(best.table)} gives ${quoteAll(namesOf(best.mentions).map((name) => name.text))}`;
  const missing = [...best.periods, ...best.bases].filter(({ period }) => !hasPeriod(best.table, period));
  if (missing.length > 0) return `${named}, but not${sayPeriods(text, missing)}`;
  if (best.narrowing.length > 0) return `${named}, but nothing of ${quoteAll(best.narrowing)}`;
  if (best.unknown.length > 0) return nothing;
  if (isOnSeveralBases(best))
    return `${named} as restated and as first reported, and which of them is meant is not said`;
  return `${named}, but what is said of it could not be computed from it, or can be read in more than one way`;
}

/** What stands before the verb, without the period that leads it in. */
function findSubject(text: string): string {
  const bare = cutPeriods(text).replace(/^\s*(?:(?:in|for|during|at|as of)\s*)?,\s*/i, '');
  const end = asserts.exec(bare.replace(/\d/g, ' '))?.index ?? 0;
  const subject = bare
    .slice(0, end)
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s,;:])[\s,;:]+$/u, '')
    .replace(/^[\s,]*(?:and\s+)?(?:(?:the|our|its|their)\s+)?/i, '');
  const words = subject.split(' ').length;
  return subject === '' || words > 8 || /\d|^(?:no|none|we|it|they)\b/i.test(subject)
    ? 'what it states'
    : `“${subject}”`;
}

function sayPeriods(text: string, periods: readonly ScannedPeriod[]): string {
  const said = [...new Set(periods.map(({ start, end }) => text.slice(start, end)))];
  return said.length === 0 ? '' : ` for ${joinWithAnd(said)}`;
}

const quoteAll = (names: readonly string[]): string =>
  [...new Set(names)]
    .slice(0, 3)
    .map((name) => `“${name}”`)
    .join(', ');

function nameTable({ grid: { block } }: TypedTable): string {
  const title = (block.table?.caption ?? '') || (block.section.at(-1) ?? '');
  return title === '' || title.length > 80 ? 'a table' : `the table “${title}”`;
}

const hasPeriod = ({ grid }: TypedTable, period: string): boolean =>
  grid.cells.some(({ number }) => number.period !== null && isSamePeriod(number.period, period));

/** A period of which the table has figures of more than one basis. */
function isOnSeveralBases({ table, periods }: StatementClause): boolean {
  const ofPeriod = table.grid.cells.filter(({ number }) =>
    periods.some(({ period }) => number.period !== null && isSamePeriod(number.period, period)),
  );
  return new Set(ofPeriod.map(({ number }) => number.basis)).size > 1;
}
