import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cell, type BenchBlock } from './block.ts';
import { blockToMarkdown } from './render-markdown.ts';

/** How many cells a line of a table has. */
const countCells = (line: string) => line.replaceAll(/\\./g, '').split('|').length - 2;

test('whatever cells say, each line of a table has as many of them as its head', () => {
  const words = fc.string({ unit: fc.constantFrom('|', '*', '`', '_', '<', 'a', ' ', '\n'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(fc.tuple(words, words, words), { minLength: 1, maxLength: 4 }), (rows) => {
      const block: BenchBlock = {
        title: 'T',
        lead: 'L',
        table: {
          head: [cell.text('System'), cell.number('F1'), cell.text('In words')],
          rows: rows.map(([name, text, title]) => [
            cell.name(`x${name}`),
            cell.text(`x${text.replaceAll('\n', ' ')}`),
            cell.title(`x${title}`),
          ]),
        },
      };
      const table = blockToMarkdown(block, 2)[3]!.split('\n');
      expect(table).toHaveLength(rows.length + 2);
      for (const line of table) expect([line, countCells(line)]).toEqual([line, 3]);
      expect(table[1]).toBe('| --- | ---: | --- |');
    }),
  );
});

test('a block has its heading, its lead and its notes, and says what it lacks in place of a table', () => {
  expect(blockToMarkdown({ title: 'T', lead: 'L', missing: 'Nothing was measured.', notes: ['* starred'] }, 3)).toEqual(
    ['### T', 'L', '*Nothing was measured.*', '', expect.stringContaining('\\* starred')],
  );
});
