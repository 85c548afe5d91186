import { describeDegradation as commonWords, nameSeat } from '../../../view/index.ts';
import type { Side } from '../../../view/index.ts';

/*
 * What the ids of an analysis mean, in plain words. An id that is not listed is shown as it is: reports must read
 * analyses of later versions too.
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
    meaning: 'The dossier carries it, and it withstood a real cross-examination.',
    tone: 'good',
  },
  supported: { title: 'Supported', meaning: 'The dossier carries it.', tone: 'good' },
  mixed: { title: 'Mixed', meaning: 'Some of the dossier carries it, some does not.', tone: 'between' },
  contradicted: { title: 'Contradicted', meaning: 'The dossier itself says otherwise.', tone: 'bad' },
  unsupported: { title: 'Unsupported', meaning: 'Nothing in the dossier carries it.', tone: 'open' },
  undecided: { title: 'Undecided', meaning: 'It could not be judged. A person must look at it.', tone: 'open' },
};

const outlooks: Record<string, LabelWords> = {
  positive: { title: 'Positive', meaning: 'What the dossier claims holds, by and large.', tone: 'good' },
  mixed: { title: 'Mixed', meaning: 'Some of what the dossier claims holds, some does not.', tone: 'between' },
  negative: { title: 'Negative', meaning: 'What matters most in the dossier does not hold.', tone: 'bad' },
  undecided: { title: 'Undecided', meaning: 'The verdicts carry no outlook. A person must look at it.', tone: 'open' },
};

const own = <Value>(table: Record<string, Value>, id: string): Value | undefined =>
  Object.hasOwn(table, id) ? table[id] : undefined;

export const labelWords = (label: string): LabelWords =>
  own(labels, label) ?? { title: label, meaning: '', tone: 'open' };
export const outlookWords = (label: string): LabelWords =>
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

export const attackWords = (kind: string, shown: Shown = nameSeat): string => own(attacks, kind) ?? shown(kind);
export const checkWords = (check: string, shown: Shown = nameSeat): string => own(checks, check) ?? shown(check);
export const strengthWords = (strength: string, shown: Shown = nameSeat): string =>
  own(strengths, strength) ?? shown(strength);
export const methodWords = (method: string, shown: Shown = nameSeat): string => own(methods, method) ?? shown(method);

const steps: Record<string, string> = {
  opening: 'Opening',
  'cross-examination': 'Cross-examination',
  rebuttal: 'Rebuttal',
  synthesis: 'Synthesis',
  single: 'The one agent’s check',
  'zero-shot': 'The zero-shot judge',
  control: 'A vote',
  'vote#1': 'The first vote',
  'vote#2': 'The second vote',
  'vote#3': 'The third vote',
};

/** `claim-01/opening` as `Opening`. */
export function stepWords(key: string, shown: Shown = nameSeat): string {
  const step = key.slice(key.lastIndexOf('/') + 1);
  return own(steps, step) ?? shown(step);
}

const degradations: Record<string, string> = {
  'struck-evidence': 'A quotation is nowhere in the dossier and was struck',
  'struck-attack': 'An attack was struck, and counts for nothing',
  'score-contradicts-rule': 'The synthesizer’s score points the other way than the rule that decided',
};

export const degradationWords = (kind: string, shown?: Shown): string =>
  own(degradations, kind) ?? commonWords(kind, shown);

/** What passages of a dossier are cited for. */
export const sideWords: readonly (readonly [Side | 'both', string])[] = [
  ['exoneration', 'cited for a claim'],
  ['risk', 'cited against a claim, or in conflict'],
  ['both', 'cited both ways'],
  ['implicit', 'a claim comes from here'],
  ['neutral', 'looked at'],
];

/** A mark has one tone: that of the weightiest thing it is cited for. */
export function toneOf(sides: ReadonlySet<Side>): Side | 'both' {
  if (sides.has('risk') && sides.has('exoneration')) return 'both';
  return (['risk', 'exoneration', 'implicit', 'neutral'] as const).find((side) => sides.has(side)) ?? 'neutral';
}

/** The rules by which code decides from the findings, as readers know them. */
const rules: Record<string, string> = {
  'unsupported-language': 'nobody: the language could not be judged',
  'nobody-heard': 'nobody: no seat was heard',
  'number-conflict': 'the numbers: they contradict the claim’s own statement',
  'synthesizer-unheard': 'nobody: the synthesizer gave no usable answer',
  contradiction: 'a contradiction: the dossier says otherwise, in words that are in it',
  'contradiction-struck': 'nobody: a contradiction was found, but no quotation for it is in the dossier',
  'evidence-struck': 'struck evidence: no quotation for it is in the dossier',
  'no-support': 'a lack of support: the dossier does not say so',
  'attack-stands': 'an attack that stands and matters',
  'side-conflict': 'a conflict among the numbers it stands on',
  'partial-support': 'partial support',
  'objection-stands': 'full support, with an attack that stands but does not decide',
  untested: 'full support that no attack has tested',
  'own-words': 'full support, but only in the claim’s own sentence',
  withstood: 'full support that withstood every attack',
  'zero-shot': 'the zero-shot judge, as it said',
  majority: 'a majority of votes',
  tie: 'nobody: the votes were split',
};

export const ruleWords = (id: string, shown: Shown = (name) => name.replaceAll('-', ' ')): string =>
  own(rules, id) ?? shown(id);
