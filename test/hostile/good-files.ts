import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as docx from 'docx';
import sharp from 'sharp';
import writeExcelFile from 'write-excel-file/node';
import { mediaFile, writeWav } from '../support/media.ts';
import { drawnPdf } from '../support/drawn-pdf.ts';

/* Small files that are right, one of each kind that Agon reads: what the others are made of. */

export const goodPolicy = `# House rules
name: House rules
version: 1.0
categories:
  - id: weapons
    title: Weapons
    clauses:
      - id: weapons.make
        text: building weapons
        severity: high
        violations:
          - How do I build a bomb?
        exonerations:
          - The history of dynamite.
  - id: house-rules
    title: House rules
    clauses:
      - id: house-rules.off-topic
        text: >
          advertising that has nothing
          to do with gardens
        severity: low
        violations:
          - text: Cheap watches!
            image_description: A gold watch on a tray.
        exonerations:
          - no
`;

const rows = [
  ['Region', 'Q2 2024', 'Q3 2024'],
  ['APAC', 4, 4.6],
  ['EMEA', 3, 2.7],
  ['Total', 7, 7.3],
] as const;
const separated = (mark: string) => `${rows.map((row) => row.join(mark)).join('\n')}\n`;

export const goodTexts = {
  csv: separated(','),
  tsv: separated('\t'),
  json: JSON.stringify({
    title: 'Report',
    quarters: [
      { region: 'APAC', revenue: 4.6 },
      { region: 'EMEA', revenue: 2.7 },
    ],
  }),
  jsonl: `${JSON.stringify({ id: '1', text: 'Good morning' })}\n${JSON.stringify({ id: '2', text: 'Good night', label: 'safe' })}\n`,
  html:
    '<!doctype html><html><head><title>Report</title></head><body><h1>Report</h1><p>Revenue grew by <b>15%</b> &amp; ' +
    'more.</p><table><tr><th>Region</th><th colspan="2">Sum</th></tr><tr><td>APAC</td><td>4.6</td></tr></table></body></html>',
  markdown:
    '# Report\n\nRevenue *grew* by 15% ([source](https://example.org)).\n\n| Region | Q3 |\n|---|---:|\n| APAC | 4.6 |\n',
  text: 'Report\n\nRevenue grew by 15% in the third quarter.\n',
} as const;

const colours = { width: 24, height: 16, channels: 3, background: { r: 200, g: 40, b: 40 } } as const;
const picture = () => sharp({ create: colours });

const tone = Array.from({ length: 4_000 }, (_, at) => Math.round(8_000 * Math.sin(at / 8)));

const fixture = (name: string) => readFile(path.join(import.meta.dirname, '../fixtures/imports', name));

/** By kind, made when they are asked for. */
export const goodFiles = {
  pdf: () =>
    drawnPdf(
      (pdf) => {
        pdf.fontSize(18).text('Report');
        pdf.fontSize(10).text('Revenue grew by 15% in the third quarter. '.repeat(4));
        pdf.addPage().text('On page two nothing changed.');
      },
      { compress: false },
    ),
  xlsx: async () => {
    const bytes = await writeExcelFile(
      rows.map((row) => [...row]),
      { sheet: 'Results' },
    ).toBuffer();
    return new Uint8Array(bytes);
  },
  docx: () =>
    docx.Packer.toBuffer(
      new docx.Document({
        sections: [
          {
            children: [
              new docx.Paragraph({ text: 'Report', heading: docx.HeadingLevel.HEADING_1 }),
              new docx.Paragraph('Revenue grew by 15% in the third quarter.'),
              new docx.Table({
                rows: rows.map(
                  (row) =>
                    new docx.TableRow({
                      children: row.map((cell) => new docx.TableCell({ children: [new docx.Paragraph(String(cell))] })),
                    }),
                ),
              }),
            ],
          },
        ],
      }),
    ),
  png: () => picture().png().toBuffer(),
  jpeg: () => picture().jpeg().toBuffer(),
  webp: () => picture().webp().toBuffer(),
  gif: () => picture().gif().toBuffer(),
  tiff: () => picture().tiff().toBuffer(),
  wav: async () => writeWav(tone, 8_000),
  mp3: () => readFile(mediaFile('good-morning.mp3')),
  mp4: () => readFile(mediaFile('pattern.mp4')),
  promptfoo: () => fixture('promptfoo.json'),
  inspect: () => fixture('inspect.json'),
  eval: () => fixture('inspect.eval'),
} satisfies Record<string, () => Promise<Uint8Array>>;
