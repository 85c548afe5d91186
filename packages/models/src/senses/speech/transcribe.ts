import type { HeardWords } from '@agonhq/judges/job/job-kit';
import { sampleRate, windowSeconds } from './log-mel.ts';
import type { HeardWindow, Whisper } from './whisper.ts';

export interface HeardTranscript {
  /** As `en`, `de` …: what most of the words are in; null where nobody speaks. */
  language: string | null;
  segments: HeardWords[];
}

/** From these on a window is taken to hold no speech: the model says so, and its words are not sure either. */
const unspoken = { noSpeech: 0.6, logProbability: -0.8 };

/** The root mean square under which a window is silent: a fraction of what microphones hum. */
const silence = 0.000_3;

/**
 * Writes down what is said, window after window. Each begins where the last whole sentence ended, so that no word is
 * cut in two.
 */
export async function transcribe(samples: Float32Array, whisper: Whisper): Promise<HeardTranscript> {
  const segments: HeardWords[] = [];
  const letters = new Map<string, number>();
  let language: string | null = null;
  for (let from = 0; from < samples.length;) {
    const window = samples.subarray(from, from + windowSeconds * sampleRate);
    const seconds = window.length / sampleRate;
    const began = from / sampleRate;
    from += window.length;
    // A last breath has no words.
    if (isSilent(window) || seconds < 0.2) continue;
    const heard = await whisper.listen(window, language);
    if (heard.noSpeech > unspoken.noSpeech && heard.logProbability < unspoken.logProbability) continue;
    const { spoken, until } = splitSegments(heard, whisper.tokens, { seconds, isLast: from >= samples.length });
    if (until !== null) from = Math.round((began + until) * sampleRate);
    language = heard.language;
    for (const segment of spoken) {
      letters.set(language, (letters.get(language) ?? 0) + segment.text.length);
      segments.push({ ...segment, start: round(began + segment.start), end: round(began + segment.end) });
    }
  }
  const [main] = [...letters].toSorted(([, a], [, b]) => b - a);
  return { language: main?.[0] ?? null, segments };
}

/** A window that ends sooner than this is not heard again from there: nothing would be gained. */
const shortestStep = 1;

/** Words between two times; `until` is where to listen on when that is before the window's end. */
function splitSegments(
  { said, isCut }: HeardWindow,
  { firstTime, decode }: Whisper['tokens'],
  { seconds, isLast }: { seconds: number; isLast: boolean },
): { spoken: HeardWords[]; until: number | null } {
  const spoken: HeardWords[] = [];
  let words: number[] = [];
  let start = 0;
  const close = (end: number) => {
    const text = decode(words).trim();
    if (/[\p{L}\p{N}]/u.test(text))
      spoken.push({ start: Math.min(start, seconds), end: Math.min(Math.max(end, start), seconds), text });
    words = [];
  };
  for (const token of said) {
    if (token < firstTime) words.push(token);
    else {
      const time = (token - firstTime) * 0.02;
      if (words.length > 0) close(time);
      start = time;
    }
  }
  const ended = spoken.at(-1)?.end ?? 0;
  // A sentence that the window's end cuts in two is heard again, whole.
  const goesOn = words.length > 0 || (said.at(-1)! >= firstTime && said.at(-2)! >= firstTime);
  if (goesOn && ended > shortestStep && (isCut || !isLast)) return { spoken, until: ended };
  close(seconds);
  return { spoken, until: null };
}

function isSilent(samples: Float32Array): boolean {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(sum / samples.length) < silence;
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
