import { codeSpan, documentOf, markdownList, codeCell, markdownTable } from '../../reports/index.ts';
import { timeBlock } from './blocks/cost.ts';
import { receiptBlocks } from './blocks/debate-gains.ts';
import { summaryBlocks } from './blocks/summary.ts';
import { shortName } from './write-values.ts';
import type { MeasuredSet, Block, Cell, Table } from './block.ts';
import { aboutSet, briefBlocks, detailBlocks, qualityBlocks, type BenchReportOptions } from './set-blocks.ts';
import { shortenCharacters } from '../../text/index.ts';

/** The same tables for a paper. The same sheets give the same bytes, but for the times, which stand at the end. */
export function benchMarkdown(
  sets: readonly MeasuredSet[],
  { title, times, details = true, about = [] }: BenchReportOptions,
): string {
  return documentOf([
    `# ${plainText(shortName(title))}`,
    markdownList(
      about.map(({ name, value }) => `${plainText(shortName(name))}: ${codeSpan(shortenCharacters(value, 200))}`),
    ),
    ...summaryBlocks(sets).flatMap((block) => blockLines(block, 2)),
    ...sets.flatMap((set) => setLines(set, details)),
    ...(times ? blockLines(timeBlock(sets), 2) : []),
  ]);
}

function setLines(set: MeasuredSet, details: boolean): string[] {
  const { sheet, figures } = set;
  const { items, labels, parameters } = aboutSet(set);
  const without = figures.receipts.flatMap(({ debate, withoutControl }) =>
    withoutControl === null
      ? []
      : [
          `No control for ${codeSpan(shortName(debate))}: ${plainText(shortenCharacters(withoutControl, 300).replaceAll('`', ''))}`,
        ],
  );
  return [
    `## ${plainText(shortName(sheet.data.title))}`,
    `${items}: ${labels.map(({ label, items: count }) => `${count} ${codeSpan(shortName(label))}`).join(', ')}; ` +
      `${parameters}; ${sheet.data.file === sheet.data.title ? '' : `${codeSpan(shortName(sheet.data.file))}, `}sha256 ` +
      `${codeSpan(shortenCharacters(sheet.data.sha256, 64))}.`,
    markdownList(sheet.notes.map((note) => plainText(shortenCharacters(note, 600)))),
    ...[...qualityBlocks(set), ...receiptBlocks(set)].flatMap((block) => blockLines(block, 3)),
    markdownList(without),
    ...(details ? [...detailBlocks(set, false), ...set.own] : briefBlocks(set)).flatMap((block) =>
      block.table || block.missing || !(block.chart ?? block.charts) ? blockLines(block, 3) : [],
    ),
  ];
}

/**
 * A table or figure as Markdown, under a heading of this level. Charts are for pages: their numbers are in the
 * tables.
 */
export function blockLines({ title, lead, table, notes = [], missing }: Block, level: number): string[] {
  return [
    `${'#'.repeat(level)} ${title}`,
    lead,
    missing ? `*${missing}*` : '',
    table ? tableLines(table) : '',
    markdownList(notes.map((note) => note.replace(/^\*/, '\\*'))),
  ];
}

function tableLines({ head, rows }: Table): string {
  const [titles, , ...lines] = markdownTable(
    head.map(cellText),
    rows.map((row) => row.map(cellText)),
  ).split('\n');
  return [titles, `| ${head.map(({ number }) => (number ? '---:' : '---')).join(' | ')} |`, ...lines].join('\n');
}

function cellText({ text, name, emphasis, detail, mark = '', items }: Cell): string {
  const plain = `${name ? named(text, name) : text.replaceAll('|', '\\|').replace(/\*$/, '\\*')}${mark}`;
  const listed = items
    ?.map((item) => `${codeCell(shortName(item.name))}${item.note === undefined ? '' : ` (${plainCell(item.note)})`}`)
    .join(', ');
  return [emphasised(plain, emphasis), detail === undefined ? '' : `(${detail})`, listed].filter(Boolean).join(' ');
}

/* GitHub shows <ins> underlined, and drops <u>. */
function emphasised(plain: string, emphasis: Cell['emphasis']): string {
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
