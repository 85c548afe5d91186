import { hashOf } from '../hash.ts';

/** The rule by which answers are sealed: how long something took is left out. */
export const sealVersion = 1;

/** Closes an answer: from here on, any change to it shows but for how long it took. */
export function sealAnswer<Content extends object>(content: Content): Content & { sealVersion: number; seal: string } {
  const sealed = { ...content, sealVersion };
  return { ...sealed, seal: hashAnswer(sealed) };
}

/**
 * The seal that an answer should have: the hash of all of it but the seal, as canonical JSON. The same judgement has
 * the same seal, however long it took.
 */
export function hashAnswer(answer: object & { seal?: string }): string {
  const { seal: _, ...content } = answer;
  return hashOf(leaveTimingOut(content));
}

/** Of an answer, and of the sealed parts that it may have: the claims of an analysis. */
function leaveTimingOut(answer: object): object {
  const copy: Record<string, unknown> = { ...answer };
  if (isObject(copy['usage'])) copy['usage'] = withoutLatency(copy['usage']);
  for (const [name, value] of Object.entries(copy))
    if (Array.isArray(value))
      copy[name] = value.map((part: unknown) => {
        if (!isObject(part)) return part;
        if (name === 'transcript') return withoutLatency(part);
        return 'seal' in part ? leaveTimingOut(part) : part;
      });
  return copy;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutLatency(part: Record<string, unknown>): object {
  const { latencyMs: _, ...rest } = part;
  return rest;
}
