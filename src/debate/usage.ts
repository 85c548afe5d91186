/** What answers cost. `costUsd` is null when a price is not known, never zero by ignorance. */
export interface Usage {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Input tokens that the provider served from its prefix cache; part of `inputTokens`. */
  cachedTokens: number;
  costUsd: number | null;
}

export const noUsage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}
