import { expect, test } from 'vitest';
import { guessColumns, readPreview } from './read-preview.ts';

test('lines are shown by their fields, and the first that is none is told', () => {
  expect(readPreview('\uFEFF{"id":1,"text":"a"}\n\n{"image":["x.png"]}\n', 'jsonl', true)).toEqual({
    format: 'jsonl',
    columns: ['id', 'text', 'image'],
    rows: [{ id: '1', text: 'a' }, { image: '["x.png"]' }],
    problem: null,
  });
  expect(readPreview('{"id":1}\nnonsense\n', 'jsonl', true).problem).toContain('Line 2');
  expect(readPreview('[]\n', 'jsonl', true).problem).toContain('Line 1');
  expect(readPreview('\n', 'jsonl', true).problem).toBe('The file is empty.');
});

test('what was cut off is not shown', () => {
  expect(readPreview('{"id":"a"}\n{"id":"b', 'jsonl', false)).toMatchObject({ rows: [{ id: 'a' }], problem: null });
  expect(readPreview('id,text\n1,"a\nb', 'csv', false).rows).toEqual([]);
});

test('tables have quotes, line breaks in cells and empty lines', () => {
  expect(readPreview('id,text\r\n1,"a, ""b""\nc"\r\n\r\n2,d', 'csv', true).rows).toEqual([
    { id: '1', text: 'a, "b"\nc' },
    { id: '2', text: 'd' },
  ]);
  expect(readPreview('id\ttext\n1\ta, b\n', 'tsv', true).rows).toEqual([{ id: '1', text: 'a, b' }]);
});

test('at most five rows are shown', () => {
  expect(readPreview(`text\n${'a\n'.repeat(9)}`, 'csv', true).rows).toHaveLength(5);
});

test('columns with our names are found in any letters', () => {
  expect(guessColumns(['ID', 'Comment', 'images'])).toEqual({ id: 'ID', image: 'images' });
});
