import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { moderationBench } from '../jobs/moderation/bench.ts';
import { readDataset } from './read-dataset.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'agon-data-'));
let files = 0;

async function read(name: string, content: string | Uint8Array, options: object = {}) {
  const file = path.join(folder, `${(files += 1)}-${name}`);
  await writeFile(file, content);
  return readDataset(moderationBench, file, options);
}

const good = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify({ id: `i${index}`, text: `Post ${index}`, label: index % 2 })}\n`,
  ).join('');

describe('a file of labelled data', () => {
  test('may have a byte-order mark, carriage returns, blank lines, repeated ids and labels of all types', async () => {
    const text =
      '\uFEFF{"\uFEFFid":1,"text":"a","label":"safe"}\r\n\r\n{"id":1,"text":"b","label":1}\r\n{"id":2,"text":"c","label":true}\r\n{"text":"d","label":"0"}';
    const { lines } = await read('items.jsonl', text);
    expect(lines.map((line) => [line.line, 'item' in line && line.item.label])).toEqual([
      [1, 'safe'],
      [3, 'unsafe'],
      [4, 'unsafe'],
      [5, 'safe'],
    ]);
    expect(lines.slice(0, 3).map(({ key }) => key)).toEqual(['1', '1#2', '2']);
  });

  test('is the same as lines, as a list, laid out for people, and packed', async () => {
    const rows = [
      { id: 'a', text: 'One, "two"\nthree ]}', label: 0 },
      { id: 'b', text: 'é\\', label: 1 },
    ];
    const contents: [string, string | Uint8Array][] = [
      ['x.jsonl', rows.map((row) => JSON.stringify(row)).join('\n')],
      ['x.json', JSON.stringify(rows)],
      ['x.json', JSON.stringify(rows, null, 2)],
      ['x.json', JSON.stringify({ version: 1, items: rows }, null, 2)],
      ['x.json.gz', gzipSync(JSON.stringify(rows))],
      ['x.csv', 'id,text,label\na,"One, ""two""\nthree ]}",0\nb,é\\,1\n'],
    ];
    const all = await Promise.all(
      contents.map(async ([name, content]) =>
        (await read(name, content)).lines.map((line) => 'item' in line && line.item),
      ),
    );
    for (const items of all) expect(items).toEqual(all[0]);
    expect(all[0]).toMatchObject([
      { id: 'a', subject: { text: 'One, "two"\nthree ]}' } },
      { id: 'b', label: 'unsafe' },
    ]);
  });

  test('has broken lines in their places, with a hint that names the labels and --map-label', async () => {
    const { lines } = await read('items.jsonl', `${good(4)}{"text":"x"}\n{"text":"x","label":"odd"}\n{\n`);
    expect(lines.flatMap((line) => ('error' in line ? [[line.line, line.error.message]] : []))).toEqual([
      [5, 'The item has no label.'],
      [6, 'The label "odd" is not known.'],
      [7, expect.stringContaining('not JSON')],
    ]);
    expect(lines[5]).toMatchObject({ error: { hint: expect.stringMatching(/safe\/unsafe.+--map-label/) } });
  });

  test('is refused as a whole when most of its lines are broken, with the cause that is most frequent', async () => {
    await expect(
      read('items.jsonl', `${good(2)}{"text":"x","label":"odd"}\n{"text":"y","label":"odd"}\n{"text":"z"}\n`),
    ).rejects.toMatchObject({
      code: 'wrong-format',
      message: expect.stringMatching(/3 of 5 items cannot be read, 2 of them because: The label "odd" is not known\./),
      hint: expect.stringMatching(/--format.+--map/),
    });
    await expect(read('items.jsonl', '{"comment":"x","label":0}\n{"comment":"y","label":1}\n')).rejects.toMatchObject({
      code: 'wrong-format',
      message: expect.stringContaining('hold nothing to judge'),
    });
  });

  test('is read up to the limit and no further', async () => {
    expect((await read('items.jsonl', `${good(3)}{broken`, { limit: 3 })).lines).toHaveLength(3);
  });

  test('that is too much for memory is refused, unless a limit is given', async () => {
    await expect(read('many.jsonl', good(101), { mostItems: 100 })).rejects.toMatchObject({
      code: 'too-much-data',
      message: expect.stringContaining('more than 100 items'),
      hint: expect.stringContaining('--limit'),
    });
    expect((await read('many.jsonl', good(101), { mostItems: 100, limit: 10 })).lines).toHaveLength(10);
    expect((await read('many.jsonl', good(100), { mostItems: 100 })).lines).toHaveLength(100);
  });

  test.each<[string, string, string | Uint8Array, string]>([
    ['a line without an end', 'x.jsonl', `{"text":"${'a'.repeat(70_000_000)}","label":0}\n`, 'file-too-large'],
    ['an entry without an end', 'x.json', `[{"text":"${'a'.repeat(70_000_000)}","label":0}]`, 'file-too-large'],
    ['a list that breaks off', 'x.json', '[{"text":"a","label":0},{"text":"b","lab', 'broken-json'],
    ['something behind a list', 'x.json', '[{"text":"a","label":0}] {"text":"b"}', 'broken-json'],
    ['an object that is no JSON', 'x.json', '{"a": [1,', 'broken-json'],
    ['a damaged pack', 'x.jsonl.gz', gzipSync(good(2_000)).subarray(0, 900), 'unreadable-file'],
    ['no pack at all', 'x.jsonl.gz', good(2), 'unreadable-file'],
    ['a quote that is never closed', 'x.csv', 'text,label\n"a,0\nb,1\n', 'broken-csv'],
    ['two columns of one name', 'x.csv', 'text,text,label\na,b,0\n', 'broken-csv'],
    ['nothing', 'x.jsonl', '\n\n', 'empty-data'],
  ])(
    'with %s is refused in one line',
    async (_what, name, content, code) => {
      await expect(read(name, content)).rejects.toMatchObject({ code, message: expect.not.stringContaining('\n') });
    },
    60_000,
  );

  test('that is not there is named, with what was not measured', async () => {
    await expect(readDataset(moderationBench, path.join(folder, 'none.jsonl'), {})).rejects.toMatchObject({
      code: 'unreadable-file',
      message: expect.stringContaining('Nothing on none.jsonl was measured.'),
    });
  });

  test('may have raters instead of a label: most of them decide, and a draw does not', async () => {
    const { lines } = await read(
      'items.jsonl',
      `${good(2)}{"text":"x","raters":["safe","unsafe","unsafe"]}\n{"text":"x","raters":[0,1]}\n`,
    );
    expect(lines[2]).toMatchObject({ item: { label: 'unsafe', raters: ['safe', 'unsafe', 'unsafe'] } });
    expect(lines[3]).toMatchObject({ error: { message: 'The item has no label, and its raters are divided.' } });
  });
});
