import type { GivenEdit } from '@agonhq/judges/job/findings';
import type { Analysis, ClaimAnswer } from '../analysis.ts';
import { correctedRule } from '../corrections/weigh-corrections.ts';
import { ground, type Grounding } from '../grounding/ground-citation.ts';
import type { NumberFinding } from '../numbers/finding.ts';
import {
  describePersonVerdict,
  describePlace,
  findPersonVerdict,
  isSameFinding,
  listAlike,
  listTouchedFindings,
  type GivenCorrection,
  type PersonVerdict,
} from '../view.ts';
import { toOneLine } from '@agonhq/engine/text';

/** What was found on a claim, or on numbers that no claim states, as an analyst reads it. */
export interface ListedFinding {
  /** `claim-02`; `number-3` for numbers, by their place among all checks: an analysis is sealed, and so it stays. */
  id: string;
  /** The claim's number from 1; null for numbers alone. */
  claim: number | null;
  /** A claim's label; `conflict` for numbers. */
  verdict: string;
  /** Whole. */
  text: string;
  why: string;
  /** The synthesizer's; null where nobody said. */
  confidence: number | null;
  /** Whose word stands over the verdict; null where it is the machine's alone. */
  person: PersonVerdict | null;
  /** What a person made of it for the report. */
  edit: GivenEdit | null;
  /** What people said: of the claim itself, then of claims alike. A verdict that follows from it says so itself. */
  corrections: readonly string[];
  /** Each with the sentence that says what was computed. */
  numbers: readonly NumberFinding[];
  /** The checks of its own words that hold, where nothing is in conflict. */
  heldBy: readonly NumberFinding[];
  /** Where it is stated; null for a claim of the reader's own. */
  stated: Grounding | null;
  /** What speaks to it. */
  places: readonly Grounding[];
}

/** In the order in which they are read: what is wrong, what is between, what could not be shown, what holds. */
export interface FindingGroups {
  wrong: readonly ListedFinding[];
  mixed: readonly ListedFinding[];
  open: readonly ListedFinding[];
  held: readonly ListedFinding[];
}

/** What people said since: of claims, and for the report. */
export interface PeoplesWords {
  corrections?: readonly GivenCorrection[] | undefined;
  edits?: readonly GivenEdit[] | undefined;
}

export function groupFindings(analysis: Analysis, { corrections = [], edits = [] }: PeoplesWords = {}): FindingGroups {
  const editOf = (id: string) => edits.find(({ finding }) => finding === id) ?? null;
  const claims = analysis.claims.map((claim, index) => ({
    ...describeClaim(claim, index + 1, analysis),
    person: findPersonVerdict(claim, corrections),
    corrections: describeCorrections(claim, corrections),
    edit: editOf(claim.subject.id),
  }));
  const labelled = (...labels: string[]): ListedFinding[] => claims.filter(({ verdict }) => labels.includes(verdict));
  const wrong = labelled('contradicted');
  const told = wrong.flatMap(({ numbers }) => numbers);
  const conflicts = listTouchedFindings(analysis)
    .map(({ finding }, index) => ({ finding, id: `number-${index + 1}` }))
    .filter(({ finding }) => finding.outcome === 'conflict')
    .filter(({ finding }) => !told.some((other) => isSameFinding(finding, other)))
    .map(({ finding, id }) => ({ ...describeConflict(finding, analysis), id, edit: editOf(id) }));
  const held = labelled('verified-strong', 'supported');
  const mixed = labelled('mixed');
  const known = new Set([...wrong, ...held, ...mixed]);
  return { wrong: [...wrong, ...conflicts], mixed, held, open: claims.filter((claim) => !known.has(claim)) };
}

/** All of them, the worst first. */
export function listFindings(analysis: Analysis, words: PeoplesWords = {}): ListedFinding[] {
  const { wrong, mixed, open, held } = groupFindings(analysis, words);
  return [...wrong, ...mixed, ...open, ...held];
}

/** Without what somebody left out of exports. */
export function dropLeftOut(findings: readonly ListedFinding[]): ListedFinding[] {
  return findings.filter(({ edit }) => !edit?.leftOut);
}

/** A person's words on a finding, for the report: theirs, and said to be theirs. */
export function describeEdit({ edit }: Pick<ListedFinding, 'edit'>): string[] {
  if (!edit) return [];
  return [
    ...(edit.wording === null ? [] : [`In the words of ${edit.by}: ${edit.wording}`]),
    ...(edit.note === null ? [] : [`Note by ${edit.by}: ${edit.note}`]),
  ].map(toOneLine);
}

/** What people said of a claim, in a sentence each. */
function describeCorrections(claim: ClaimAnswer, given: readonly GivenCorrection[]): string[] {
  const person = findPersonVerdict(claim, given);
  // A verdict that follows from the correction says so in its reason.
  if (claim.verdict.rule.id === correctedRule && person?.from != null) return listAlike(claim).map(toOneLine);
  return [...(person ? [describePersonVerdict(person)] : []), ...listAlike(claim)].map(toOneLine);
}

function describeClaim(
  { subject, verdict, numbers }: ClaimAnswer,
  claim: number,
  analysis: Analysis,
): Omit<ListedFinding, 'corrections' | 'person' | 'edit'> {
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict');
  const shown = verdict.label === 'contradicted' || verdict.label === 'mixed' ? conflicts : [];
  const cited = [
    ...shown.flatMap(({ places }) => places.map((place) => ground(place, analysis))),
    ...verdict.evidence.map((evidence) => ground(evidence, analysis, numbers)),
  ];
  const stated = subject.origin ? ground(subject.origin, analysis) : null;
  return {
    id: subject.id,
    claim,
    verdict: verdict.label,
    text: toOneLine(subject.text),
    why: shown.some(({ statement, arithmetic }) => verdict.rule.why === `${statement} ${arithmetic}`)
      ? ''
      : toOneLine(verdict.rule.why),
    confidence: verdict.confidence,
    numbers: shown,
    heldBy: shown.length > 0 ? [] : numbers.filter((finding) => isOwnCheck(finding, subject)),
    stated,
    places: dropRepeats(cited.filter((grounding) => grounding !== null)).filter(
      ({ block, start }) => !(stated?.block === block && stated.start <= start && start < stated.end),
    ),
  };
}

/** Of the claim's own words, and not of numbers beside it. */
function isOwnCheck({ outcome, program, places: [first] }: NumberFinding, { origin }: ClaimAnswer['subject']): boolean {
  if (outcome !== 'holds') return false;
  if (!origin) return program !== undefined;
  return first?.block === origin.block && origin.start <= first.start && first.end <= origin.end;
}

function describeConflict(finding: NumberFinding, analysis: Analysis): Omit<ListedFinding, 'id' | 'edit'> {
  const [stated, ...places] = finding.places.map((place) => ground(place, analysis));
  return {
    claim: null,
    verdict: 'conflict',
    text: toOneLine(finding.statement),
    why: '',
    confidence: null,
    person: null,
    corrections: [],
    numbers: [finding],
    heldBy: [],
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
