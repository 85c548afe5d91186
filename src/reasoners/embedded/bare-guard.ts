import type { Content } from '../../moderation/index.ts';
import { openGuard } from './guard/index.ts';
import { probability } from './moderation/deliberation.ts';
import { calibratedLogit, shippedWeights } from './weights.ts';

/** The guard's calibrated score for a content and nothing else, no debate: the control that the debate has to beat. */
export async function bareGuard({ text, images = [] }: Content): Promise<{ label: 'safe' | 'unsafe' | 'undecided'; probability: number | null }> {
  const descriptions = images.flatMap((image) => ('description' in image ? [image.description] : []));
  const words = [...(text === undefined ? [] : [text]), ...descriptions].join(' || ');
  if (words === '') return { label: 'undecided', probability: null };
  const { logits } = await (await openGuard()).read(words);
  const head = descriptions.length === 0 ? 'content' : text === undefined ? 'image' : 'pair';
  const chance = probability(calibratedLogit(shippedWeights, head, logits[head]));
  return { label: chance >= shippedWeights.threshold ? 'unsafe' : 'safe', probability: chance };
}
