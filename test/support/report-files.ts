import { buffer } from 'node:stream/consumers';
import DrawnPdf from 'pdfkit';
import writeXlsxFile from 'write-excel-file/node';

/* Reports as people write them, made for a test: in the flawed ones a sentence says what the table does not. */

export const regions = [
  ['Region', 'Q2 2024', 'Q3 2024'],
  ['APAC', '4.0', '4.6'],
  ['EMEA', '6.0', '6.3'],
  ['Total', '10.0', '10.9'],
] as const;

export const sentences = {
  growth: 'Revenue in APAC grew by 15 % from Q2 2024 to Q3 2024.',
  flawed: 'Revenue in APAC grew by 51 % from Q2 2024 to Q3 2024.',
  driver: 'The marketing strategy was the primary driver of growth in APAC.',
  total: 'Total revenue reached $10.9 million in Q3 2024.',
};

export interface PdfOptions {
  userPassword?: string;
  /** The sentence on growth in APAC. */
  growth?: string;
}

/** A page with a heading, three sentences and a table. */
export async function reportPdf({ userPassword, growth = sentences.growth }: PdfOptions = {}): Promise<Buffer> {
  const pdf = new DrawnPdf({
    size: 'A4',
    margin: 60,
    ...(userPassword === undefined ? {} : { userPassword }),
    info: { CreationDate: new Date(0) },
  });
  const bytes = buffer(pdf);
  pdf.font('Helvetica-Bold').fontSize(18).text('Sales report, third quarter of 2024');
  pdf.moveDown().font('Helvetica').fontSize(11).text(`${growth} ${sentences.driver} ${sentences.total}`);
  pdf.moveDown().text('Revenue by region, in millions of USD');
  const top = pdf.y + 10;
  regions.forEach((row, line) =>
    row.forEach((cell, column) => pdf.text(cell, 60 + column * 120, top + line * 20, { width: 110, lineBreak: false })),
  );
  pdf.end();
  return bytes;
}

/** The table of the report as a sheet. */
export async function figuresXlsx(rows: readonly (readonly string[])[] = regions): Promise<Buffer> {
  const data = rows.map((row) =>
    row.map((cell) =>
      /^\d/.test(cell) ? { type: Number, value: Number(cell), format: '0.0' } : { type: String, value: cell },
    ),
  );
  return writeXlsxFile(data as never, { sheet: 'Revenue' }).toBuffer();
}

export function figuresCsv(): string {
  return regions.map((row) => `${row.join(',')}\n`).join('');
}
