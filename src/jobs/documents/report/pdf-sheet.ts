import { light } from '../../../reports/index.ts';

/** A list under a heading of its own. */
export interface TitledList {
  title: string;
  items: readonly string[];
}

const margin = 50;
const footer = 26;
const body = { size: 9.5, lineGap: 1.5, gap: 3 };
const headingHeight = 26;

/**
 * One page, filled from the top: what no longer fits is left out, and its foot says so. Texts come in the letters of
 * the standard fonts.
 */
export function sheetOn(document: PDFKit.PDFDocument) {
  const width = document.page.width - 2 * margin;
  const bottom = document.page.height - margin - footer;
  let full = false;

  const room = (height: number): boolean => {
    full ||= document.y + height > bottom;
    return !full;
  };
  const heightOf = (text: string, across: number, size = body.size) =>
    document.font('Helvetica').fontSize(size).heightOfString(text, { width: across, lineGap: body.lineGap });
  const textAt = (
    text: string,
    x: number,
    y: number,
    across: number,
    style: { size?: number; colour?: string; font?: string } = {},
  ) =>
    document
      .font(style.font ?? 'Helvetica')
      .fontSize(style.size ?? body.size)
      .fillColor(style.colour ?? light.ink)
      .text(text, x, y, { width: across, lineGap: body.lineGap });
  const itemHeight = (item: string, across: number) => heightOf(item, across - 12) + body.gap;
  const itemAt = (item: string, x: number, y: number, across: number) => {
    textAt('•', x, y, 10, { colour: light.quiet });
    textAt(item, x + 12, y, across - 12);
    document.y += body.gap;
  };
  const headingAt = (title: string, x: number, y: number, across: number) => {
    textAt(title, x, y + 8, across, { size: 12, font: 'Helvetica-Bold' });
    document.y = y + headingHeight;
  };

  return {
    /** What is said first: whose brief it is, and the outlook. */
    banner(above: string, title: string, { text, ground }: { text: string; ground: string }): void {
      document.roundedRect(margin, margin, width, 60, 6).fill(ground);
      document
        .fillColor(light.quiet)
        .font('Helvetica')
        .fontSize(9)
        .text(above, margin + 14, margin + 11, { width: width - 28, height: 12, ellipsis: true });
      document
        .fillColor(text)
        .font('Times-Roman')
        .fontSize(24)
        .text(title, margin + 14, margin + 26, { width: width - 28, height: 28, ellipsis: true });
      document.y = margin + 70;
    },
    line(text: string, style: { size?: number; colour?: string } = {}): void {
      if (!room(heightOf(text, width, style.size) + body.gap)) return;
      textAt(text, margin, document.y, width, style);
      document.y += body.gap;
    },
    /** A heading that is not left alone at the foot of a page: something of so many points follows. */
    heading(title: string, followed: number): boolean {
      if (!room(headingHeight + followed)) return false;
      headingAt(title, margin, document.y, width);
      return true;
    },
    /** A row of a table: its number, a text with a line below, and a word in colour. */
    row(
      number: string,
      text: string,
      below: string,
      word: string,
      { text: colour, ground }: { text: string; ground: string },
    ): boolean {
      const across = width - 20 - 100;
      if (!room(heightOf(text, across) + heightOf(below, across, 8) + 9)) return false;
      const top = document.y + 4;
      document
        .moveTo(margin, document.y)
        .lineTo(margin + width, document.y)
        .lineWidth(0.5)
        .stroke(light.line);
      textAt(number, margin, top, 18, { colour: light.quiet });
      document.roundedRect(margin + width - 92, top - 2, 92, 14, 7).fill(ground);
      document
        .fillColor(colour)
        .font('Helvetica-Bold')
        .fontSize(8.5)
        .text(word, margin + width - 88, top + 1.5, { width: 84, height: 10, align: 'center', ellipsis: true });
      textAt(text, margin + 20, top, across);
      textAt(below, margin + 20, document.y, across, { size: 8, colour: light.quiet });
      document.y += 4;
      return true;
    },
    list({ title, items }: TitledList): void {
      if (items.length === 0 || !this.heading(title, itemHeight(items[0]!, width))) return;
      for (const item of items) {
        if (!room(itemHeight(item, width))) return;
        itemAt(item, margin, document.y, width);
      }
    },
    /** Lists side by side where they fit, else one below the other. */
    lists(lists: readonly TitledList[]): void {
      const some = lists.filter(({ items }) => items.length > 0);
      const across = (width - 24 * (some.length - 1)) / some.length;
      const height = Math.max(
        0,
        ...some.map(({ items }) => items.reduce((sum, item) => sum + itemHeight(item, across), headingHeight)),
      );
      if (some.length < 2 || document.y + height > bottom) {
        for (const list of some) this.list(list);
        return;
      }
      const top = document.y;
      for (const [index, { title, items }] of some.entries()) {
        const left = margin + index * (across + 24);
        headingAt(title, left, top, across);
        for (const item of items) itemAt(item, left, document.y, across);
      }
      document.y = top + height;
    },
    /** What it is sealed with; returns whether something was left out. */
    footer(text: string): boolean {
      // Below the margin a text would break to a page of its own.
      document.page.margins.bottom = 0;
      document.fillColor(light.quiet).font('Helvetica').fontSize(7);
      document.text(
        `${full ? 'There is more in the full report. ' : ''}${text}`,
        margin,
        document.page.height - margin - 4,
        { width, height: 18, ellipsis: true },
      );
      return full;
    },
  };
}
