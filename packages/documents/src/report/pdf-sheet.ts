import { light } from '@agonhq/engine/reports';

/** What a row says below its text: one line of a kind each. */
export interface RowLine {
  text: string;
  kind: 'reason' | 'arithmetic' | 'place';
}

interface Style {
  size?: number;
  colour?: string;
  font?: string;
}

const margin = 50;
const footer = 26;
const body = { size: 9.5, lineGap: 1.5, gap: 3 };
const headingHeight = 26;
const badge = 96;
const lineStyles: Record<RowLine['kind'], Style> = {
  reason: { size: 9, colour: light.ink },
  arithmetic: { size: 8.5, colour: light.ink, font: 'Courier' },
  place: { size: 8, colour: light.quiet },
};

/** Pages that are filled from the top; what no longer fits goes on the next. Texts come in standard letters. */
export function sheetsOn(document: PDFKit.PDFDocument) {
  const width = document.page.width - 2 * margin;
  const bottom = document.page.height - margin - footer;

  /** A new page unless so many points are left; what is higher than a page begins where it stands. */
  const makeRoom = (height: number): void => {
    if (document.y + Math.min(height, bottom - margin) > bottom) document.addPage();
  };
  const heightOf = (text: string, across: number, { size = body.size, font = 'Helvetica' }: Style = {}) =>
    document.font(font).fontSize(size).heightOfString(text, { width: across, lineGap: body.lineGap });
  const textAt = (text: string, x: number, y: number, across: number, style: Style = {}) =>
    document
      .font(style.font ?? 'Helvetica')
      .fontSize(style.size ?? body.size)
      .fillColor(style.colour ?? light.ink)
      .text(text, x, y, { width: across, lineGap: body.lineGap });

  return {
    /** What is said first: whose brief it is, and the outlook. */
    banner(above: string, title: string, { text, ground }: { text: string; ground: string }): void {
      const names = heightOf(above, width - 28, { size: 9 });
      document.roundedRect(margin, margin, width, 46 + names, 6).fill(ground);
      textAt(above, margin + 14, margin + 10, width - 28, { size: 9, colour: light.quiet });
      textAt(title, margin + 14, margin + 13 + names, width - 28, { size: 24, colour: text, font: 'Times-Roman' });
      document.y = margin + 56 + names;
    },
    line(text: string, style: Style = {}): void {
      makeRoom(heightOf(text, width, style) + body.gap);
      textAt(text, margin, document.y, width, style);
      document.y += body.gap;
    },
    /** A heading that is not left alone at the foot of a page. */
    heading(title: string): void {
      makeRoom(headingHeight + 50);
      textAt(title, margin, document.y + 8, width, { size: 12, font: 'Helvetica-Bold' });
      document.y += 5;
    },
    /** A finding: its number, its whole text with a word in colour, and lines below. */
    row(
      number: string,
      text: string,
      lines: readonly RowLine[],
      word: string,
      { text: colour, ground }: { text: string; ground: string },
    ): void {
      const [left, across] = [margin + 20, width - 20 - badge - 8];
      const heights = lines.map((line) => heightOf(line.text, width - 20, lineStyles[line.kind]));
      makeRoom(heights.reduce((sum, height) => sum + height, heightOf(text, across) + 10));
      const top = document.y + 4;
      document
        .moveTo(margin, document.y)
        .lineTo(margin + width, document.y)
        .lineWidth(0.5)
        .stroke(light.line);
      textAt(number, margin, top, 18, { colour: light.quiet });
      document.roundedRect(margin + width - badge, top - 2, badge, 14, 7).fill(ground);
      document
        .fillColor(colour)
        .font('Helvetica-Bold')
        .fontSize(8.5)
        .text(word, margin + width - badge + 4, top + 1.5, {
          width: badge - 8,
          height: 10,
          align: 'center',
          ellipsis: true,
        });
      textAt(text, left, top, across);
      document.y = Math.max(document.y, document.y < top ? document.y : top + 14);
      for (const line of lines) {
        makeRoom(Math.min(40, heightOf(line.text, width - 20, lineStyles[line.kind])));
        textAt(line.text, left, document.y + 1, width - 20, lineStyles[line.kind]);
      }
      document.y += 4;
    },
    list(title: string, items: readonly string[]): void {
      if (items.length === 0) return;
      this.heading(title);
      for (const item of items) {
        makeRoom(heightOf(item, width - 12) + body.gap);
        textAt('•', margin, document.y, 10, { colour: light.quiet });
        document.moveUp();
        textAt(item, margin + 12, document.y, width - 12);
        document.y += body.gap;
      }
    },
    /** What it is sealed with, at the foot of every page, with the number of the page. */
    footer(text: string): void {
      const { start, count } = document.bufferedPageRange();
      for (let page = start; page < start + count; page += 1) {
        document.switchToPage(page);
        // Below the margin a text would break to a page of its own.
        document.page.margins.bottom = 0;
        document.fillColor(light.quiet).font('Helvetica').fontSize(7);
        const pages = count === 1 ? '' : `Page ${page - start + 1} of ${count}. `;
        document.text(`${pages}${text}`, margin, document.page.height - margin - 4, {
          width,
          height: 18,
          ellipsis: true,
        });
      }
    },
  };
}
