import { codeSpan, documentOf, markdownList } from '../../reports/index.ts';
import { blockLines } from '../rendering/block-markdown.ts';
import { blocksOf } from './blocks.ts';
import { overallAccuracy } from './overview-blocks.ts';
import type { EvaluationReport } from './report.ts';

/** The figures of several sets of data as Markdown. */
export function evaluationMarkdown(reports: readonly EvaluationReport[]): string {
  return documentOf([
    '# Evaluation bench',
    markdownList([...new Set(reports.flatMap(({ notes }) => notes))].map(codeSpan)),
    ...blockLines(overallAccuracy(reports), 2),
    ...reports.flatMap((report) => [`## ${codeSpan(report.data.file)}`, aboutData(report), ...blocksOf(report).flatMap((block) => blockLines(block, 3))]),
  ]);
}

function aboutData({ data }: EvaluationReport): string {
  return `${data.items} items, ${data.unsafe} unsafe, sha256 ${codeSpan(data.sha256)}.`;
}
