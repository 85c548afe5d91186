import type { Claim } from '../analysis.ts';
import { overlaps, type Dossier } from '../document.ts';
import { runAtOnce, type Steps } from '../run-tasks.ts';
import { checkFigures, type PlacedSentence } from './checks/check-figures.ts';
import { checkRatios } from './checks/check-ratios.ts';
import { checkRepeats, checkTables } from './checks/check-repeats.ts';
import { checkSums } from './checks/check-sums.ts';
import { checkProse, readProse } from './checks/check-prose.ts';
import type { Draft } from './checks/draft-finding.ts';
import { ShownValues } from './checks/shown-values.ts';
import type { NumberFinding, NumberPlace } from './finding.ts';
import { scanMeantNumbers } from './statements/qualify-numbers.ts';
import { splitClauses } from './statements/split-clauses.ts';
import { scanPeriods } from './values/scan-periods.ts';
import { checkSentence, explainGap, type Cover, type SpokenSentence } from './programs/index.ts';
import { toOneLine } from '@agonhq/engine/text';
import { listViews } from './tables/grid.ts';
import { isLong, readNumbersInSteps, readNumbers } from './read-numbers.ts';

/** Everything in a dossier that can be recomputed: tables against themselves, text against tables and against text. */
export function checkNumbers(dossier: Dossier): NumberFinding[] {
  return runAtOnce(checkNumbersInSteps(dossier));
}

/** The same in steps, for whoever has others waiting. */
export function* checkNumbersInSteps(dossier: Dossier): Steps<NumberFinding[]> {
  const { grids, sentences, tables, spoken, prose } = yield* readNumbersInSteps(dossier);
  const inLong = dossier.documents.some(isLong) ? new ShownValues(grids) : null;
  const programs: Draft[] = [];
  for (const sentence of spoken) {
    yield;
    const { drafts } = checkSentence(sentence, tables);
    // What a table decides needs no other sentence.
    for (const draft of drafts.length > 0 ? drafts : checkProse(sentence, prose, inLong)) programs.push(draft);
  }
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
  const enough = inLong === null ? 3 : 8;
  const across: Draft[][] = [];
  for (const check of [() => checkTables(grids, enough), () => figures, () => checkRepeats(sentences)]) {
    yield;
    across.push(check());
  }
  return numberFindings([...inTables, ...settleStated([...programs, ...across.flat()])]);
}

/**
 * What bears a number out vetoes what speaks against it, and a program that was computed comes before a reading of
 * words.
 */
function settleStated(drafts: readonly Draft[]): Draft[] {
  const meet = (left: Draft, right: Draft): boolean =>
    left.places[0]?.block === right.places[0]?.block &&
    left.places[0] !== undefined &&
    overlaps(left.places[0], right.places[0]!);
  const held = drafts.filter(({ outcome }) => outcome === 'holds');
  return drafts.filter((draft) => draft.outcome === 'holds' || !held.some((other) => meet(draft, other)));
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

/** What was found on a claim, and whether all of it was. */
export interface CheckedClaim {
  findings: NumberFinding[];
  /** How much of the claim was computed, or is said elsewhere, and holds. */
  cover: Cover;
}

/** One claim against the tables and the text: what it states is looked up and recomputed. */
export function checkClaim(claim: Claim, dossier: Dossier): NumberFinding[] {
  return checkWholeClaim(claim, dossier).findings;
}

/** The same, with whether all that the claim states was found. */
export function checkWholeClaim(claim: Claim, dossier: Dossier): CheckedClaim {
  const { grids, tables, prose, spoken: all } = readNumbers(dossier);
  const several = dossier.documents.some(isLong);
  const said = claim.origin === null ? '' : readPlace(claim.origin, dossier);
  const sentence: PlacedSentence = {
    text: claim.text,
    mark: '.',
    several,
    placeOf: ({ text }) => (claim.origin === null ? null : locateNumber(claim.origin, said, text)),
  };
  const isOwn = toOneLine(claim.text).includes(toOneLine(said)) && said !== '';
  const spoken = isOwn ? all.find(({ place }) => place !== null && isPlaceWithin(place, claim.origin!)) : undefined;
  const meant = spoken ?? {
    text: claim.text,
    place: null,
    period: null,
    before: said === '' ? [] : [said],
    mayBeLatest: !several,
  };
  const { read, drafts } = checkSentence(meant, tables);
  const again = drafts.length > 0 ? [] : checkProse(meant, prose, several ? new ShownValues(grids) : null);
  const placed = [...drafts, ...again].map((draft) =>
    spoken === undefined && claim.origin !== null ? { ...draft, places: [claim.origin, ...draft.places] } : draft,
  );
  const stated = [...placed, ...checkFigures(sentence)];
  const findings = numberFindings(claim.origin === null ? stated : settleStated(stated));
  if (findings.some(({ outcome }) => outcome === 'conflict')) return { findings, cover: 'none' };
  return { findings, cover: drafts.length > 0 ? read.cover : coverByProse(meant, again.length) };
}

/** What was missing to show a claim that is not shown: a sentence. */
export function explainUnshown(claim: Claim, dossier: Dossier): string {
  const { findings } = checkWholeClaim(claim, dossier);
  const held = findings.filter(({ outcome }) => outcome === 'holds');
  const part = held.find(({ program }) => program !== undefined);
  const said = { text: claim.text.replace(/\s/g, ' '), period: null, before: [], mayBeLatest: true };
  const gap = explainGap(said.text, readNumbers(dossier).tables.findFor(said)) ?? 'nothing else bears it out';
  if (part !== undefined) return `Only a part was found: ${part.arithmetic}.`;
  if (held[0] !== undefined) return `Its own figures agree (${held[0].arithmetic}), but ${gap}.`;
  return `${gap.charAt(0).toUpperCase()}${gap.slice(1)}.`;
}

/** Whether a table of the dossier is about what a text speaks of. */
export function isTableMatter(text: string, dossier: Dossier): boolean {
  return readNumbers(dossier).tables.find([text]).length > 0;
}

/** Prose shows a sentence when each of its statements stands elsewhere, too. */
function coverByProse(sentence: SpokenSentence, held: number): Cover {
  const stated = readProse(sentence);
  const numbers = scanMeantNumbers(sentence.text, '.', scanPeriods(sentence.text));
  const isStated = numbers.every(({ start }) => stated.some((one) => one.number !== null && one.start === start));
  if (held === 0 || held < stated.length || !isStated) return 'none';
  return splitClauses(sentence.text).length === 1 ? 'whole' : 'part';
}

function readPlace({ block, start, end }: NumberPlace, { documents }: Dossier): string {
  return documents.find(({ name }) => block.startsWith(`${name}#`))?.text.slice(start, end) ?? '';
}

const isPlaceWithin = (inner: NumberPlace, outer: NumberPlace): boolean =>
  inner.block === outer.block && inner.start >= outer.start && inner.end <= outer.end;

/** Where a number stands in the sentence its claim was drawn from; the whole sentence where that is not sure. */
function locateNumber(origin: NumberPlace, said: string, text: string): NumberPlace {
  const at = said.indexOf(text);
  return at < 0 || said.includes(text, at + 1)
    ? origin
    : { block: origin.block, start: origin.start + at, end: origin.start + at + text.length };
}

/** Each finding once, conflicts first, with an id each. */
function numberFindings(drafts: readonly Draft[]): NumberFinding[] {
  const once = new Map<string, Draft>();
  for (const one of drafts) {
    const places = one.places.map(({ block, start }) => `${block}:${start}`);
    // Two sentences that are held against each other are one finding, whichever comes first.
    const key = `${one.check}|${(one.check === 'text-against-text' ? places.toSorted() : places).join(',')}`;
    if (!once.has(key)) once.set(key, one);
  }
  return [...once.values()]
    .toSorted((left, right) => Number(right.outcome === 'conflict') - Number(left.outcome === 'conflict'))
    .map((one, position) => ({ id: `number-${String(position + 1).padStart(3, '0')}`, ...one }));
}
