import { summarizeVerdict, type Guard, type GuardReport, type GuardVerdict } from '../../guard/index.ts';
import type { FinishPart, GenerateResult, StreamPart } from './sdk-types.ts';

/** What the SDK calls an answer that a filter cut off. */
export const filtered = { unified: 'content-filter', raw: 'agon' } as const;

const unknownUsage: FinishPart['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

type Metadata = NonNullable<FinishPart['providerMetadata']>;

/** What the guard says of a call, under `agon` beside what the provider says. */
export function describeReport({ done, hit, verdicts, skipped, latency }: GuardReport, given?: Metadata): Metadata {
  const worst = hit ?? findWorst(verdicts);
  return { ...given, agon: { done, verdict: worst && summarizeVerdict(worst), skipped: [...skipped], latency } };
}

function findWorst(verdicts: readonly GuardVerdict[]): GuardVerdict | null {
  return verdicts.toSorted((a, b) => (b.risk ?? 0) - (a.risk ?? 0))[0] ?? null;
}

/** An answer in place of the model's: nothing, or the words of `replacement`. */
export function blockedResult(
  { onHit, replacement }: Guard['choices'],
  report: GuardReport,
  asked?: GenerateResult,
): GenerateResult {
  return {
    ...(asked ?? { usage: unknownUsage, warnings: [] }),
    content: onHit === 'replace' ? [{ type: 'text', text: replacement }] : [],
    finishReason: filtered,
    providerMetadata: describeReport(report, asked?.providerMetadata),
  };
}

const replacementId = 'agon-replacement';

/** The end of a stream that was cut off: what was begun is ended, and what is said instead is said. */
export function closingParts(
  { onHit, replacement }: Guard['choices'],
  report: GuardReport,
  open: Iterable<StreamPart>,
): StreamPart[] {
  const said: StreamPart[] = [
    { type: 'text-start', id: replacementId },
    { type: 'text-delta', id: replacementId, delta: replacement },
    { type: 'text-end', id: replacementId },
  ];
  return [
    ...open,
    ...(onHit === 'replace' ? said : []),
    { type: 'finish', finishReason: filtered, usage: unknownUsage, providerMetadata: describeReport(report) },
  ];
}
