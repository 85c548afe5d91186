import { decodeText, describeEncoding } from '../decode-text.ts';
import { assertTextSize } from '@agonhq/engine/items';
import { elementNode, readTagName, parseMarkup, textNode, type MarkupNode } from '../parse-markup.ts';
import type { RawPart, RawReading, ReadingOptions } from '../raw.ts';
import { holdsOnlyLayout, readHtmlTable } from './read-html-table.ts';
import { toOneLine, wordSet } from '@agonhq/engine/text';

const dropped = wordSet(`
  script style template noscript head svg math iframe object embed canvas video audio img select input textarea`);
const inline = wordSet(`
  a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time tt u
  var wbr nonfraction nonnumeric continuation button`);

/** Reads a web page: headings, paragraphs, lists and tables. Nothing is run or loaded; what it hides is left out. */
export function readHtml(bytes: Uint8Array, { name, limits }: ReadingOptions): RawReading {
  assertTextSize(name, bytes.length, limits);
  const { text, encoding } = decodeText(bytes, name);
  const reading = readHtmlParts(text);
  return { ...reading, notes: [...describeEncoding(encoding), ...reading.notes] };
}

/** The parts of HTML, a page or a piece of one. */
export function readHtmlParts(html: string): RawReading {
  const page = /<html[\s>]/iu.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
  const walk = new Walk();
  walk.into(parseMarkup(page, 'text/html'));
  walk.endParagraph();
  return { parts: walk.parts, notes: walk.notes() };
}

class Walk {
  readonly parts: RawPart[] = [];
  private text = '';
  private scripts = 0;
  private hidden = 0;
  private images = 0;

  into(node: MarkupNode): void {
    for (const child of node.childNodes) {
      if (child.nodeType === textNode) this.text += child.textContent.replace(/\s+/gu, ' ');
      else if (child.nodeType === elementNode) this.element(child);
    }
  }

  endParagraph(kind: 'paragraph' | 'heading' = 'paragraph', more: Partial<RawPart> = {}): void {
    const text = tidySpaces(this.text);
    this.text = '';
    if (text !== '') this.parts.push({ kind, text, ...more });
  }

  notes(): string[] {
    const notes: string[] = [];
    if (this.scripts > 0) notes.push(`Scripts and embedded objects were not run (${this.scripts}).`);
    if (this.images > 0) notes.push(`Images were not loaded (${this.images}).`);
    if (this.hidden > 0) notes.push(`Parts that the page hides were left out (${this.hidden}).`);
    return notes;
  }

  private element(node: MarkupNode): void {
    const name = readTagName(node);
    if (this.isLeftOut(node, name)) return;
    if (name === 'br') this.text += '\n';
    else if (inline.has(name)) this.into(node);
    else this.block(node, name);
  }

  private block(node: MarkupNode, name: string): void {
    this.endParagraph();
    const level = /^h([1-6])$/u.exec(name)?.[1];
    if (level !== undefined) {
      this.into(node);
      this.endParagraph('heading', { level: Number(level) });
    } else if (name === 'table') this.table(node);
    else if (name === 'ul' || name === 'ol') {
      const lines = this.items(node).filter((line) => line !== '');
      if (lines.length > 0) this.parts.push({ kind: 'list', text: lines.join('\n') });
    } else if (name === 'pre') {
      this.parts.push({ kind: 'paragraph', text: node.textContent });
    } else {
      this.into(node);
      this.endParagraph('paragraph', name === 'caption' || name === 'figcaption' ? { caption: true } : {});
    }
  }

  private table(node: MarkupNode): void {
    const inner = new Walk();
    const table = readHtmlTable(node, (cell) => this.flat(cell));
    if (table === null || holdsOnlyLayout(node)) {
      inner.into(node);
      inner.endParagraph();
      this.parts.push(...inner.parts);
      this.add(inner);
      return;
    }
    if (table.caption !== '') this.parts.push({ kind: 'paragraph', text: table.caption, caption: true });
    this.parts.push({
      kind: 'table',
      rows: table.rows,
      ...(table.headerRows > 0 ? { headerRows: table.headerRows } : {}),
    });
  }

  /** The items of a list, those of lists within it after their own. */
  private items(list: MarkupNode): string[] {
    return [...list.childNodes].flatMap((child): string[] => {
      if (child.nodeType !== elementNode)
        return [tidySpaces(child.nodeType === textNode ? child.textContent : '').replaceAll('\n', ' ')];
      const name = readTagName(child);
      if (this.isLeftOut(child, name)) return [];
      if (name === 'ul' || name === 'ol') return this.items(child);
      const nested: string[] = [];
      const own = this.flat(child, (inner, innerName) => {
        if (innerName !== 'ul' && innerName !== 'ol') return false;
        nested.push(...this.items(inner));
        return true;
      });
      return [own, ...nested];
    });
  }

  /** All text below a node, in one line. */
  private flat(node: MarkupNode, take?: (node: MarkupNode, name: string) => boolean): string {
    let text = '';
    const collect = (parent: MarkupNode): void => {
      for (const child of parent.childNodes) {
        if (child.nodeType === textNode) text += child.textContent;
        if (child.nodeType !== elementNode) continue;
        const name = readTagName(child);
        if (this.isLeftOut(child, name) || take?.(child, name)) continue;
        if (!inline.has(name)) text += ' ';
        collect(child);
        if (!inline.has(name)) text += ' ';
      }
    };
    collect(node);
    return toOneLine(text);
  }

  private isLeftOut(node: MarkupNode, name: string): boolean {
    if (dropped.has(name)) {
      if (name === 'img') this.images += 1;
      else if (['script', 'iframe', 'object', 'embed'].includes(name)) this.scripts += 1;
      return true;
    }
    const style = node.getAttribute('style') ?? '';
    const isHidden =
      node.getAttribute('hidden') !== null ||
      /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|pt|em)?\s*(?:;|$)/iu.test(style);
    if (isHidden) this.hidden += 1;
    return isHidden;
  }

  private add(inner: Walk): void {
    this.scripts += inner.scripts;
    this.hidden += inner.hidden;
    this.images += inner.images;
  }
}

function tidySpaces(text: string): string {
  return text
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n ?/gu, '\n')
    .trim();
}
