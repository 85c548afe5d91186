import type { SafetyLabel } from '@agonhq/engine/debate';
import type { CompletionQuestion, TokenPlace } from '@agonhq/models/reasoners';
import type { Dialogue } from './external-system.ts';

/** How a prompt travels: as messages that the server's template builds the prompt from, or as the whole prompt. */
export const transports = ['chat', 'completions'] as const;
export type Transport = (typeof transports)[number];

export interface GuardQuestion {
  /** Which of its guidelines a guard is asked about; null where it knows them all. */
  about: string | null;
  question: CompletionQuestion;
}

export interface GuardAnswer {
  about: string | null;
  text: string;
  places: readonly TokenPlace[] | null;
}

/** What an answer says, never guessed: words that are none of its guard's are undecided. */
export interface ExternalReading {
  label: SafetyLabel;
  /** How likely it is unsafe; null where the server does not tell. */
  score: number | null;
  /** What it violates, in the guard's own words. */
  categories: readonly string[];
}

/** A guard model: the prompt it was trained on and how its answers are read. */
export interface ExternalGuard {
  /** Its templates: with them its judgements change. */
  prompt: string;
  transport: Transport;
  options: Readonly<Record<string, string>>;
  maxOutputTokens: number;
  /** Why it says nothing of a content that nobody answered; null where it does. */
  needsResponse: string | null;
  ask(dialogue: Dialogue): readonly GuardQuestion[];
  read(answer: GuardAnswer): ExternalReading;
}

export const undecided: ExternalReading = { label: 'undecided', score: null, categories: [] };

/** Of several readings the worst: one violated guideline is enough, and one that is not known leaves the rest open. */
export function worstReading(readings: readonly ExternalReading[]): ExternalReading {
  const label =
    (['unsafe', 'undecided'] as const).find((one) => readings.some((reading) => reading.label === one)) ?? 'safe';
  const known = readings.flatMap(({ score }) => score ?? []);
  return {
    label,
    // What is not known could be more than all the rest, which matters until it is too much anyway.
    score: known.length > 0 && (label === 'unsafe' || known.length === readings.length) ? Math.max(...known) : null,
    categories: readings.flatMap(({ categories }) => categories),
  };
}

/**
 * How likely one word was at a place, held against the others: P(word) / ΣP(words). A word that is not among the
 * alternatives is less likely than all of them and counts as impossible; null where none of the words is there.
 */
export function wordProbability(word: string, words: readonly string[], place: TokenPlace | undefined): number | null {
  return place
    ? (shareOf(word, words, place, (token) => token) ??
        shareOf(
          word.toLowerCase(),
          words.map((one) => one.toLowerCase()),
          place,
          bare,
        ))
    : null;
}

function shareOf(
  word: string,
  words: readonly string[],
  place: TokenPlace,
  spelled: (token: string) => string,
): number | null {
  const chances = words.map((one) =>
    place.filter(({ token }) => spelled(token) === one).reduce((sum, { logprob }) => sum + Math.exp(logprob), 0),
  );
  const all = chances.reduce((sum, chance) => sum + chance, 0);
  return all > 0 ? chances[words.indexOf(word)]! / all : null;
}

/**
 * Where the first of some words stands as a whole: models say line breaks, or `[Answer]`, before it, and may spell it
 * in pieces.
 */
export function findWord(words: readonly string[], places: readonly TokenPlace[] | null): TokenPlace | undefined {
  let before = '';
  for (const place of places ?? []) {
    const said = place[0]?.token ?? '';
    const begins = /[^\p{L}\p{N}]$/u.test(before) || before === '' || /^[^\p{L}\p{N}]|^Ġ/u.test(said);
    if (begins && words.includes(bare(said))) return place;
    before += said;
  }
  return undefined;
}

/** Tokenizers mark the space before a word in ways of their own. */
function bare(token: string): string {
  return token.replaceAll(/[\s▁Ġ]/gu, '').toLowerCase();
}
