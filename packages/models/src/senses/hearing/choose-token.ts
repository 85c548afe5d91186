import type { WhisperTokens } from './whisper-tokens.ts';

/** The latest second at which a window's first words may begin, in signs of 20 ms. */
const latestStart = 50;

/**
 * The likeliest next sign among those that may follow, with its log probability. Words stand between two times, times
 * never go back, and where all times together are likelier than any word, a time follows.
 */
export function chooseToken(
  logits: Float32Array,
  said: readonly number[],
  tokens: WhisperTokens,
): { token: number; logProbability: number } {
  const { end, firstTime, noTimes } = tokens;
  const allowed = logits.slice();
  const forbid = (from: number, to: number) => allowed.fill(-Infinity, from, to);
  for (const token of tokens.never) allowed[token] = -Infinity;
  forbid(end + 1, firstTime);
  allowed[noTimes] = -Infinity;

  const [last, before] = [said.at(-1), said.at(-2)];
  const isTime = (token: number | undefined) => token !== undefined && token >= firstTime;
  if (last === undefined) {
    for (const token of tokens.neverFirst) allowed[token] = -Infinity;
    forbid(0, firstTime);
    forbid(firstTime + latestStart + 1, allowed.length);
  } else if (isTime(last)) {
    if (before === undefined || isTime(before)) forbid(firstTime, allowed.length);
    else forbid(0, end);
  }
  const latest = said.findLast(isTime);
  if (latest !== undefined) forbid(firstTime, isTime(last) && !isTime(before) ? latest : latest + 1);

  const scale = sumExponents(allowed, 0, allowed.length);
  const times = sumExponents(allowed, firstTime, allowed.length);
  if (times > Math.max(...allowed.subarray(0, firstTime))) forbid(0, firstTime);
  const token = findLargest(allowed, 0, allowed.length);
  return { token, logProbability: allowed[token]! - scale };
}

/** The probabilities of some signs among all. */
export function probabilityOf(logits: Float32Array, token: number): number {
  return Math.exp(logits[token]! - sumExponents(logits, 0, logits.length));
}

export function findLargest(values: Float32Array, from: number, to: number): number {
  let largest = from;
  for (let index = from + 1; index < to; index += 1) if (values[index]! > values[largest]!) largest = index;
  return largest;
}

/** The logarithm of the sum of exponents. */
function sumExponents(values: Float32Array, from: number, to: number): number {
  let most = -Infinity;
  for (let index = from; index < to; index += 1) if (values[index]! > most) most = values[index]!;
  if (most === -Infinity) return most;
  let sum = 0;
  for (let index = from; index < to; index += 1) sum += Math.exp(values[index]! - most);
  return most + Math.log(sum);
}
