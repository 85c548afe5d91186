import { codeCell, markdownList, markdownTable } from '../../reports/index.ts';
import type { Block, Cell, Table } from './block.ts';
import { shortName } from './clip.ts';
import { plainText } from './plain-text.ts';
import { shortenCharacters } from '../../text/index.ts';

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
