import type { Claim } from '../analysis.ts';
import type { Dossier } from '../document.ts';
import { runAtOnce, type Steps } from '../run-tasks.ts';
import { checkFigures, type PlacedSentence } from './checks/check-figures.ts';
import { checkRatios } from './checks/check-ratios.ts';
import { checkStatements } from './checks/check-statements.ts';
import { checkRepeats, checkTables } from './checks/check-repeats.ts';
import { checkSums } from './checks/check-sums.ts';
import { checkTexts } from './checks/check-texts.ts';
import type { Draft, PlacedStatement } from './checks/draft-finding.ts';
import type { NumberFinding, Place } from './finding.ts';
import { listViews } from './tables/grid.ts';
import { isLong, readNumbersInSteps, readNumbers } from './read-numbers.ts';
import { readStatements } from './statements/read-statements.ts';
import { toOneLine } from '../../../text/index.ts';

/** Everything in a dossier that can be recomputed: tables against themselves, text against tables and against text. */
export function checkNumbers(dossier: Dossier): NumberFinding[] {
  return runAtOnce(checkNumbersInSteps(dossier));
}

/** The same in steps, for whoever has others waiting. */
export function* checkNumbersInSteps(dossier: Dossier): Steps<NumberFinding[]> {
  const { grids, index, statements, sentences } = yield* readNumbersInSteps(dossier);
  const figures: Draft[] = [];
  for (const sentence of sentences) {
    yield;
    for (const draft of checkFigures(sentence)) figures.push(draft);
  }
  const inTables: Draft[] = [];
  for (const grid of grids) {
    yield;
    inTables.push(...settleDirections(listViews(grid).map(checkSums)), ...listViews(grid).flatMap(checkRatios));
  }
  const enough = dossier.documents.some(isLong) ? 8 : 3;
  const across: Draft[][] = [];
  for (const check of [
    () => checkStatements(statements, index),
    () => checkTexts(statements, sentences, grids),
    () => checkTables(grids, enough),
    () => figures,
    () => checkRepeats(sentences),
  ]) {
    yield;
    across.push(check());
  }
  return numberFindings([...inTables, ...across.flat()]);
}

/**
 * The total of a table's totals is added up across and down: where one way holds, what fails is in the other's parts,
 * which have findings of their own.
 */
function settleDirections([across, down]: readonly Draft[][]): Draft[] {
  const cell = ({ places }: Draft): string => `${places[0]!.block}:${places[0]!.start}`;
  const held = (drafts: readonly Draft[]): Set<string> =>
    new Set(drafts.filter(({ outcome }) => outcome === 'holds').map(cell));
  const [first, second] = [held(across!), held(down!)];
  return [
    ...across!.filter((one) => one.outcome === 'holds' || !second.has(cell(one))),
    ...down!.filter((one) => one.outcome === 'holds' || !first.has(cell(one))),
  ];
}

/** One claim against the tables and the text: what it states is looked up and recomputed. */
export function checkClaim(claim: Claim, dossier: Dossier): NumberFinding[] {
  const { index, lines, statements } = readNumbers(dossier);
  const several = dossier.documents.some(isLong);
  const said = claim.origin === null ? '' : readPlace(claim.origin, dossier);
  // Where the claim is the document's own sentence, what was read with the sentences around it says more.
  const stated =
    toOneLine(said) === toOneLine(claim.text)
      ? statements.filter(({ place }) => place !== null && isPlaceWithin(place, claim.origin!))
      : [];
  const placed =
    stated.length > 0
      ? stated
      : readStatements(claim.text, '.', several ? [] : lines).map((statement): PlacedStatement => ({
          statement,
          sentence: claim.text,
          place: claim.origin === null ? null : locateNumber(claim.origin, said, statement.text),
          several,
        }));
  const sentence: PlacedSentence = {
    text: claim.text,
    mark: '.',
    several,
    placeOf: ({ text }) => (claim.origin === null ? null : locateNumber(claim.origin, said, text)),
  };
  return numberFindings([...checkStatements(placed, index), ...checkFigures(sentence)]);
}

function readPlace({ block, start, end }: Place, { documents }: Dossier): string {
  return documents.find(({ name }) => block.startsWith(`${name}#`))?.text.slice(start, end) ?? '';
}

const isPlaceWithin = (inner: Place, outer: Place): boolean =>
  inner.block === outer.block && inner.start >= outer.start && inner.end <= outer.end;

/** Where a number stands in the sentence its claim was drawn from; the whole sentence where that is not sure. */
function locateNumber(origin: Place, said: string, text: string): Place {
  const at = said.indexOf(text);
  return at < 0 || said.includes(text, at + 1)
    ? origin
    : { block: origin.block, start: origin.start + at, end: origin.start + at + text.length };
}

/** Each finding once, conflicts first, with an id each. */
function numberFindings(drafts: readonly Draft[]): NumberFinding[] {
  const once = new Map<string, Draft>();
  for (const one of drafts) {
    const key = `${one.check}|${one.places.map(({ block, start }) => `${block}:${start}`).join(',')}`;
    if (!once.has(key)) once.set(key, one);
  }
  return [...once.values()]
    .toSorted((left, right) => Number(right.outcome === 'conflict') - Number(left.outcome === 'conflict'))
    .map((one, position) => ({ id: `number-${String(position + 1).padStart(3, '0')}`, ...one }));
}
