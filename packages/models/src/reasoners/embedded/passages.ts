import { splitMessageSentences, type TextRange } from '@agonhq/engine/text';
import type { GuardModel } from './guard.ts';
import type { GuardReading } from './text-models/heads.ts';
import { judgeAlone } from './text-models/terms.ts';
import { rangeLogits } from './runtime/index.ts';

/** When a passage is read on its own and how much it counts, as calibrated logits. */
export interface PassageWeights {
  /** From this logit on a text is decided as a whole, and a passage as soon as it stands there. */
  certain: number;
  /** What the worst of several passages must stand above a text that is read whole to count as much. */
  margin: number;
  /** More passages are more draws: what each doubling of their number adds to the margin. */
  perDoubling: number;
}

/** A passage as the guard reads it alone. */
export interface ReadPassage extends TextRange {
  /** Less the margin: comparable with the logit of a whole text. */
  logit: number;
  margin: number;
  reading: GuardReading;
}

/** What a passage of a text must stand below as the whole is read, for a first pass at it to be enough. */
const harmlessWithin = -1;

/** Who reads passages, and by what. */
export interface PassageReading {
  guard: GuardModel;
  weights: PassageWeights;
  /**
   * Whether a first pass over a passage is enough, where it looks harmless in the whole as well; where there is no
   * first pass, all suspects are read.
   */
  isPlain?: IsPlain | null;
  signal: AbortSignal;
}

export type IsPlain = (passage: string) => Promise<boolean>;

const longestPassage = 60;
const shortestStep = 30;
/**
 * How many suspects are read on their own: two of a short text, more of a long one. Harm between harmless sentences is
 * nearly always the first or second by what the whole's reading says, however low it is held there.
 */
const most = { few: 2, perWindow: 1, many: 16 };

/**
 * The worst passage of a text, read without what surrounds it: what stands between harmless words is diluted by them.
 * The reading of the whole says which passages are suspect; the most suspect are read first, and nothing more once one
 * of them decides.
 */
export async function readWorstPassage(
  text: string,
  whole: GuardReading,
  { guard, weights, isPlain, signal }: PassageReading,
): Promise<ReadPassage | null> {
  const judge = ({ logits }: GuardReading) => judgeAlone(guard.terms.text, logits);
  if (judge(whole) >= weights.certain) return null;
  const passages = splitPassages(text);
  if (passages.length < 2) return null;
  const margin = computeMargin(passages.length, weights);
  const count = Math.min(most.many, most.few + most.perWindow * (whole.byWindow.length - 1));
  const looksHarmless = isPlain ? findHarmless(passages, whole) : () => false;
  const suspects = rangeLogits(passages, whole, 'content')
    .toSorted((a, b) => b.logit - a.logit)
    .slice(0, count);
  let worst: ReadPassage | null = null;
  for (let at = 0; at < suspects.length; at += most.few) {
    const readings = await Promise.all(
      suspects.slice(at, at + most.few).map(async ({ start, end }): Promise<ReadPassage | null> => {
        const passage = text.slice(start, end);
        if (looksHarmless(start) && (await isPlain?.(passage))) return null;
        const reading = await guard.read(passage, { signal });
        return { start, end, reading, margin, logit: judge(reading) - margin };
      }),
    );
    for (const passage of readings) if (passage && (!worst || passage.logit > worst.logit)) worst = passage;
    if (worst && worst.logit >= weights.certain) break;
  }
  return worst;
}

/** Whether a passage that begins at a place looks harmless as the whole is read: to the head that decides, too. */
function findHarmless(passages: readonly TextRange[], whole: GuardReading): (start: number) => boolean {
  const harmful = new Set(
    (['content', 'strict'] as const).flatMap((head) =>
      rangeLogits(passages, whole, head).flatMap(({ start, logit }) => (logit < harmlessWithin ? [] : [start])),
    ),
  );
  return (start) => !harmful.has(start);
}

/** What one of so many passages must stand above a text that is read whole to count as much. */
export function computeMargin(passages: number, { margin, perDoubling }: PassageWeights): number {
  return margin + perDoubling * Math.log2(passages);
}

/** Sentences; a long one in overlapping stretches of at most sixty words. */
export function splitPassages(text: string): TextRange[] {
  return splitMessageSentences(text).flatMap((sentence) => {
    const words = [...text.slice(sentence.start, sentence.end).matchAll(/\S+/g)];
    if (words.length <= longestPassage) return [sentence];
    const ranges: TextRange[] = [];
    for (let from = 0; ; from += shortestStep) {
      const last = words[Math.min(from + longestPassage, words.length) - 1]!;
      ranges.push({
        start: sentence.start + words[from]!.index,
        end: sentence.start + last.index + last[0].length,
      });
      if (from + longestPassage >= words.length) return ranges;
    }
  });
}
