import { findTurns, isObservation, type Question } from '@agonhq/engine/debate';
import type { ModerationCaseFile } from '@agonhq/judges/moderation';
import type { Glance } from '../minds/glance.ts';
import { judgeAlone } from '../minds/terms.ts';
import { computeMargin, splitPassages, type IsPlain } from '../passages.ts';
import { glanceWeights } from '../weights.ts';
import type { ModerationKit } from './deliberation.ts';

/** What a glance at a case came to. */
export interface Glanced {
  /**
   * The calibrated logit of a text that is harmless as a whole and in each of its sentences; null where it must be
   * read.
   */
  logit: number | null;
  /** Whether the guard itself read a sentence that the glance was not sure of. */
  hasRead: boolean;
  isPlain: IsPlain;
}

/** How many sentences that a glance is not sure of are read by themselves: as many as of a short text that is read. */
const mostRead = 2;

/**
 * Looks at a short text first. Null where nobody may: where somebody argued, and where there is more than the text or a
 * policy of the user's own.
 */
export async function glanceAtCase(
  { caseFile: { sources, modality }, transcript }: Question<ModerationCaseFile>,
  kit: ModerationKit,
): Promise<Glanced | null> {
  const { guard, policy, glanceBelow: below, signal } = kit;
  const [source] = sources;
  if (below === null || !guard.openGlance || findTurns(transcript).length > 0) return null;
  if (modality !== 'text' || sources.length !== 1 || isObservation(source!)) return null;
  if (!(await policy.isDefault())) return null;
  const glance = await guard.openGlance();
  const isPlain: IsPlain = async (passage) => {
    const logit = await glance.read(passage, { signal });
    return logit !== null && logit < below + glanceWeights.passages;
  };
  return { ...(await glanceAtText(source!.text, glance, below, kit)), isPlain };
}

/**
 * What is sure as a whole, and has a sentence or two that are not, is not read whole: these alone are, and must come
 * out as far below the bar as a glance must.
 */
async function glanceAtText(
  text: string,
  glance: Glance,
  below: number,
  { guard, weights, signal }: ModerationKit,
): Promise<Omit<Glanced, 'isPlain'>> {
  const unsure = { logit: null, hasRead: false };
  const whole = await glance.read(text, { signal });
  if (whole === null || whole >= below) return unsure;
  const passages = splitPassages(text);
  if (passages.length < 2) return { logit: whole, hasRead: false };
  const words = passages.map(({ start, end }) => text.slice(start, end));
  const logits = await Promise.all(words.map((passage) => glance.read(passage, { signal })));
  const doubtful = words.filter((_, at) => logits[at] === null || logits[at]! >= below + glanceWeights.passages);
  if (doubtful.length > mostRead) return unsure;
  const readings = await Promise.all(doubtful.map((passage) => guard.read(passage, { signal })));
  const read = readings.map((reading) => judgeAlone(guard.terms.text, reading.logits));
  const margin = computeMargin(passages.length, weights.passages);
  if (read.some((logit) => logit - margin >= below)) return unsure;
  const sure = logits.filter((logit) => logit !== null && logit < below + glanceWeights.passages);
  const worst = Math.max(whole, ...[...sure, ...read].map((logit) => logit! - margin));
  return { logit: worst, hasRead: doubtful.length > 0 };
}
