import type { List, Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { AgonError } from '../../../errors.ts';
import { decodeText, encodingNotes } from './decode-text.ts';
import { assertTextSize } from './file-size.ts';
import { partsOfHtml } from './html/read-html.ts';
import type { RawPart, Reading, ReadingOptions } from './raw.ts';
import { isDelimiterRow, pipeCells } from './align-rows.ts';

/** Reads Markdown with pipe tables. Links keep their words, images their descriptions; HTML in it is read as HTML. */
export function readMarkdown(bytes: Uint8Array, { name, limits }: ReadingOptions): Reading {
  assertTextSize(name, bytes.length, limits);
  const { text, encoding } = decodeText(bytes, name);
  const { matter, body } = frontMatter(text);
  assertShallow(body, name);
  const parts = fromMarkdown(body).children.flatMap((node) => partsOf(node, body));
  return { parts: matter === '' ? parts : [{ kind: 'list', text: matter }, ...parts], notes: encodingNotes(encoding) };
}

/** The parser's time grows with the cube of the depth: what opens a line tells how deep it stands. */
const deepest = 500;

function assertShallow(text: string, name: string): void {
  const isDeep = text.split('\n').some((line) => /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s)*/u.exec(line)![0].length > deepest);
  if (isDeep)
    throw new AgonError(
      'document-too-deep',
      `${name} is nested too deep to be read.`,
      'Pass the part of it that is to be judged.',
    );
}

function frontMatter(text: string): { matter: string; body: string } {
  const match = /^---\n(.*?)\n---\n/su.exec(text);
  return match ? { matter: match[1]!, body: text.slice(match[0].length) } : { matter: '', body: text };
}

function partsOf(node: RootContent, source: string): RawPart[] {
  if (node.type === 'heading') return [{ kind: 'heading', text: wordsOf(node), level: node.depth }];
  if (node.type === 'paragraph')
    return paragraph(node, source.slice(node.position!.start.offset, node.position!.end.offset));
  if (node.type === 'list') return [{ kind: 'list', text: itemsOf(node).join('\n') }];
  if (node.type === 'blockquote') return node.children.flatMap((child) => partsOf(child, source));
  if (node.type === 'html') return [...partsOfHtml(node.value).parts];
  return [{ kind: 'paragraph', text: wordsOf(node) }];
}

/** A pipe table is a paragraph to CommonMark; lines above it are text. */
function paragraph(node: Nodes, source: string): RawPart[] {
  const lines = source.split('\n');
  const rule = lines.findIndex(
    (line, index) => index > 0 && line.includes('|') && isDelimiterRow(line) && lines[index - 1]!.includes('|'),
  );
  if (rule === -1) return [{ kind: 'paragraph', text: wordsOf(node) }];
  const above = lines.slice(0, rule - 1).join('\n');
  const rows = [lines[rule - 1]!, ...lines.slice(rule + 1)].map((line) =>
    pipeCells(line).map((cell) => ({ text: cellWords(cell) })),
  );
  const table: RawPart = { kind: 'table', rows, headerRows: 1 };
  return above === '' ? [table] : [{ kind: 'paragraph', text: wordsOf(fromMarkdown(above)), caption: true }, table];
}

/** What has no marks needs no parser; and `- 5` in a cell is a number, no list. */
function cellWords(cell: string): string {
  return /[\\`*_[\]<>&!]/u.test(cell) ? wordsOf(fromMarkdown(cell)) : cell;
}

function itemsOf(list: List): string[] {
  return list.children.flatMap((item) => {
    const own = item.children
      .filter((child) => child.type !== 'list')
      .map((child) => wordsOf(child).replaceAll('\n', ' '));
    const nested = item.children.flatMap((child) => (child.type === 'list' ? itemsOf(child) : []));
    return [own.join(' '), ...nested].filter((line) => line !== '');
  });
}

function wordsOf(node: Nodes): string {
  if (node.type === 'html')
    return partsOfHtml(node.value)
      .parts.map((part) => part.text ?? '')
      .join(' ');
  if (node.type === 'break') return '\n';
  if ('value' in node) return node.value;
  if ('alt' in node) return node.alt ?? '';
  if (!('children' in node)) return '';
  const apart = node.children.some(
    (child) => child.type === 'paragraph' || child.type === 'list' || child.type === 'listItem',
  );
  return node.children.map(wordsOf).join(apart ? ' ' : '');
}
