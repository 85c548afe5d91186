import { once } from 'node:events';
import Pdf from 'pdfkit';
import { random as seeded } from './random.ts';
import { sentenceText, type Report, type ReportTable } from './report.ts';

/** A report as a PDF, in one of several layouts. */
export async function pdfOf(report: Report, seed: number): Promise<Uint8Array> {
  const random = seeded(seed);
  const font = random.pick([
    ['Helvetica', 'Helvetica-Bold'],
    ['Times-Roman', 'Times-Bold'],
    ['Helvetica', 'Helvetica-Bold'],
  ] as const);
  const size = random.pick([9, 10, 10.5, 11]);
  const margin = random.pick([48, 60, 72]);
  const lines = random.pick(['none', 'rules', 'grid', 'shaded'] as const);
  const document = new Pdf({
    size: random.pick(['A4', 'LETTER']),
    margin,
    bufferPages: true,
    info: { Title: report.title, CreationDate: new Date(0) },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const width = document.page.width - 2 * margin;
  document
    .font(font[1])
    .fontSize(size + 8)
    .text(report.title, { width })
    .moveDown(0.8);
  for (const block of report.blocks) {
    if (block.kind === 'heading') {
      room(80);
      document
        .font(font[1])
        .fontSize(size + 3)
        .text(block.text, margin, document.y, { width })
        .moveDown(0.4);
    } else if (block.kind === 'paragraph') {
      document
        .font(font[0])
        .fontSize(size)
        .text(block.sentences.map(sentenceText).join(' '), margin, document.y, { width, align: 'left', lineGap: 1.5 })
        .moveDown(0.8);
    } else {
      drawTable(block.table);
    }
  }
  if (random.chance(0.6)) {
    const pages = document.bufferedPageRange();
    for (let page = 0; page < pages.count; page++) {
      document.switchToPage(page);
      document
        .font(font[0])
        .fontSize(8)
        .text(`${report.company} · ${page + 1}`, margin, document.page.height - margin + 12, {
          width,
          align: 'center',
          lineBreak: false,
          height: 12,
        });
    }
  }
  const ended = once(document, 'end');
  document.end();
  await ended;
  return Buffer.concat(chunks);

  function room(height: number): void {
    if (document.y + height > document.page.height - margin) document.addPage();
  }

  function drawTable(table: ReportTable): void {
    const columns = table.header[0]!.length;
    const step = size + 6;
    room(step * Math.min(table.rows.length + 4, 30));
    document
      .font(font[1])
      .fontSize(size)
      .text(
        table.unit === ''
          ? table.title
          : `${table.title}${random.pick([' (', ', '])}${table.unit}`
              .replace(/\(([^)]*)$/, '($1)')
              .replace('((', '(')
              .replace('))', ')'),
        margin,
        document.y,
        { width },
      )
      .moveDown(0.3);
    const all = [...table.header, ...table.rows.map(({ label, cells }) => [label, ...cells.map(({ text }) => text)])];
    document.font(font[1]).fontSize(size - 1);
    const needed = (column: number): number =>
      Math.max(...all.map((cells) => document.widthOfString(cells[column] ?? ''))) + 14;
    const shrink = Math.min(
      1,
      width /
        (needed(0) + (columns - 1) * Math.max(...Array.from({ length: columns - 1 }, (_, index) => needed(index + 1)))),
    );
    const labels = needed(0) * shrink;
    const each = Math.min(95, (width - labels) / (columns - 1));
    const row = (cells: readonly string[], bold: boolean, shade: boolean): void => {
      const { y } = document;
      if (shade)
        document
          .rect(margin, y - 2, labels + each * (columns - 1), step)
          .fill('#eeeeee')
          .fillColor('black');
      document.font(font[bold ? 1 : 0]).fontSize((size - 1) * shrink);
      for (const [index, text] of cells.entries()) {
        const left = index === 0 ? margin : margin + labels + each * (index - 1);
        if (text !== '')
          document.text(text, left + 2, y, {
            width: (index === 0 ? labels : each) - 4,
            align: index === 0 ? 'left' : 'right',
            lineBreak: false,
          });
        if (lines === 'grid')
          document
            .rect(left, y - 2, index === 0 ? labels : each, step)
            .lineWidth(0.5)
            .stroke('#888888');
      }
      if (lines === 'rules')
        document
          .moveTo(margin, y + step - 3)
          .lineTo(margin + labels + each * (columns - 1), y + step - 3)
          .lineWidth(0.4)
          .stroke('#aaaaaa');
      document.fillColor('black');
      document.y = y + step;
    };
    for (const header of table.header) row(header, true, lines === 'shaded');
    for (const [index, { label, cells }] of table.rows.entries())
      row(
        [label, ...Array.from({ length: columns - 1 }, (_, column) => cells[column]?.text ?? '')],
        /total/i.test(label),
        lines === 'shaded' && index % 2 === 1,
      );
    document.x = margin;
    for (const note of table.footnotes)
      document
        .font(font[0])
        .fontSize(size - 2)
        .text(note, margin, document.y + 2, { width });
    document.moveDown(1);
  }
}
