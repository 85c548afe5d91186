import type { Answer } from '../../debate/index.ts';
import type { Analysis } from '../../jobs/documents/index.ts';
import type { ItemResult } from '../../ledger/index.ts';

/** What a run notes of an answer; the whole of it is the case. */
export function resultOf(
  answer: Pick<Answer, 'id' | 'verdict' | 'usage'> | Analysis,
  by: ItemResult['by'],
): ItemResult {
  const { inputTokens, outputTokens, cachedTokens, costUsd, latencyMs } = answer.usage;
  // What the guard decides calls nobody: the debates that it saves are measured against those that were held.
  const usage = {
    calls: by === 'guard' ? 0 : answer.usage.calls,
    inputTokens,
    outputTokens,
    cachedTokens,
    costUsd,
    latencyMs,
  };
  if ('outlook' in answer) {
    return {
      case: answer.id,
      label: answer.outlook.label,
      score: null,
      escalate: answer.claims.some(({ verdict }) => verdict.escalate),
      by,
      usage,
    };
  }
  const { label, score, escalate } = answer.verdict;
  return { case: answer.id, label, score, escalate, by, usage };
}
