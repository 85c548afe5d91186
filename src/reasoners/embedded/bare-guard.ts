import fittedWeights from '../../../models/guard-1/weights.json' with { type: 'json' };
import type { Content } from '../../moderation/index.ts';
import { openGuard } from './guard/index.ts';
import { probability } from './moderation/deliberation.ts';

/** The guard's calibrated score for a content and nothing else, no debate: the control that the debate has to beat. */
export async function bareGuard({ text, images = [] }: Content): Promise<{ label: 'safe' | 'unsafe' | 'undecided'; probability: number | null }> {
  const descriptions = images.flatMap((image) => ('description' in image ? [image.description] : []));
  const guard = await openGuard();
  const { scale, threshold } = fittedWeights;
  const words = [...(text === undefined ? [] : [text]), ...descriptions].join(' || ');
  if (words === '') return { label: 'undecided', probability: null };
  const { logits } = await guard.read(words);
  const [logit, { slope, intercept }] =
    descriptions.length === 0 ? [logits.content, scale.text] as const
    : text === undefined ? [logits.image, scale.image] as const
    : [logits.pair, scale['text+image']] as const;
  const chance = probability(slope * logit + intercept);
  return { label: chance >= threshold ? 'unsafe' : 'safe', probability: chance };
}
