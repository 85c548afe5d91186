import type { z } from 'zod';
import type { Described, answerUsageSchema, usageSchema } from './answer-schema.ts';
import { findTurns, type Transcript } from './transcript.ts';

/** What answers cost. `costUsd` is null when a price is not known, never zero by ignorance. */
export interface Usage extends Described<z.infer<typeof usageSchema>> {}

/** What an answer cost in all, by model and by seat, and how long it took. */
export interface AnswerUsage extends Described<z.infer<typeof answerUsageSchema>> {}

/** Nothing was called, nothing was paid. */
export const noUsage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

/** Two costs together; unknown when one of them is. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}

/** What a transcript cost, in all, by model and by seat. */
export function sumUsage(transcript: Transcript, latencyMs: number): AnswerUsage {
  const turns = findTurns(transcript);
  const sum = (usages: Usage[]) => usages.reduce(addUsage, noUsage);
  const by = (name: 'reasoner' | 'seat') =>
    Object.fromEntries(
      [...Map.groupBy(turns, (turn) => turn[name])].map(([key, group]) => [key, sum(group.map((turn) => turn.usage))]),
    );
  return { ...sum(turns.map((turn) => turn.usage)), latencyMs, byModel: by('reasoner'), bySeat: by('seat') };
}
