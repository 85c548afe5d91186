import { codeSpan, joinBlocks, markdownList, codeCell, markdownTable } from '@agonhq/engine/reports';
import { timeBlock } from './blocks/cost.ts';
import { debateGainBlocks, explainNoControl } from './blocks/debate-gains.ts';
import { shortenName } from './write-values.ts';
import type { MeasuredSet, BenchBlock, BlockCell, BlockTable } from './block.ts';
import {
  briefBlocks,
  describeSet,
  detailBlocks,
  overviewBlocks,
  qualityBlocks,
  type BenchReportOptions,
} from './set-blocks.ts';
import { shortenCharacters } from '@agonhq/engine/text';

/** The same tables for a paper. The same results give the same bytes, but for the times, which stand at the end. */
export function renderBenchMarkdown(sets: readonly MeasuredSet[], options: BenchReportOptions): string {
  const { title, times, about = [] } = options;
  return joinBlocks([
    `# ${plainText(shortenName(title))}`,
    markdownList(
      about.map(({ name, value }) => `${plainText(shortenName(name))}: ${codeSpan(shortenCharacters(value, 200))}`),
    ),
    ...overviewBlocks(sets, options).flatMap((block) => blockToMarkdown(block, 2)),
    ...sets.flatMap((set) => setLines(set, options)),
    ...(times ? blockToMarkdown(timeBlock(sets), 2) : []),
  ]);
}

function setLines(set: MeasuredSet, options: BenchReportOptions): string[] {
  const { details = true } = options;
  const { result, figures } = set;
  const { items, labels, parameters } = describeSet(set);
  const without = figures.receipts.flatMap(({ debate, withoutControl }) =>
    withoutControl === null
      ? []
      : [`No control for ${codeSpan(shortenName(debate))}: ${plainText(explainNoControl(withoutControl))}`],
  );
  const { title, file, sha256 } = result.data;
  return [
    `## ${plainText(shortenName(title))}`,
    `${items}: ${labels.map(({ label, items: count }) => `${count} ${codeSpan(shortenName(label))}`).join(', ')}; ` +
      `${parameters}; ${file === title ? '' : `${codeSpan(shortenName(file))}, `}` +
      `sha256 ${codeSpan(shortenCharacters(sha256, 64))}.`,
    markdownList(result.notes.map((note) => plainText(shortenCharacters(note, 600)))),
    ...[...qualityBlocks(set, options), ...debateGainBlocks(set)].flatMap((block) => blockToMarkdown(block, 3)),
    markdownList(without),
    ...(details ? [...detailBlocks(set, false), ...set.own] : briefBlocks(set)).flatMap((block) =>
      block.table || block.missing || !(block.chart ?? block.charts) ? blockToMarkdown(block, 3) : [],
    ),
  ];
}

/**
 * A table or figure as Markdown, under a heading of this level. Charts are for pages: their numbers are in the
 * tables.
 */
export function blockToMarkdown({ title, lead, table, notes = [], missing }: BenchBlock, level: number): string[] {
  return [
    `${'#'.repeat(level)} ${title}`,
    lead,
    missing ? `*${missing}*` : '',
    table ? tableLines(table) : '',
    markdownList(notes.map((note) => note.replace(/^\*/, '\\*'))),
  ];
}

function tableLines({ head, rows }: BlockTable): string {
  const [titles, , ...lines] = markdownTable(
    head.map(cellText),
    rows.map((row) => row.map(cellText)),
  ).split('\n');
  return [titles, `| ${head.map(({ number }) => (number ? '---:' : '---')).join(' | ')} |`, ...lines].join('\n');
}

function cellText({ text, name, emphasis, detail, mark = '', items }: BlockCell): string {
  const plain = `${name ? named(text, name) : text.replaceAll('|', '\\|').replace(/\*$/, '\\*')}${mark}`;
  const listed = items
    ?.map((item) => `${codeCell(shortenName(item.name))}${item.note === undefined ? '' : ` (${plainCell(item.note)})`}`)
    .join(', ');
  return [emphasised(plain, emphasis), detail === undefined ? '' : `(${detail})`, listed].filter(Boolean).join(' ');
}

/* GitHub shows <ins> underlined, and drops <u>. */
function emphasised(plain: string, emphasis: BlockCell['emphasis']): string {
  if (emphasis === 'best') return `**${plain}**`;
  if (emphasis === 'second') return `<ins>${plain}</ins>`;
  return emphasis === 'breach' ? `**${plain}** ⚑` : plain;
}

function named(text: string, name: true | 'title'): string {
  return name === 'title' ? plainCell(text) : codeCell(shortenCharacters(text, 400));
}

function plainCell(text: string): string {
  return plainText(shortenCharacters(text, 400)).replaceAll('|', '\\|');
}

/**
 * For Markdown: a text from outside that is nothing but words stands as it is; any other is code, which no site reads
 * as markup.
 */
function plainText(text: string): string {
  return /^[\p{L}\p{N}][\p{L}\p{N} ,./:;()%+’→–-]*$/u.test(text) && !/:\/\/|www\.|\p{L}\.\p{L}{2}/u.test(text)
    ? text
    : codeSpan(text);
}
