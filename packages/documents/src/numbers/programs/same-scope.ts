import { pattern, stemWithIrregulars } from '@agonhq/engine/text';
import { findMeasureWords, headlineMetrics } from '../values/find-measures.ts';
import { readBasis } from '../values/read-basis.ts';
import { listFacts } from './expression.ts';
import { isFiller, narrows } from './known-words.ts';
import type { StatementClause } from './read-clause.ts';
import type { NumberReading } from './scope.ts';
import { cleanLabel } from '../tables/read-grid.ts';
import { findNameWords, type Fact } from './typed-table.ts';

/*
 * Whether a clause speaks of the very cells that it was bound to. One that may mean a part of them, or more than them,
 * is borne out by them if the numbers agree, but not contradicted if they do not.
 */

/** Words that make another measure of one, and that are no name by themselves. */
const qualifiers = pattern('gi')`
  \b(?:net|gross|(?:non-?)?current(?! (?:fiscal |financial )?(?:year|quarter|month|period|half))|deferred|basic|diluted
  |attributable|continuing|discontinued|(?:un)?realized|accumulated|average|weighted|accrued|allowance|restricted
  |available|held|core|recurring|same-store|cumulative|domestic|foreign|federal)\b`;

/** The qualifiers of a text that are no part of a measure's own name, as "net" is of "net income". */
function listQualifiers(text: string): Set<string> {
  const bare = findMeasureWords(text)
    .filter(({ word }) => headlineMetrics.has(word))
    .reduce((left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end), text);
  return new Set(Array.from(bare.matchAll(qualifiers), ([word]) => word.toLowerCase().replace('-', '')));
}

function hasSameQualifiers(text: string, { row, column, table }: Fact): boolean {
  const said = listQualifiers(text);
  const own = listQualifiers(`${row.label} ${column.label}`);
  const around = listQualifiers(`${row.group} ${table.grid.title}`);
  return [...own].every((word) => said.has(word)) && [...said].every((word) => own.has(word) || around.has(word));
}

/** The words that a fact's own headers, and the title of its table, have. */
function listOwnWords({ row, column, table }: Fact): Set<string> {
  const labels = [row.label, row.group, column.label].map(cleanLabel);
  return new Set([...labels.flatMap((label) => findNameWords(label).map(({ word }) => word)), ...table.title]);
}

/** So far before a number stands what it is of. */
const reach = 200;
// Bounded: of so many letters.
const ofBefore = pattern('iu')`(?<noun>\p{L}[\p{L}-]*)\s+of\s+(?:\p{L}+\s+){0,2}\(?$`;
const ofAfter = /^\s+(?:of|in)\s+(?<nouns>(?:(?!in\b|for\b|during\b|at\b|as\b|to\b|from\b)\p{L}[\p{L}&-]*\s*){1,4})/iu;

/** "A loss of $1.2 million", "$8 million of charges": the noun that a number is of must be what was bound. */
function isOfItsNoun({ text, mentions }: StatementClause, { numbers }: NumberReading, facts: readonly Fact[]): boolean {
  const own = new Set(facts.flatMap((fact) => [...listOwnWords(fact)]));
  const isOwn = (start: number, end: number): boolean =>
    mentions.some((mention) => start < mention.end && end > mention.start) ||
    findNameWords(text.slice(start, end)).every(
      ({ word, start: from, end: to }) => own.has(word) || isFiller(text.slice(start + from, start + to), word),
    );
  return numbers.every(({ start }) => {
    const near = Math.max(0, start - reach);
    const before = ofBefore.exec(text.slice(near, start));
    const noun = near + (before?.index ?? 0);
    if (before !== null && !isOwn(noun, noun + before.groups!['noun']!.length)) return false;
    const end = start + (/^[^\s]+(?:\s+(?:thousand|million|billion|%))?/i.exec(text.slice(start))?.[0].length ?? 0);
    const after = ofAfter.exec(text.slice(end));
    if (after === null || /^\s+in\b/i.test(after[0])) return true;
    const from = end + after[0].length - after.groups!['nouns']!.length;
    return isOwn(from, end + after[0].length);
  });
}

/** A sentence that a page cut off. */
const cutOff = /\b(?:for|the|of|in|and|year|years|months?|to|at|by|ended|with|from|an?|or)\s*$/i;

/** In a long document many tables have like lines: the row must be named, and nothing but it. */
function isNamedAlone({ text, mentions }: StatementClause, facts: readonly Fact[]): boolean {
  const isRowNamed = ({ row }: Fact): boolean =>
    mentions.some(({ name }) => name.rows?.has(row.index)) || findNameWords(cleanLabel(row.label)).length === 0;
  const own = new Set(facts.flatMap((fact) => [...listOwnWords(fact)]));
  const isKnown = ({ word, start, end }: ReturnType<typeof findNameWords>[number]): boolean =>
    own.has(word) || own.has(stemWithIrregulars(word)) || isFiller(text.slice(start, end), word);
  return (
    !cutOff.test(text) &&
    facts.every(isRowNamed) &&
    findNameWords(text)
      .filter(
        (one) => !/^\d/.test(one.word) && !mentions.some(({ start, end }) => one.start >= start && one.end <= end),
      )
      .every((one) => isKnown(one) || !narrows(text, one, mentions))
  );
}

/** Whether a reading that fails is of the same measure, basis and scope as the clause. */
export function isSameScope(clause: StatementClause, reading: NumberReading, isLong: boolean): boolean {
  const facts = [...new Set(reading.alternatives.flatMap(listFacts))];
  const { text } = clause;
  return (
    facts.every((fact) => hasSameQualifiers(text, fact)) &&
    facts.every(({ number }) => number.basis === readBasis(text)) &&
    (reading.kind !== 'level' || isOfItsNoun(clause, reading, facts)) &&
    (!isLong || isNamedAlone(clause, facts))
  );
}
