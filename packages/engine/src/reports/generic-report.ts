import type { Answer } from '../debate/index.ts';
import { viewAnyDebate } from '../view/index.ts';
import { renderDebateMarkdown } from './debate-markdown.ts';
import { sourceBlocks } from './markdown-parts.ts';

/** The report of any answer as Markdown: what was decided, why, on what, who said what, the record. */
export function renderGenericMarkdown(answer: Answer<{ id?: string | null }>): string {
  const view = viewAnyDebate(answer);
  const sources = answer.sources.flatMap((source) => sourceBlocks(source, view.citations));
  return renderDebateMarkdown({ answer, view, policy: undefined, judged: ['## What was judged', ...sources] });
}

/** The verdict and its reason in a few lines, for those whom it concerns. */
export function renderGenericNotice({ id, verdict }: Answer): string {
  const quoted = verdict.evidence.flatMap((piece) => (piece.verified ? [`- “${piece.quote}”`] : []));
  return [
    `Verdict: ${verdict.label}`,
    verdict.rule.why,
    ...(quoted.length > 0 ? [['It is based on these passages:', ...quoted].join('\n')] : []),
    ...(verdict.escalate ? ['Needs human review.'] : []),
    `Reference: ${id}`,
  ].join('\n\n');
}
