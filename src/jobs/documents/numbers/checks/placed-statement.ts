import { draftFinding, listPlaces, type Draft } from './draft-finding.ts';
import type { Place } from '../finding.ts';
import type { Match } from './match-cells.ts';
import type { Statement } from '../statements/read-statements.ts';

/** A statement with where it stands. */
export interface PlacedStatement {
  statement: Statement;
  sentence: string;
  /** Of its number or word; null for a claim that is not in the dossier. */
  place: Place | null;
  /** The document is long and speaks of several periods: without one, nothing is sure. */
  several: boolean;
}

export function draftStatement(
  { statement, sentence, place }: PlacedStatement,
  check: Draft['check'],
  holds: boolean,
  arithmetic: string,
  matches: readonly Match[],
  gap: number,
): Draft {
  const quoted = sentence.length > 160 ? `${sentence.slice(0, 157)}…` : sentence;
  const of = matches.map(({ row, column }) => [row.label, column.label].filter((text) => text !== '').join(', '))[0]!;
  const words = {
    units: 'is not in the unit of',
    period: 'is not of the period of',
    direction: 'goes the other way than',
    growth: 'does not follow from',
  } as Partial<Record<Draft['check'], string>>;
  const statementText = holds
    ? `“${statement.text}” in “${quoted}” agrees with “${of}”.`
    : `“${statement.text}” in “${quoted}” ${words[check] ?? 'disagrees with'} “${of}”.`;
  return draftFinding(
    check,
    holds,
    statementText,
    arithmetic,
    [...(place === null ? [] : [place]), ...matches.flatMap(({ grid, number }) => listPlaces(grid, number))],
    gap,
  );
}
