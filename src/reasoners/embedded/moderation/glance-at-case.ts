import { findTurns, isObservation, type Question } from '../../../debate/index.ts';
import type { ModerationCaseFile } from '../../../jobs/moderation/index.ts';
import type { Glance } from '../minds/glance.ts';
import { splitPassages } from '../passages.ts';
import { glanceWeights, type Weights } from '../weights.ts';
import type { ModerationKit } from './deliberation.ts';

/**
 * The calibrated logit of a short text that a glance is sure of: harmless as a whole and in each of its sentences.
 * Null where it must be read: where somebody argued, where there is more than the text or a policy of the user's own,
 * and wherever the glance is not sure.
 */
export async function glanceAtCase(
  { caseFile: { sources, modality }, transcript }: Question<ModerationCaseFile>,
  { guard, policy, weights, glanceBelow, signal }: ModerationKit,
): Promise<number | null> {
  const [source] = sources;
  if (glanceBelow === null || !guard.openGlance || findTurns(transcript).length > 0) return null;
  if (modality !== 'text' || sources.length !== 1 || isObservation(source!)) return null;
  if (!(await policy.isDefault())) return null;
  return glanceAtText(source!.text, await guard.openGlance(), { below: glanceBelow, weights, signal });
}

async function glanceAtText(
  text: string,
  glance: Glance,
  { below, weights, signal }: { below: number; weights: Weights; signal: AbortSignal },
): Promise<number | null> {
  const whole = await glance.read(text, { signal });
  if (whole === null || whole >= below) return null;
  const passages = splitPassages(text);
  if (passages.length < 2) return whole;
  const margin = weights.passages.margin + weights.passages.perDoubling * Math.log2(passages.length);
  const logits = await Promise.all(passages.map(({ start, end }) => glance.read(text.slice(start, end), { signal })));
  if (logits.some((logit) => logit === null || logit >= below + glanceWeights.passages)) return null;
  return Math.max(whole, ...logits.map((logit) => logit! - margin));
}
