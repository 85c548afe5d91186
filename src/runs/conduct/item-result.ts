import { requireJob, type JobAnswer } from '../../jobs/index.ts';
import type { ItemResult } from '../../ledger/index.ts';

/** What a run notes of an answer; the whole of it is the case. */
export function resultOf(answer: JobAnswer, by: ItemResult['by']): ItemResult {
  const { inputTokens, outputTokens, cachedTokens, costUsd, latencyMs } = answer.usage;
  // What the guard decides calls nobody: the debates that it saves are measured against those that were held.
  const calls = by === 'guard' ? 0 : answer.usage.calls;
  const usage = { calls, inputTokens, outputTokens, cachedTokens, costUsd, latencyMs };
  const { label, score, escalate } = requireJob(answer.job).summarize(answer);
  return { case: answer.id, label, score, escalate, by, usage };
}
