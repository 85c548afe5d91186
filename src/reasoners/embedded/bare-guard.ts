import type { Content } from '../../jobs/moderation/index.ts';
import { openGuard, type GuardHead, type GuardModel, type GuardReading } from './guard/index.ts';
import { probability } from './moderation/deliberation.ts';
import { calibratedLogit, shippedWeights, type Weights } from './weights.ts';
import { joinParts } from '../../text/index.ts';

/** The guard's calibrated score for a content and nothing else, no debate: the control that the debate has to beat. */
export async function bareGuard({
  text,
  images = [],
}: Content): Promise<{ label: 'safe' | 'unsafe' | 'undecided'; probability: number | null }> {
  const descriptions = images.flatMap((image) => ('description' in image ? [image.description] : []));
  const alone = await guardAlone({ text, descriptions }, await openGuard(), shippedWeights);
  if (!alone) return { label: 'undecided', probability: null };
  const chance = probability(alone.logit);
  return { label: chance >= shippedWeights.threshold ? 'unsafe' : 'safe', probability: chance };
}

/** What the guard makes of a content that it reads as one message. */
export interface GuardAlone {
  /** The message, and where each of its parts stands in it. */
  words: string;
  parts: readonly { start: number; end: number }[];
  head: GuardHead;
  reading: GuardReading;
  /** Calibrated. */
  logit: number;
}

/** One pass of the guard over a text with what its images show; null where there are no words. */
export async function guardAlone(
  { text, descriptions }: { text: string | undefined; descriptions: readonly string[] },
  guard: GuardModel,
  weights: Weights,
  options?: { signal?: AbortSignal },
): Promise<GuardAlone | null> {
  const texts = [...(text === undefined ? [] : [text]), ...descriptions];
  const { text: words, places } = joinParts(texts);
  if (words === '') return null;
  const head = descriptions.length === 0 ? 'content' : text === undefined ? 'image' : 'pair';
  const reading = await guard.read(words, options);
  return { words, parts: places, head, reading, logit: calibratedLogit(weights, head, reading.logits[head]) };
}
