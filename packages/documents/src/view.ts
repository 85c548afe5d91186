import { describeDegradation as commonWords, nameSeat, type Side } from '@agonhq/engine/view';
import type { Grounding, ClaimAnswer } from './index.ts';
import type { Analysis } from './analysis.ts';
import type { NumberFinding } from './numbers/finding.ts';

/*
 * An analysis as its readers see it: what terminal, reports and console show of it. Runs in a browser. An id that is
 * not listed is shown as it is: reports must read analyses of later versions too.
 */

/** What colours a label: for the claim, against it, between both, or nothing decided. */
export type Tone = 'good' | 'bad' | 'between' | 'open';

interface LabelWords {
  title: string;
  meaning: string;
  tone: Tone;
}

const labels: Record<string, LabelWords> = {
  'verified-strong': {
    title: 'Verified strong',
    meaning: 'The dossier supports it, and it withstood a real cross-examination.',
    tone: 'good',
  },
  supported: { title: 'Supported', meaning: 'The dossier supports it.', tone: 'good' },
  mixed: { title: 'Mixed', meaning: 'Parts of the dossier support it, parts do not.', tone: 'between' },
  contradicted: { title: 'Contradicted', meaning: 'The dossier itself says otherwise.', tone: 'bad' },
  unsupported: { title: 'Unsupported', meaning: 'Nothing in the dossier supports it.', tone: 'open' },
  undecided: { title: 'Undecided', meaning: 'It could not be judged. A person has to review it.', tone: 'open' },
};

const outlooks: Record<string, LabelWords> = {
  positive: { title: 'Positive', meaning: 'Most of what the dossier claims holds.', tone: 'good' },
  mixed: { title: 'Mixed', meaning: 'Some of what the dossier claims holds, some does not.', tone: 'between' },
  negative: { title: 'Negative', meaning: 'What matters most in the dossier does not hold.', tone: 'bad' },
  undecided: {
    title: 'Undecided',
    meaning: 'The verdicts do not support an outlook. A person has to review it.',
    tone: 'open',
  },
};

const own = <Value>(table: Record<string, Value>, id: string): Value | undefined =>
  Object.hasOwn(table, id) ? table[id] : undefined;

export const describeClaimLabel = (label: string): LabelWords =>
  own(labels, label) ?? { title: label, meaning: '', tone: 'open' };
export const describeOutlook = (label: string): LabelWords =>
  own(outlooks, label) ?? { title: label, meaning: '', tone: 'open' };

/** The labels in the order in which a reader wants them counted. */
export const labelOrder = Object.keys(labels);

const attacks: Record<string, string> = {
  fallacy: 'Fallacy',
  outlier: 'Outlier',
  contradiction: 'Contradiction',
  'missing-data': 'Missing data',
  'alternative-explanation': 'Alternative explanation',
};
const checks: Record<string, string> = {
  growth: 'Growth',
  margin: 'Margin',
  share: 'Share',
  sum: 'Sum',
  difference: 'Difference',
  'statement-against-table': 'Statement against table',
  'text-against-text': 'Text against text',
  units: 'Units',
  period: 'Period',
  direction: 'Direction',
};
const strengths: Record<string, string> = { none: 'no support', partial: 'partial support', full: 'full support' };
const methods: Record<string, string> = {
  debate: 'a debate for each claim',
  single: 'one agent’s check of each claim, without a debate',
  'zero-shot': 'one judge over the whole dossier, without a debate',
  vote: 'a vote of the models of all seats on each claim, without a debate',
  control: 'repeated votes of one agent on each claim, without a debate',
};

type Shown = (id: string) => string;

export const nameAttack = (kind: string, shown: Shown = nameSeat): string => own(attacks, kind) ?? shown(kind);
export const nameCheck = (check: string, shown: Shown = nameSeat): string => own(checks, check) ?? shown(check);
export const nameStrength = (strength: string, shown: Shown = nameSeat): string =>
  own(strengths, strength) ?? shown(strength);
export const nameMethod = (method: string, shown: Shown = nameSeat): string => own(methods, method) ?? shown(method);

const steps: Record<string, string> = {
  opening: 'Opening',
  'cross-examination': 'Cross-examination',
  rebuttal: 'Rebuttal',
  synthesis: 'Synthesis',
  single: 'The single agent’s check',
  'zero-shot': 'The zero-shot judge',
  control: 'A vote',
  'vote#1': 'The first vote',
  'vote#2': 'The second vote',
  'vote#3': 'The third vote',
};

/** `claim-01/opening` as `Opening`. */
export function nameStep(key: string, shown: Shown = nameSeat): string {
  const step = key.slice(key.lastIndexOf('/') + 1);
  return own(steps, step) ?? shown(step);
}

const degradations: Record<string, string> = {
  'struck-evidence': 'A quotation is not in the dossier and was struck',
  'struck-attack': 'An attack was struck, and counts for nothing',
  'score-contradicts-rule': 'The synthesizer’s score contradicts the rule that decided',
};

export const describeClaimDegradation = (kind: string, shown?: Shown): string =>
  own(degradations, kind) ?? commonWords(kind, shown);

/** What passages of a dossier are cited for. */
export const sideWords: readonly (readonly [Side | 'both', string])[] = [
  ['exoneration', 'cited for a claim'],
  ['risk', 'cited against a claim, or in conflict'],
  ['both', 'cited both ways'],
  ['implicit', 'source of a claim'],
  ['neutral', 'consulted'],
];

/** A mark has one tone: that of the weightiest thing it is cited for. */
export function toneOf(sides: ReadonlySet<Side>): Side | 'both' {
  if (sides.has('risk') && sides.has('exoneration')) return 'both';
  return (['risk', 'exoneration', 'implicit', 'neutral'] as const).find((side) => sides.has(side)) ?? 'neutral';
}

/** The rules by which code decides from the findings, as readers know them. */
const rules: Record<string, string> = {
  'unsupported-language': 'nobody: the language could not be judged',
  'nobody-heard': 'nobody: no seat answered',
  'number-conflict': 'the numbers: they contradict the claim’s own statement',
  'synthesizer-unheard': 'nobody: the synthesizer gave no usable answer',
  contradiction: 'a contradiction: the dossier says otherwise, as quoted',
  'contradiction-struck': 'nobody: a contradiction was found, but no quotation for it is in the dossier',
  'evidence-struck': 'struck evidence: no quotation for it is in the dossier',
  'no-support': 'a lack of support: the dossier does not say so',
  'attack-stands': 'an attack that stands and matters',
  'side-conflict': 'a conflict among the numbers it depends on',
  'partial-support': 'partial support',
  'objection-stands': 'full support, with an attack that stands but does not decide',
  untested: 'full support that no attack has tested',
  'own-words': 'full support, but only in the claim’s own sentence',
  'not-computed': 'full support that code has not computed',
  shown: 'arithmetic, or a like statement, without a debate',
  'shown-in-part': 'arithmetic on all but the cause, without a debate',
  'not-shown': 'nothing that could be computed, without a debate',
  withstood: 'arithmetic, or a like statement, that withstood every attack',
  'zero-shot': 'the zero-shot judge',
  majority: 'a majority of votes',
  tie: 'nobody: the votes were split',
  corrected: 'the correction of a person, on the same claim and evidence',
};

export const describeRule = (id: string, shown: Shown = (name) => name.replaceAll('-', ' ')): string =>
  own(rules, id) ?? shown(id);

/**
 * Where a citation stands, for people: `report.pdf, page 3, row 2`, `figures.xlsx, sheet Income, C3`; of the only
 * document, without its name.
 */
export function describePlace({ document, block, boxes, cells }: Grounding, alone: boolean): string {
  // A block that goes on over the page is cited where the words stand.
  const page = boxes[0]?.page ?? block.page;
  const addresses = cells.flatMap(({ address }) => address ?? []);
  const rows = [...new Set(cells.map(({ row }) => row + 1))];
  const within = [
    block.sheet !== undefined && `sheet ${block.sheet}`,
    page !== undefined && `page ${page}`,
    addresses.length > 0 && (addresses.length > 2 ? `${addresses[0]} to ${addresses.at(-1)}` : addresses.join(' and ')),
    addresses.length === 0 &&
      rows.length > 0 &&
      (rows.length > 2 ? `rows ${rows[0]} to ${rows.at(-1)}` : `row ${rows.join(' and ')}`),
  ].filter((part) => part !== false);
  return [...(alone && within.length > 0 ? [] : [document.name]), ...within].join(', ');
}

/** The word of a person on a claim: said of this very verdict, or of the same claim in an earlier analysis. */
export interface PersonVerdict {
  label: string;
  /** The verdict that it corrects. */
  verdict: string;
  why: string;
  by: string;
  /** `2026-11-17`. */
  day: string;
  /** The analysis in which it was said, where it is an earlier one. */
  from: string | null;
}

/** What stands of what people said of a claim; null where nobody did. `given`: corrections of this analysis. */
export function findPersonVerdict(
  { subject, corrections = [] }: Pick<ClaimAnswer, 'subject' | 'corrections'>,
  given: readonly GivenCorrection[] = [],
): PersonVerdict | null {
  const own = given.findLast(({ claim }) => claim === subject.id);
  if (own) return { ...pickWords(own), from: null };
  const same = corrections.find(({ likeness }) => likeness === 'same');
  return same ? { ...pickWords(same), from: same.case } : null;
}

/** A correction as the ledger keeps it, or as it comes over HTTP. */
export type GivenCorrection = Omit<PersonVerdict, 'day' | 'from'> & { claim: string; at: Date | string };

function pickWords({ label, verdict, why, by, at }: Omit<GivenCorrection, 'claim'>): Omit<PersonVerdict, 'from'> {
  return { label, verdict, why, by, day: new Date(at).toISOString().slice(0, 10) };
}

/** In a sentence: it is a person's verdict, whatever the machine has shown. */
export function describePersonVerdict({ label, verdict, by, day, from, why }: PersonVerdict): string {
  const of = from === null ? '' : ` of the same claim in ${from}`;
  const machine = describeClaimLabel(verdict).title.toLowerCase();
  return `${describeClaimLabel(label).title}, says ${by} (${day})${of}; the machine said ${machine}. ${why}`;
}

/** What people said of claims that are only alike: shown, and never what decides. */
export function listAlike({ corrections = [] }: Pick<ClaimAnswer, 'corrections'>): string[] {
  return corrections
    .filter(({ likeness }) => likeness !== 'same')
    .map(
      ({ by, at, verdict, label, why, text, alike }) =>
        `${by} corrected ${verdict} to ${label} on ${at.slice(0, 10)}, of “${text}” (${alike}): ${why}`,
    );
}

/** How many claims have which label, in the labels' own order; labels that are not known come last. */
export function countLabels(claims: readonly ClaimAnswer[]): [label: string, number: number][] {
  const groups = Map.groupBy(claims, ({ verdict }) => verdict.label as string);
  const rank = (label: string) => (labelOrder.includes(label) ? labelOrder.indexOf(label) : labelOrder.length);
  return [...groups]
    .map(([label, those]): [string, number] => [label, those.length])
    .toSorted(([a], [b]) => rank(a) - rank(b));
}

/** A number finding with the claims that it touches, by their numbers from 1. */
export interface TouchedFinding {
  finding: NumberFinding;
  claims: readonly number[];
}

/** Every number finding once, conflicts first: of the documents, and on claims that no document states. */
export function listTouchedFindings({ claims, numbers }: Analysis): TouchedFinding[] {
  const findings = new Map<string, { finding: NumberFinding; claims: Set<number> }>();
  const known = (finding: NumberFinding) => {
    const entry = findings.get(findingKey(finding)) ?? { finding, claims: new Set<number>() };
    findings.set(findingKey(finding), entry);
    return entry;
  };
  for (const [index, claim] of claims.entries())
    for (const finding of claim.numbers) known(finding).claims.add(index + 1);
  for (const finding of numbers) known(finding);
  return [...findings.values()]
    .toSorted((a, b) => Number(b.finding.outcome === 'conflict') - Number(a.finding.outcome === 'conflict'))
    .map(({ finding, claims: touched }) => ({ finding, claims: [...touched] }));
}

/** A claim's own findings have ids of their own: what makes two of them one is what they say. */
export function isSameFinding(a: NumberFinding, b: NumberFinding): boolean {
  return findingKey(a) === findingKey(b);
}

function findingKey({ check, outcome, statement, arithmetic, places }: NumberFinding): string {
  return JSON.stringify([
    check,
    outcome,
    statement,
    arithmetic,
    places.map(({ block, start, end }) => [block, start, end]),
  ]);
}
