import type { FailureReason, SafetyLabel, Turn } from '../debate/index.ts';

/*
 * Characters that cannot be seen, or that reorder what is around them, and can so make a page say what its text
 * does not say. What scripts and emoji need stays: joiners between non-ASCII characters, one variation selector,
 * the flags of England, Scotland and Wales, Arabic number signs.
 */
const innocent = String.raw`\r(?=\n)|\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;
const joiner = String.raw`(?<=^|\p{ASCII})[\u200c\u200d]|[\u200c\u200d](?=$|\p{ASCII})`;
const selector = String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`;
const visible = String.raw`[\t\n\u200c\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}${selector}]`;
const invisible = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--${visible}]`;
const controls = new RegExp(`(${innocent})|${joiner}|(?<=${selector})${selector}|${invisible}`, 'gv');

/** Replaces each character that could deceive a reader by what `show` makes of its name (`U+202E`). */
export function showControls(text: string, show: (name: string) => string): string {
  return text.replace(controls, (character: string, kept: string | undefined) =>
    kept === undefined ? show(`U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`) : kept,
  );
}

/*
 * What the ids of an answer mean, in plain words. An id that is not listed is shown as it is:
 * reports must read answers of later versions too.
 */

const labels: Record<SafetyLabel, { title: string; meaning: string }> = {
  unsafe: { title: 'Unsafe', meaning: 'The content breaks the policy.' },
  safe: { title: 'Safe', meaning: 'Nothing in the content breaks the policy.' },
  undecided: { title: 'Undecided', meaning: 'The trial did not carry a decision. A person must look at it.' },
};

const ruleTitles: Record<string, string> = {
  'contextual-exoneration': 'Rule 1, contextual exoneration',
  'risk-confirmation': 'Rule 2, risk confirmation',
  'default-safety': 'Rule 3, default safety',
  'panel-vote': 'the vote of the panel',
  'nobody-heard': 'nobody: no seat was heard',
  'unsupported-language': 'nobody: the language could not be judged',
  'evidence-struck': 'nobody: the evidence was struck',
  unseen: 'nobody: the content could not be seen',
};

const outcomes: Record<string, string> = {
  'panel-vote':
    'The arbiter gave no usable answer, so the votes of the debaters that were heard decided; a tie is safe.',
  'unsupported-language': 'The content is in a language that the reasoner was not made for, and is not guessed at.',
  'nobody-heard': 'Neither the arbiter nor any debater gave a usable answer. Nobody is acquitted by a crash.',
  'evidence-struck':
    'Risk was claimed, but none of the quotations for it is in the content. That is no basis for either verdict.',
  unseen: 'What had to be judged could not be seen.',
};

const degradations: Record<string, string> = {
  fallback: 'A seat gave no usable answer; a stand-in took its place',
  'struck-evidence': 'A quotation is not in the content and was struck',
  'unseen-image': 'An image could not be looked at',
  'arbiter-failed': 'The arbiter gave no usable answer',
  'unknown-clause': 'A clause was named that is not in the policy',
  'no-clause': 'No clause of the policy was named',
  'score-contradicts-rule': 'The score points the other way than the rule that decided',
};

const stops: Record<string, string> = {
  'sides-agree': 'The debate ended early because both sides agreed.',
};

const failures: Record<FailureReason, string> = {
  'unsupported-language': 'cannot judge this language',
  refused: 'the model refused to answer',
  'content-filter': 'the provider’s content filter blocked it',
  malformed: 'the answer was not in the required form',
  truncated: 'the answer was cut off',
  timeout: 'no answer came in time',
  unavailable: 'the model could not be reached',
  budget: 'the budget was used up',
};

/** How an id that has no words here is shown. */
type Shown = (id: string) => string;

const look = (table: Record<string, string>, id: string): string | undefined =>
  Object.hasOwn(table, id) ? table[id] : undefined;

/** A label in words; one that is not known is shown as it is, and drawn as undecided. */
export function describeLabel(label: string): { label: SafetyLabel; title: string; meaning: string } {
  return isLabel(label) ? { label, ...labels[label] } : { label: 'undecided', title: label, meaning: '' };
}

const isLabel = (label: string): label is SafetyLabel => Object.hasOwn(labels, label);

export const nameRule = (id: string, shown: Shown = spaced): string => look(ruleTitles, id) ?? shown(id);
/** What a decision outside the three rules means; undefined for the three rules. */
export const describeOutcome = (id: string): string | undefined => look(outcomes, id);
export const describeDegradation = (kind: string, shown: Shown = spaced): string =>
  look(degradations, kind) ?? shown(kind);
export const describeStop = (reason: string, shown: Shown = spaced): string =>
  look(stops, reason) ?? `The rounds ended: ${shown(reason)}.`;
export const describeFailure = (reason: string, shown: Shown = spaced): string =>
  look(failures, reason) ?? shown(reason);

/** `strict-debater` as `Strict debater`. */
export function nameSeat(id: string): string {
  return id.slice(0, 1).toUpperCase() + spaced(id.slice(1));
}

/** `Strict debater, round 2`. */
export function nameSpeaker(turn: Pick<Turn, 'seat' | 'round'>): string {
  return turn.round === null ? nameSeat(turn.seat) : `${nameSeat(turn.seat)}, round ${turn.round}`;
}

function spaced(id: string): string {
  return id.replaceAll('-', ' ');
}

const grouped = new Intl.NumberFormat('en-US');

export const formatCount = (value: number): string => grouped.format(value);
export const formatPlural = (value: number, noun: string): string =>
  `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`;
export const formatScore = (value: number | null): string => (value === null ? 'none' : value.toFixed(2));
export const formatPercent = (value: number): string => `${Math.round(value * 100)}%`;
export const formatSeconds = (milliseconds: number): string =>
  `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;

export function formatDollars(cost: number | null): string {
  if (cost === null) return 'unknown';
  return `$${cost === 0 ? '0' : cost.toFixed(cost < 0.1 ? 5 : 2)}`;
}
