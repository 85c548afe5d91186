import type { GuardVerdict } from './guard-verdict.ts';

/** The verdicts on one new stretch of an answer. */
export interface Readings {
  /** The new words as an answer to the prompt … */
  fresh: GuardVerdict;
  /** … as a text by themselves … */
  content: GuardVerdict;
  /** … and with the words before them, as an answer to the prompt; `fresh` where nothing stands before. */
  inContext: GuardVerdict;
}

export interface Settled {
  /** The verdict that is acted on. */
  hit: GuardVerdict | null;
  /** The one that a debate would have to decide. */
  doubt: GuardVerdict | null;
}

/**
 * What several readings of a stretch come to. A sentence out of its answer is not what the models were trained on: one
 * in ten harmless answers has a sentence that looks harmful alone. So two readings have to agree before an answer is
 * over, and one of them be sure where the words before speak against it. Where the answer ends, it is judged as any
 * other exchange (docs/decisions/0050).
 */
export function settleReadings(
  { fresh, content, inContext }: Readings,
  { isLast, hits }: { isLast: boolean; hits: 'agreed' | 'either' },
): Settled {
  const all = [...new Set([inContext, fresh, content])];
  const unsafe = all.filter(({ label }) => label === 'unsafe').toSorted((a, b) => (b.risk ?? 0) - (a.risk ?? 0));
  const isUnsafe = (verdict: GuardVerdict) => verdict.label === 'unsafe';
  const isSure = !fresh.unsure || !content.unsure;
  const isAgreed = isUnsafe(content) && (isUnsafe(inContext) || (isUnsafe(fresh) && isSure));
  const decides = hits === 'either' ? unsafe.length > 0 : isAgreed || (isLast && isUnsafe(inContext));
  // What failed or was left undecided is blocked or not as the options say, whatever the others read.
  const blocked = all.find((verdict) => verdict.hit && !isUnsafe(verdict)) ?? null;
  const hit = decides ? unsafe[0]! : blocked;
  const isDoubted = hit ? unsafe.every(({ unsure }) => unsure) : all.some((one) => isUnsafe(one) || one.unsure);
  return { hit, doubt: isDoubted ? (hit ?? unsafe[0] ?? all.find(({ unsure }) => unsure)!) : null };
}
