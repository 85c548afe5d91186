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
export function letterPairs(text: string): readonly bigint[] {
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
