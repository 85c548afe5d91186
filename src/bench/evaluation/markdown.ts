import { codeCell, codeSpan, documentOf, markdownList, markdownTable } from '../../reports/index.ts';
import type { Block, Cell, Table } from '../rendering/block.ts';
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

/** A table or figure as Markdown, under a heading of this level. */
export function blockLines({ title, lead, table, notes = [], missing }: Block, level: number): string[] {
  return [`${'#'.repeat(level)} ${title}`, lead, missing ? `*${missing}*` : '', table ? tableLines(table) : '', markdownList(notes.map((note) => note.replace(/^\*/, '\\*')))];
}

function tableLines({ head, rows }: Table): string {
  return markdownTable(head.map(cellText), rows.map((row) => row.map(cellText)));
}

function cellText({ text, name, emphasis }: Cell): string {
  const shown = name ? codeCell(text) : text.replaceAll('|', '\\|').replace(/\*$/, '\\*');
  if (emphasis === 'best') return `**${shown}**`;
  if (emphasis === 'second') return `<u>${shown}</u>`;
  return emphasis === 'breach' ? `**${shown}** ⚑` : shown;
}
