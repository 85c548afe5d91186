import {
  ground,
  isSameFinding,
  type Analysis,
  type ClaimAnswer,
  type Grounding,
  type NumberFinding,
} from '../index.ts';
import type { Correction } from '../../correction.ts';
import { correctedRule } from '../corrections/index.ts';
import { describePersonVerdict, describePlace, findPersonVerdict, listAlike, listTouchedFindings } from '../view.ts';
import { toOneLine } from '../../../text/index.ts';

/** What was found on a claim, or on numbers that no claim states, as an analyst reads it. */
export interface Finding {
  /** The claim's number from 1; null for numbers alone. */
  claim: number | null;
  /** A claim's label; `conflict` for numbers. */
  verdict: string;
  /** Whole. */
  text: string;
  why: string;
  /** What people said: of the claim itself, then of claims alike. A verdict that follows from it says so itself. */
  corrections: readonly string[];
  /** Each with the sentence that says what was computed. */
  numbers: readonly NumberFinding[];
  /** Where it is stated; null for a claim of the reader's own. */
  stated: Grounding | null;
  /** What speaks to it. */
  places: readonly Grounding[];
}

/** In the order in which they are read: what is wrong, what is between, what could not be shown, what holds. */
export interface FindingGroups {
  wrong: readonly Finding[];
  mixed: readonly Finding[];
  open: readonly Finding[];
  held: readonly Finding[];
}

export function groupFindings(analysis: Analysis, corrections: readonly Correction[] = []): FindingGroups {
  const claims = analysis.claims.map((claim, index) => ({
    ...describeClaim(claim, index + 1, analysis),
    corrections: describeCorrections(claim, corrections),
  }));
  const labelled = (...labels: string[]): Finding[] => claims.filter(({ verdict }) => labels.includes(verdict));
  const wrong = labelled('contradicted');
  const told = wrong.flatMap(({ numbers }) => numbers);
  const conflicts = listTouchedFindings(analysis)
    .map(({ finding }) => finding)
    .filter(({ outcome }) => outcome === 'conflict')
    .filter((finding) => !told.some((other) => isSameFinding(finding, other)))
    .map((finding) => describeConflict(finding, analysis));
  const held = labelled('verified-strong', 'supported');
  const mixed = labelled('mixed');
  const known = new Set([...wrong, ...held, ...mixed]);
  return { wrong: [...wrong, ...conflicts], mixed, held, open: claims.filter((claim) => !known.has(claim)) };
}

/** All of them, the worst first. */
export function listFindings(analysis: Analysis, corrections: readonly Correction[] = []): Finding[] {
  const { wrong, mixed, open, held } = groupFindings(analysis, corrections);
  return [...wrong, ...mixed, ...open, ...held];
}

/** What people said of a claim, in a sentence each. */
function describeCorrections(claim: ClaimAnswer, given: readonly Correction[]): string[] {
  const person = findPersonVerdict(claim, given);
  // A verdict that follows from the correction says so in its reason.
  if (claim.verdict.rule.id === correctedRule && person?.from != null) return listAlike(claim).map(toOneLine);
  return [...(person ? [describePersonVerdict(person)] : []), ...listAlike(claim)].map(toOneLine);
}

function describeClaim(
  { subject, verdict, numbers }: ClaimAnswer,
  claim: number,
  analysis: Analysis,
): Omit<Finding, 'corrections'> {
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict');
  const shown = verdict.label === 'contradicted' || verdict.label === 'mixed' ? conflicts : [];
  const cited = [
    ...shown.flatMap(({ places }) => places.map((place) => ground(place, analysis))),
    ...verdict.evidence.map((evidence) => ground(evidence, analysis, numbers)),
  ];
  const stated = subject.origin ? ground(subject.origin, analysis) : null;
  return {
    claim,
    verdict: verdict.label,
    text: toOneLine(subject.text),
    why: shown.some(({ statement, arithmetic }) => verdict.rule.why === `${statement} ${arithmetic}`)
      ? ''
      : toOneLine(verdict.rule.why),
    numbers: shown,
    stated,
    places: dropRepeats(cited.filter((grounding) => grounding !== null)).filter(
      ({ block, start }) => !(stated?.block === block && stated.start <= start && start < stated.end),
    ),
  };
}

function describeConflict(finding: NumberFinding, analysis: Analysis): Finding {
  const [stated, ...places] = finding.places.map((place) => ground(place, analysis));
  return {
    claim: null,
    verdict: 'conflict',
    text: toOneLine(finding.statement),
    why: '',
    corrections: [],
    numbers: [finding],
    stated: stated ?? null,
    places: dropRepeats(places.filter((grounding) => grounding !== null)),
  };
}

function dropRepeats(groundings: readonly Grounding[]): Grounding[] {
  return [...new Map(groundings.map((one) => [`${one.document.name}:${one.start}:${one.end}`, one])).values()];
}

/**
 * `report.pdf, page 3, rows 2 and 5; figures.xlsx, sheet Income, C3 and B3`: each place once, those of a page together.
 */
export function describePlaces(groundings: readonly Grounding[], { documents }: Analysis): string {
  const isAlone = documents.length === 1;
  const groups = Map.groupBy(groundings, (one) => describePlace({ ...one, cells: [] }, false));
  return [...groups.values()]
    .map((group) => {
      const cells = group.flatMap((one) => one.cells);
      const addresses = [...new Set(cells.flatMap(({ address }) => address ?? []))];
      const rows = [...new Set(cells.map(({ row }) => row + 1))];
      if (addresses.length <= 2 && rows.length <= 2) return describePlace({ ...group[0]!, cells }, isAlone);
      const named = addresses.length > 0 ? addresses.join(', ') : `rows ${rows.join(', ')}`;
      return `${describePlace({ ...group[0]!, cells: [] }, isAlone)}, ${named}`;
    })
    .join('; ');
}
