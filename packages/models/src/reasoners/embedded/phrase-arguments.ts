import type { ExonerationKind } from './exoneration.ts';
import { joinWithAnd, pattern, shortenCharacters, toOneLine } from '@agonhq/engine/text';

/** How a benign context is named in an argument. */
export const contextNames: Record<ExonerationKind, string> = {
  refusal: 'a refusal to help with harm',
  condemnation: 'a condemnation of harm',
  prevention: 'prevention or protection',
  'self-defence': 'self-defence',
  quotation: 'the words of somebody else',
  negation: 'a rejection of the harm it names',
  fiction: 'a work of fiction',
  news: 'a report of events',
  education: 'an educational setting',
  figurative: 'a figure of speech',
};

/** What a benign context says for the author, around the quotation of it. */
const contextReasons: Record<ExonerationKind, (quote: string) => string> = {
  refusal: (quote) => `${quote} is a refusal to help with harm, which is the opposite of doing it`,
  condemnation: (quote) => `${quote} condemns what it speaks of`,
  prevention: (quote) => `${quote} shows what it is for: to keep harm away from somebody`,
  'self-defence': (quote) => `${quote} speaks of defending oneself, not of attacking anybody`,
  quotation: (quote) => `${quote} marks these as the words of somebody else, and to repeat them is not to mean them`,
  negation: (quote) => `${quote} rejects the harm that it names`,
  fiction: (quote) => `${quote} places this in a work of fiction, where nobody is really harmed`,
  news: (quote) => `${quote} marks this as a report of events, and to report them is not to call for them`,
  education: (quote) => `${quote} is how people write who teach or study a subject`,
  figurative: (quote) => `${quote} is a figure of speech, by which nobody comes to harm`,
};

/** Why a benign context speaks for the author, as part of a sentence that begins with its quotation. */
export function explainContext({ kind, quote }: { kind: ExonerationKind; quote: string }): string {
  return contextReasons[kind](quoted(quote));
}

/** A quotation inside a sentence, kept short. */
export function quoted(passage: string): string {
  return `“${shortenCharacters(toOneLine(passage).replace(/(?<![.…,;:])[.…,;:]+$/, ''), 90)}”`;
}

/** A sentence that ends in a quotation, which may bring its own mark. */
export function endSentence(words: string): string {
  return /[?!]”$/.test(words) ? words : `${words}.`;
}

/** The first few passages, quoted; at most so many. */
export function quoteSome(passages: readonly string[], most = 2): string {
  return joinWithAnd(passages.slice(0, most).map(quoted));
}

/** Whether a passage is nearly all of a text: to say that it stands out would say nothing. */
export function isWhole(passage: string, text: string): boolean {
  return passage.length > 0.8 * toOneLine(text).length;
}

/** What somebody does by saying something: ask for it, say it to a person, or tell of it. */
export type SpeechAct = 'request' | 'address' | 'account';

const asking = pattern('i')`
  \?["”’')\s]*$
  |^["“‘'(\s]*(?:please\s+\w|(?:now\s+|hey,?\s+|ok(?:ay)?,?\s+)?(?:how|what(?!\s+an?\b)|which|where|when|who|why|can
  |could|would|will|is|are|does|do|write|give|tell|make|explain|help|build|create|draft|list|suggest|show|describe
  |generate|find|design|invent|rank|compose|translate|summari[sz]e|teach|pretend|imagine|act
  |i\s+(?:need|want)\s+(?:a|an|to|some|you)|i['’]?m\s+looking\s+for|looking\s+for|need\s+(?:a|an|some))\b)`;
const addressing = /\b(?:you|your|yours|yourself|u|ur|kys)\b|@\w/i;

/** Told by the words that it begins and ends with; what tells nothing is taken for an account. */
export function findSpeechAct(text: string): SpeechAct {
  const line = toOneLine(text);
  if (asking.test(line)) return 'request';
  return addressing.test(line) ? 'address' : 'account';
}

/** A verdict that is near the bar: a role says so instead of sounding sure. */
export function isClose(fromBar: number): boolean {
  return Math.abs(fromBar) < 0.6;
}

/** Nothing speaks for the other reading. */
export function isPlain(fromBar: number): boolean {
  return Math.abs(fromBar) >= 3;
}

/** How far a logit stands from the bar, in a word: `just above`, `far below`. */
export function distance(fromBar: number): string {
  const size = Math.abs(fromBar);
  const word = size < 0.6 ? 'just' : size < 1.7 ? 'somewhat' : size < 3 ? 'clearly' : 'far';
  return `${word} ${fromBar >= 0 ? 'above' : 'below'}`;
}
