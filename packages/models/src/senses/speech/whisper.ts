import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { importRuntime } from '../../model-runtime.ts';
import { sessionOptions } from '../runtime/network.ts';
import { computeLogMel, melBands, melFrames } from './log-mel.ts';
import type { WhisperTokens } from './whisper-tokens.ts';

/** What was heard in a window of thirty seconds. */
export interface HeardWindow {
  language: string;
  /** How likely the language is. */
  sure: number;
  /** How likely it is that nobody speaks. */
  noSpeech: number;
  /** The mean over the signs. */
  logProbability: number;
  /** Words and times. */
  said: number[];
  /** There was more to write than a window holds. */
  isCut: boolean;
}

export interface Whisper {
  tokens: WhisperTokens;
  /** `language`: in which to write where the window itself does not tell. */
  listen(samples: Float32Array, language: string | null): Promise<HeardWindow>;
}

type Runtime = typeof import('onnxruntime-node');

interface WhisperFiles {
  encoder: Uint8Array;
  decoder: Uint8Array;
  tokens: WhisperTokens;
}

/** Signs after which a window is cut off: speech of thirty seconds has fewer. */
const mostSigns = 224;

/** From here on the window itself says which language is spoken. */
const sureLanguage = 0.5;

/** Loads Whisper into this thread, which listening blocks. */
export async function openWhisper({ encoder, decoder, tokens }: WhisperFiles, threads: number): Promise<Whisper> {
  const runtime = await importRuntime();
  const options = sessionOptions(threads);
  const listening = await runtime.InferenceSession.create(encoder, options);
  const writer = await runtime.InferenceSession.create(decoder, options);
  return {
    tokens,
    async listen(samples, language) {
      const mel = new runtime.Tensor('float32', computeLogMel(samples), [1, melBands, melFrames]);
      const { last_hidden_state: heard } = await listening.run({ input_features: mel }, ['last_hidden_state']);
      return writeDown(createWriter(runtime, writer, heard as Tensor), tokens, language);
    },
  };
}

type WriteNext = (token: number) => Promise<Float32Array>;

/** Takes one sign and says how likely each next one is; what was computed for the ones before is kept. */
function createWriter(runtime: Runtime, session: InferenceSession, heard: Tensor): WriteNext {
  const kept = new Map<string, Tensor>();
  const names = session.inputNames.filter((name) => name.startsWith('past_key_values.'));
  const [, heads, , width] = shapeOf(session, names[0]!);
  let isFirst = true;
  return async (token) => {
    const feeds: Record<string, Tensor> = {
      input_ids: new runtime.Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
      encoder_hidden_states: heard,
      use_cache_branch: new runtime.Tensor('bool', [!isFirst], [1]),
    };
    for (const name of names)
      feeds[name] = kept.get(name) ?? new runtime.Tensor('float32', new Float32Array(0), [1, heads!, 0, width!]);
    const computed = await session.run(feeds);
    for (const name of names) {
      // What was heard does not change: it is computed once.
      if (isFirst || name.includes('.decoder.'))
        kept.set(name, computed[name.replace('past_key_values', 'present')] as Tensor);
    }
    isFirst = false;
    return computed['logits']!.data as Float32Array;
  };
}

function shapeOf(session: InferenceSession, name: string): number[] {
  const found = session.inputMetadata.find((input) => input.name === name);
  if (!found?.isTensor) throw new Error(`the decoder has no input ${name}`);
  return found.shape.map((side) => (typeof side === 'number' ? side : 0));
}

async function writeDown(next: WriteNext, tokens: WhisperTokens, known: string | null): Promise<HeardWindow> {
  const first = await next(tokens.start);
  const noSpeech = probabilityOf(first, tokens.noSpeech);
  const codes = [...tokens.languages.keys()];
  const [from, to] = [Math.min(...codes), Math.max(...codes) + 1];
  const spoken = first.slice(from, to);
  const guess = from + findLargest(spoken, 0, spoken.length);
  const sure = probabilityOf(spoken, guess - from);
  const before = codes.find((code) => tokens.languages.get(code) === known);
  const language = sure < sureLanguage && before !== undefined ? before : guess;
  await next(language);
  let logits = await next(tokens.transcribe);
  const said: number[] = [];
  let sum = 0;
  while (said.length < mostSigns) {
    const { token, logProbability } = chooseToken(logits, said, tokens);
    sum += logProbability;
    if (token === tokens.end) break;
    said.push(token);
    const loop = findLoop(said);
    if (loop > 0) {
      said.length -= loop * (repeats - 1);
      break;
    }
    logits = await next(token);
  }
  const logProbability = sum / (said.length + 1);
  return {
    language: tokens.languages.get(language)!,
    sure,
    noSpeech,
    logProbability,
    said,
    isCut: said.length === mostSigns,
  };
}

/** So often in a row makes a loop, into which a model falls that hears nothing it knows. */
const repeats = 5;
const longestLoop = 24;

/** How many signs the end repeats; 0 where it does not. */
export function findLoop(said: readonly number[]): number {
  for (let length = 1; length <= longestLoop && length * repeats <= said.length; length += 1) {
    const isLoop = said.slice(-length * (repeats - 1)).every((token, index) => {
      return token === said[said.length - length * repeats + index];
    });
    if (isLoop) return length;
  }
  return 0;
}

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
function probabilityOf(logits: Float32Array, token: number): number {
  return Math.exp(logits[token]! - sumExponents(logits, 0, logits.length));
}

function findLargest(values: Float32Array, from: number, to: number): number {
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
