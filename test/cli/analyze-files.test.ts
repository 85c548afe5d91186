import { truncate } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Analysis } from '@agonhq/core';
import { pdfBomb } from '../support/contract/pdf-bomb.ts';
import { makeZip } from '../support/make-zip.ts';
import { figuresXlsx, reportPdf } from '../support/report-files.ts';
import { oneLine, openBoardroom, type RunOptions } from '../support/run-agon.ts';
import { slowTest } from '../support/slow.ts';

const pdf = await reportPdf();
const xlsx = await figuresXlsx();

/** An XLSX whose only sheet unpacks to very much. */
function bomb(): Buffer {
  const types =
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override ' +
    'PartName="/xl/workbook.xml" ' +
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>';
  return makeZip({
    '[Content_Types].xml': { content: types },
    'xl/workbook.xml': { content: '<workbook/>' },
    'xl/worksheets/sheet1.xml': { content: Buffer.alloc(100_000_000) },
  });
}

describe.concurrent('bad files: one line with a hint, and nobody is asked', () => {
  test.each<[name: string, file: string, content: () => string | Uint8Array | Promise<Uint8Array>, says: RegExp]>([
    [
      'an encrypted PDF',
      'locked.pdf',
      () => reportPdf({ userPassword: 'secret' }),
      /locked\.pdf.+(password|encrypted)/i,
    ],
    [
      'a corrupt PDF',
      'corrupt.pdf',
      () => Buffer.concat([pdf.subarray(0, 40), Buffer.alloc(400, 'x')]),
      /corrupt\.pdf/,
    ],
    ['an empty PDF', 'empty.pdf', () => '', /empty\.pdf is empty\./],
    ['an empty CSV', 'empty.csv', () => '', /empty\.csv is empty\./],
    ['white space', 'blank.txt', () => ' \n\t\n', /blank\.txt holds nothing to read/],
    ['a zip bomb as XLSX', 'bomb.xlsx', bomb, /bomb\.xlsx/],
    ['a cut XLSX', 'cut.xlsx', () => xlsx.subarray(0, 500), /cut\.xlsx/],
    [
      'a program',
      'tool.bin',
      () =>
        Buffer.from([
          0x7f,
          0x45,
          0x4c,
          0x46,
          2,
          1,
          1,
          ...Array.from({ length: 300 }, (_, index) => (index * 37) % 256),
        ]),
      /tool\.bin/,
    ],
  ])('%s', async (_name, file, content, says) => {
    const { code, line } = await refused([file], { [file]: await content() });
    expect(code).toBe(exitCodeOf(line));
    expect(line).toMatch(says);
  });

  /** What holds nothing is nothing judged, which a gate must not take for a verdict. */
  const exitCodeOf = (line: string) => (/is empty|holds nothing/.test(line) ? 4 : 1);

  slowTest('a PDF that unpacks to a gigabyte', async () => {
    const { code, line } = await refused(['bomb.pdf'], { 'bomb.pdf': pdfBomb() });
    expect(code).toBe(1);
    expect(line).toMatch(/^agon: Reading bomb\.pdf takes more than .+ MiB of memory/);
  });

  test.each<[name: string, args: string[], options: RunOptions, says: RegExp]>([
    ['a file that is not there', ['none.pdf'], {}, /no file none\.pdf/],
    ['a folder', ['.'], {}, /folder/],
    ['nothing on standard input', ['-', '--name', 'a.csv'], {}, /a\.csv is empty\./],
    [
      'more than is read on standard input',
      ['-', '--name', 'a.csv'],
      { stdin: 'a,b\n'.repeat(1000), environment: { AGON_DOCUMENTS_LIMITS_BYTES: '1000' } },
      /a\.csv has .+ the limit is/,
    ],
    [
      'more text than is judged',
      ['agon.config.json'],
      { environment: { AGON_DOCUMENTS_MAX_CHARACTERS: '10' } },
      /characters; at most 10 .+documents\.maxCharacters/,
    ],
  ])('%s', async (_name, args, options, says) => {
    const { code, line } = await refused(args, {}, options);
    expect(code).toBe(exitCodeOf(line));
    expect(line).toMatch(says);
  });

  test('a CSV of 1 GB is refused before it is read', async () => {
    const court = await openBoardroom();
    await truncate(await court.file('huge.csv', 'a,b\n'), 1_000_000_000);
    const { code, stderr } = await court.agon(['analyze', 'huge.csv']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^agon: huge\.csv has 1000 MB; the limit is .+\n$/);
  });
});

test('a text called .pdf is read as what it is, with a note', async () => {
  const court = await openBoardroom();
  await court.file('letter.pdf', 'Sales rose by 15 % in 2024.\nCosts fell.\n');
  const { code, stdout } = await court.agon(['analyze', 'letter.pdf', '--json', '--factor', 'Sales rose.']);
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as Analysis).documents).toMatchObject([
    { name: 'letter.pdf', kind: 'text', notes: [expect.stringMatching(/not a PDF|text/i)] },
  ]);
});

test('a wrong extension is noted, and what the file is counts', async () => {
  const court = await openBoardroom();
  await court.file('report.csv', pdf);
  const { code, stdout } = await court.agon(['analyze', 'report.csv', '--json', '--factor', 'Sales rose.']);
  expect(code).toBe(0);
  const [document] = (JSON.parse(stdout) as Analysis).documents;
  expect(document).toMatchObject({ name: 'report.csv', kind: 'pdf', notes: [expect.stringMatching(/PDF/i)] });
});

async function refused(args: readonly string[], files: Record<string, string | Uint8Array>, options: RunOptions = {}) {
  const court = await openBoardroom();
  for (const [name, content] of Object.entries(files)) await court.file(name, content);
  const { code, stdout, stderr } = await court.agon(['analyze', ...args], options);
  expect(stdout).toBe('');
  expect(stderr).toMatch(oneLine);
  expect(stderr.split('\n')).toHaveLength(2);
  expect(court.panel.requests).toEqual([]);
  return { code, line: stderr };
}
