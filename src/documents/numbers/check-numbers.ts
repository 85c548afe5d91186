import type { Claim } from '../analysis.ts';
import type { Dossier } from '../document.ts';
import { checkRatios } from './check-ratios.ts';
import { checkStatement } from './check-statements.ts';
import { checkSums } from './check-sums.ts';
import { checkTexts } from './check-texts.ts';
import type { Draft } from './draft.ts';
import type { NumberFinding } from './finding.ts';
import { viewsOf } from './grid.ts';
import { CellIndex } from './match.ts';
import { readNumbers } from './quantities.ts';
import { statementsIn } from './statements.ts';

/**
 * Everything in a dossier that can be recomputed: tables against themselves, text against tables, text against text.
 *
 * ```ts
 * checkNumbers({ documents: [report] }).filter(({ outcome }) => outcome === 'conflict');
 * ```
 */
export function checkNumbers(dossier: Dossier): NumberFinding[] {
  const read = dossier.documents.map(readNumbers);
  const grids = read.flatMap((one) => one.grids);
  const index = new CellIndex(grids);
  const statements = read.flatMap((one) => one.statements);
  const inTables = grids.flatMap((grid) => [...settled(viewsOf(grid).map(checkSums)), ...viewsOf(grid).flatMap(checkRatios)]);
  const inText = statements.flatMap((statement) => checkStatement(statement, index));
  return numbered([...inTables, ...inText, ...checkTexts(statements)]);
}

/** The total of a table's totals is added up across and down: where one way holds, what fails is in the other's parts, which have findings of their own. */
function settled([across, down]: readonly Draft[][]): Draft[] {
  const cell = ({ places }: Draft): string => `${places[0]!.block}:${places[0]!.start}`;
  const held = (drafts: readonly Draft[]): Set<string> => new Set(drafts.filter(({ outcome }) => outcome === 'holds').map(cell));
  const [first, second] = [held(across!), held(down!)];
  return [
    ...across!.filter((one) => one.outcome === 'holds' || !second.has(cell(one))),
    ...down!.filter((one) => one.outcome === 'holds' || !first.has(cell(one))),
  ];
}

/** One claim against the tables and the text: what it states is looked up and recomputed. */
export function checkClaim(claim: Claim, dossier: Dossier): NumberFinding[] {
  const read = dossier.documents.map(readNumbers);
  const index = new CellIndex(read.flatMap((one) => one.grids));
  const placed = statementsIn(claim.text).map((statement) => ({
    statement, sentence: claim.text, place: claim.origin, several: dossier.documents.some(({ blocks }) => blocks.length > 150),
  }));
  return numbered([...placed.flatMap((one) => checkStatement(one, index)), ...checkTexts(placed)]);
}

/** Each finding once, conflicts first, with an id each. */
function numbered(drafts: readonly Draft[]): NumberFinding[] {
  const once = new Map<string, Draft>();
  for (const one of drafts) {
    const key = `${one.check}|${one.places.map(({ block, start }) => `${block}:${start}`).join(',')}`;
    if (!once.has(key)) once.set(key, one);
  }
  return [...once.values()]
    .toSorted((left, right) => Number(right.outcome === 'conflict') - Number(left.outcome === 'conflict'))
    .map((one, position) => ({ id: `number-${String(position + 1).padStart(3, '0')}`, ...one }));
}
