import { toStorable } from '../database/stored-json.ts';

const longest = 160;

/** Members that hold words of the subject, in the order in which a reader wants them. */
const textMembers = [
  'text',
  'claim',
  'prompt',
  'response',
  'conversation',
  'messages',
  'content',
  'description',
  'images',
  'documents',
  'title',
  'name',
];

/** All that is not a single space already: replacing each of those by itself would take longer than the rest. */
const blanks = /[\s\p{Cc}]{2,}|[^\S ]|\p{Cc}/gu;

/** The first words of what was judged, on one line. */
export function makeExcerpt(content: unknown): string {
  const words = [...collectTexts(content, 0)].join(' · ').replace(blanks, ' ').trim();
  return toStorable(words.length <= longest ? words : `${words.slice(0, longest - 1).trimEnd()}…`);
}

function* collectTexts(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value.slice(0, longest * 4);
  if (value === null || typeof value !== 'object' || depth > 4) return;
  if (Array.isArray(value)) for (const member of value.slice(0, 4)) yield* collectTexts(member, depth + 1);
  else for (const name of textMembers) yield* collectTexts((value as Record<string, unknown>)[name], depth + 1);
}

/**
 * How many numbers hold the pairs of a text: with four, the usual word passes one text in fifty that does not hold
 * it.
 */
const numbers = 4;

const space = 32;

/**
 * Which pairs of neighbouring letters a text holds, as bits of a few numbers. What holds a word holds all its pairs:
 * so most texts are ruled out by a few numbers, and only the rest is read letter by letter.
 */
export function hashLetterPairs(text: string): readonly bigint[] {
  const bits = new BigInt64Array(numbers);
  const parts = new Int32Array(bits.buffer);
  for (let place = 1; place < text.length; place += 1) {
    const left = text.charCodeAt(place - 1);
    const right = text.charCodeAt(place);
    // No word that is looked for has a space in it.
    if (left === space || right === space) continue;
    const bit = Math.imul(Math.imul(left, 0x9e3779b1) + right, 0x85ebca6b) >>> 24;
    parts[bit >> 5]! |= 1 << (bit & 31);
  }
  return [...bits];
}
