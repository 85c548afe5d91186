import { isObservation } from '@agonhq/engine/debate';
import type { ModerationCaseFile } from '@agonhq/judges/moderation';
import type { FirstPass } from '../text-models/first-pass.ts';
import { judgeAlone } from '../text-models/terms.ts';
import { computeMargin, splitPassages, type IsPlain } from '../passages.ts';
import { firstPassWeights } from '../weights.ts';
import type { ModerationKit } from './deliberation.ts';

/** What a first pass over a case came to. */
export interface FirstPassResult {
  /**
   * The calibrated logit of a text that is harmless as a whole and in each of its sentences; null where it must be
   * read.
   */
  logit: number | null;
  /** Whether the guard itself read a sentence that the first pass was not sure of. */
  hasRead: boolean;
  isPlain: IsPlain;
}

/**
 * How many sentences that the first pass is not sure of are read by themselves: as many as of a short text that is
 * read.
 */
const mostRead = 2;

/** Looks at a short text first. Null where nobody may: where there is more than the text, or a policy of the user's own. */
export async function makeFirstPass(
  { sources, modality }: ModerationCaseFile,
  kit: ModerationKit,
): Promise<FirstPassResult | null> {
  const { guard, policy, firstPassBelow: below, signal } = kit;
  const [source] = sources;
  if (below === null || !guard.openFirstPass || modality !== 'text') return null;
  if (sources.length !== 1 || isObservation(source!)) return null;
  if (!(await policy.isDefault())) return null;
  const firstPass = await guard.openFirstPass();
  const isPlain: IsPlain = async (passage) => {
    const logit = await firstPass.read(passage, { signal });
    return logit !== null && logit < below + firstPassWeights.passages;
  };
  return { ...(await passText(source!.text, firstPass, below, kit)), isPlain };
}

/**
 * What is sure as a whole, and has a sentence or two that are not, is not read whole: these alone are, and must come
 * out as far below the bar as a first pass must.
 */
async function passText(
  text: string,
  firstPass: FirstPass,
  below: number,
  { guard, weights, signal }: ModerationKit,
): Promise<Omit<FirstPassResult, 'isPlain'>> {
  const unsure = { logit: null, hasRead: false };
  const whole = await firstPass.read(text, { signal });
  if (whole === null || whole >= below) return unsure;
  const passages = splitPassages(text);
  if (passages.length < 2) return { logit: whole, hasRead: false };
  const words = passages.map(({ start, end }) => text.slice(start, end));
  const logits = await Promise.all(words.map((passage) => firstPass.read(passage, { signal })));
  const doubtful = words.filter((_, at) => logits[at] === null || logits[at]! >= below + firstPassWeights.passages);
  if (doubtful.length > mostRead) return unsure;
  const readings = await Promise.all(doubtful.map((passage) => guard.read(passage, { signal })));
  const read = readings.map((reading) => judgeAlone(guard.terms.text, reading.logits));
  const margin = computeMargin(passages.length, weights.passages);
  if (read.some((logit) => logit - margin >= below)) return unsure;
  const sure = logits.filter((logit) => logit !== null && logit < below + firstPassWeights.passages);
  const worst = Math.max(whole, ...[...sure, ...read].map((logit) => logit! - margin));
  return { logit: worst, hasRead: doubtful.length > 0 };
}
