import type { List, Nodes, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { AgonError } from '@agonhq/engine/agon-error';
import { decodeText, describeEncoding } from './decode-text.ts';
import { assertTextSize } from '@agonhq/engine/items';
import { readHtmlParts } from './html/read-html.ts';
import type { RawPart, RawReading, ReadingOptions } from './raw.ts';
import { isDelimiterRow, splitPipeCells } from './align-rows.ts';

/** Reads Markdown with pipe tables. Links keep their words, images their descriptions; HTML in it is read as HTML. */
export function readMarkdown(bytes: Uint8Array, { name, limits }: ReadingOptions): RawReading {
  assertTextSize(name, bytes.length, limits);
  const { text, encoding } = decodeText(bytes, name);
  const { matter, body } = splitFrontMatter(text);
  assertShallow(body, name);
  assertFewMarks(body, name);
  const parts = fromMarkdown(body).children.flatMap((node) => readParts(node, body));
  return {
    parts: matter === '' ? parts : [{ kind: 'list', text: matter }, ...parts],
    notes: describeEncoding(encoding),
  };
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

/**
 * From each run of backticks the parser looks through the rest for one of the same length, and for each bracket through
 * the others of its paragraph: what people write has few of both.
 */
const mostLengths = 100;
const mostBrackets = 10_000;

function assertFewMarks(text: string, name: string): void {
  const lengths = new Set(Array.from(text.matchAll(/`+/gu), ([marks]) => marks.length)).size;
  const brackets = text.split(/\n\s*\n/u).reduce((most, block) => Math.max(most, block.split('[').length - 1), 0);
  const why =
    lengths > mostLengths
      ? `runs of backticks of ${lengths} lengths; the limit is ${mostLengths}`
      : brackets > mostBrackets && `${brackets} brackets in one paragraph; the limit is ${mostBrackets}`;
  if (why)
    throw new AgonError('document-too-large', `${name} holds ${why}.`, 'Pass the part of it that is to be judged.');
}

function splitFrontMatter(text: string): { matter: string; body: string } {
  const match = /^---\n(.*?)\n---\n/su.exec(text);
  return match ? { matter: match[1]!, body: text.slice(match[0].length) } : { matter: '', body: text };
}

function readParts(node: RootContent, source: string): RawPart[] {
  if (node.type === 'heading') return [{ kind: 'heading', text: readText(node), level: node.depth }];
  if (node.type === 'paragraph')
    return readParagraph(node, source.slice(node.position!.start.offset, node.position!.end.offset));
  if (node.type === 'list') return [{ kind: 'list', text: listItems(node).join('\n') }];
  if (node.type === 'blockquote') return node.children.flatMap((child) => readParts(child, source));
  if (node.type === 'html') return [...readHtmlParts(node.value).parts];
  return [{ kind: 'paragraph', text: readText(node) }];
}

/** A pipe table is a paragraph to CommonMark; lines above it are text. */
function readParagraph(node: Nodes, source: string): RawPart[] {
  const lines = source.split('\n');
  const rule = lines.findIndex(
    (line, index) => index > 0 && line.includes('|') && isDelimiterRow(line) && lines[index - 1]!.includes('|'),
  );
  if (rule === -1) return [{ kind: 'paragraph', text: readText(node) }];
  const above = lines.slice(0, rule - 1).join('\n');
  const rows = [lines[rule - 1]!, ...lines.slice(rule + 1)].map((line) =>
    splitPipeCells(line).map((cell) => ({ text: readCellText(cell) })),
  );
  const table: RawPart = { kind: 'table', rows, headerRows: 1 };
  return above === '' ? [table] : [{ kind: 'paragraph', text: readText(fromMarkdown(above)), caption: true }, table];
}

/** What has no marks needs no parser; and `- 5` in a cell is a number, no list. */
function readCellText(cell: string): string {
  return /[\\`*_[\]<>&!]/u.test(cell) ? readText(fromMarkdown(cell)) : cell;
}

function listItems(list: List): string[] {
  return list.children.flatMap((item) => {
    const own = item.children
      .filter((child) => child.type !== 'list')
      .map((child) => readText(child).replaceAll('\n', ' '));
    const nested = item.children.flatMap((child) => (child.type === 'list' ? listItems(child) : []));
    return [own.join(' '), ...nested].filter((line) => line !== '');
  });
}

function readText(node: Nodes): string {
  if (node.type === 'html')
    return readHtmlParts(node.value)
      .parts.map((part) => part.text ?? '')
      .join(' ');
  if (node.type === 'break') return '\n';
  if ('value' in node) return node.value;
  if ('alt' in node) return node.alt ?? '';
  if (!('children' in node)) return '';
  const apart = node.children.some(
    (child) => child.type === 'paragraph' || child.type === 'list' || child.type === 'listItem',
  );
  return node.children.map(readText).join(apart ? ' ' : '');
}
