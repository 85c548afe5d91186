import type { FailureReason, SafetyLabel, Turn } from '../debate/index.ts';

/*
 * Characters that cannot be seen, or that reorder what is around them, and can so make a page say what its text
 * does not say. What scripts and emoji need stays: joiners between non-ASCII characters, one variation selector,
 * the flags of England, Scotland and Wales, Arabic number signs.
 */
const nations = String.raw`\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073}`;
const innocent = String.raw`\r(?=\n)|\u{1f3f4}\u{e0067}\u{e0062}(?:${nations})\u{e007f}`;
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
  undecided: { title: 'Undecided', meaning: 'The debate reached no decision. A person has to review it.' },
};

/** Who or what decided, where it is none of a job's own rules. */
export const deciders: Record<string, string> = {
  'panel-vote': 'the vote of the panel',
  'nobody-heard': 'nobody: no seat answered',
  'unsupported-language': 'nobody: the language could not be judged',
  'evidence-struck': 'nobody: the evidence was struck',
  unseen: 'nobody: the content could not be seen',
  unreadable: 'nobody: a part of it could not be read',
  judge: 'the judge',
  majority: 'the majority of the votes',
  tie: 'nobody: the votes are split',
  'allowed-by-policy': 'the policy, which allows what was found',
  'refusal-matched': 'a refusal phrase',
  'no-refusal-matched': 'the absence of a refusal phrase',
};

/** How the methods judge that a debate is compared with. */
export const baselines: Record<'vote' | 'role-free' | 'control', { title: string; how: string }> = {
  vote: {
    title: 'Independent votes',
    how: 'The models of the debate judged on their own, without a debate. The majority decides; a tie is undecided.',
  },
  'role-free': {
    title: 'Debate without roles',
    how:
      'The models of the debate argued in rounds without a role of their own. The majority of the last round ' +
      'decides; a tie is undecided.',
  },
  control: {
    title: 'Compute-matched votes',
    how: 'The tokens of a debate were spent on independent votes instead. The majority decides; a tie is undecided.',
  },
};

const degradations: Record<string, string> = {
  fallback: 'A seat gave no usable answer; a fallback took its place',
  'struck-evidence': 'A quotation is not in the content and was struck',
  'unseen-image': 'An image could not be seen',
  'unheard-recording': 'A part of a recording was not judged',
  'arbiter-failed': 'The arbiter gave no usable answer',
  'unknown-clause': 'A clause was named that is not in the policy',
  'no-clause': 'No clause of the policy was named',
  'cut-prompt': 'A prompt was longer than the model’s context, and was cut',
  'unjudged-clause': 'A clause of which the reasoner knows too little to be relied on',
  'decided-otherwise': 'A person decided the same content otherwise',
  'score-contradicts-rule': 'The score contradicts the rule that decided',
};

export const stops: Record<string, string> = {
  'sides-agree': 'The debate ended early because both sides agreed.',
  'tokens-spent': 'The votes ended here: the tokens of the debate were spent.',
  'votes-cast': 'The votes ended here: there were as many as the debate has turns.',
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

/** How well a model tells a clause of the user's own, from its violations when each in turn is unknown to it. */
export function describeReliability({
  model,
  recognised,
  of,
  judged,
}: {
  model: string;
  recognised: number;
  of: number;
  judged: boolean;
}): string {
  return (
    `${model} recognises ${recognised} of ${of} violations that it had not seen` +
    (judged ? '.' : ', too little to rely on. Add violations, or seat an LLM.')
  );
}

/** How an id that has no words here is shown. */
type Shown = (id: string) => string;

/** What a table says of an id from outside; undefined where it does not list it. */
export function findWords<Words>(table: Readonly<Record<string, Words>>, id: string | null): Words | undefined {
  return id !== null && Object.hasOwn(table, id) ? table[id] : undefined;
}

/** An id, and its words; null where it has none. */
export interface Phrase {
  id: string;
  words: string | null;
}

export function showPhrase({ id, words }: Phrase, show: Shown = spaced): string {
  return words ?? show(id);
}

/** A label in words; one that is not known is shown as it is, and drawn as undecided. */
export function describeLabel(label: string): { label: SafetyLabel; title: string; meaning: string } {
  return isLabel(label) ? { label, ...labels[label] } : { label: 'undecided', title: label, meaning: '' };
}

const isLabel = (label: string): label is SafetyLabel => Object.hasOwn(labels, label);

export const nameRule = (id: string, shown: Shown = spaced): string => findWords(deciders, id) ?? shown(id);
export const describeDegradation = (kind: string, shown: Shown = spaced): string =>
  findWords(degradations, kind) ?? shown(kind);
/** What went less well, each reason once with all the places where it did: six seats may be without one model. */
export function groupDegradations(
  degraded: readonly { kind: string; at: string; detail: string }[],
): { kind: string; places: string[]; detail: string }[] {
  const groups = Map.groupBy(degraded, ({ kind, detail }) => `${kind}\n${detail}`);
  return [...groups.values()].map((alike) => ({
    kind: alike[0]!.kind,
    places: alike.map(({ at }) => at),
    detail: alike[0]!.detail,
  }));
}

export const describeStop = (reason: string, shown: Shown = spaced): string =>
  findWords(stops, reason) ?? `The rounds ended: ${shown(reason)}.`;
export const describeFailure = (reason: string, shown: Shown = spaced): string =>
  findWords(failures, reason) ?? shown(reason);

/** `strict-debater` as `Strict debater`, `auditor#2` as `Auditor 2`. */
export function nameSeat(id: string): string {
  return id.slice(0, 1).toUpperCase() + spaced(id.slice(1)).replace('#', ' ');
}

/** `Strict debater, round 2`. The rounds of the control, whose one seat votes again and again, are votes. */
export function nameSpeaker({ seat, round }: Pick<Turn, 'seat' | 'round'>): string {
  if (round === null) return nameSeat(seat);
  return seat === 'control' ? `Vote ${round}` : `${nameSeat(seat)}, round ${round}`;
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
/** A moment of a recording: `0:07–0:09`, or `0:07` where it is one second. */
export function formatSpan({ from, to }: { from: number; to: number }): string {
  const first = Math.floor(from);
  const last = from === to ? first : Math.ceil(to);
  return first === last ? formatClock(first) : `${formatClock(first)}–${formatClock(last)}`;
}

function formatClock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(seconds % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

export const formatSeconds = (milliseconds: number): string =>
  `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;

export function formatDollars(cost: number | null): string {
  if (cost === null) return 'unknown';
  return `$${cost === 0 ? '0' : cost.toFixed(cost < 0.1 ? 5 : 2)}`;
}
