import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextSchema, dropEmptyContext, gatherContext } from './item-context.ts';
import {
  guessInputFormat,
  readInputValues,
  readJsonValue,
  readSafetyLabel,
  renameValue,
  type InputLayout,
  type InputReading,
} from './index.ts';

const layout: InputLayout = {
  fields: ['id', 'label', 'text', 'image', 'context'],
  families: ['context'],
  parts: [['text'], ['image']],
  lists: ['image'],
  example: '{"id":"1","text":"…"}',
};

async function read(content: string | Uint8Array, reading: InputReading & Partial<InputLayout> = {}, name = 'in.csv') {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'input-')), name);
  await writeFile(file, content);
  const { format, map, signal, ...own } = reading;
  return collect(readInputValues(file, { ...layout, ...own }, { format, map, signal }));
}

async function collect<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

const valuesOf = (rows: Awaited<ReturnType<typeof read>>) => rows.map((row) => ('value' in row ? row.value : null));
const problemsOf = (rows: Awaited<ReturnType<typeof read>>) =>
  rows.map((row) => ('error' in row ? row.error.message : null));

describe('a table of items', () => {
  test('has a row for each, by the names of its columns, without empty cells and columns that are nothing to us', async () => {
    const rows = await read('\uFEFFid, text ,note,label\r\n7,"Hello, you",x,safe\r\n\r\n8,Bye,,\r\n');
    expect(valuesOf(rows)).toEqual([
      { id: '7', text: 'Hello, you', label: 'safe' },
      { id: '8', text: 'Bye' },
    ]);
    expect(rows.map(({ line }) => line)).toEqual([2, 4]);
    expect(rows.map(({ written }) => written)).toEqual([
      ['7', 'Hello, you', 'x', 'safe'],
      ['8', 'Bye', '', ''],
    ]);
  });

  test('may have line breaks in its cells, and says of each row on which line it begins', async () => {
    const rows = await read('id,text\n1,"one\ntwo\r\nthree"\n2,four\n3,"five\r\n"\n4,six\n');
    expect(rows.map(({ line }) => line)).toEqual([2, 5, 6, 8]);
    expect(valuesOf(rows)[0]).toEqual({ id: '1', text: 'one\ntwo\r\nthree' });
  });

  test('is parted by tabs where it says so', async () => {
    expect(valuesOf(await read('text\tlabel\na, b\tsafe\n', {}, 'in.tsv'))).toEqual([{ text: 'a, b', label: 'safe' }]);
    expect(valuesOf(await read('text\tlabel\na, b\tsafe\n', { format: 'tsv' }, 'in.txt'))).toHaveLength(1);
  });

  test('a list in a cell is that list, where the field may be one; a name that begins with a bracket stays', async () => {
    const rows = await read('text,image\n[1],"[""a.png"",""b.png""]"\nx,[a].png\n');
    expect(valuesOf(rows)).toEqual([
      { text: '[1]', image: ['a.png', 'b.png'] },
      { text: 'x', image: '[a].png' },
    ]);
  });

  test('may call a field otherwise, and any member of a family', async () => {
    const rows = await read('body,by,context.thread\nHi,ada,t-1\n', { map: { text: 'body', 'context.author': 'by' } });
    expect(valuesOf(rows)).toEqual([{ text: 'Hi', 'context.author': 'ada', 'context.thread': 't-1' }]);
  });

  test('without the columns of an item is refused', async () => {
    const unknown = { code: 'unknown-column' };
    await expect(read('id,note\n1,x\n')).rejects.toMatchObject(unknown);
    await expect(read('body\nHi\n', { map: { text: 'content' } })).rejects.toMatchObject(unknown);
    await expect(read('text,note\nHi,x\n', { parts: [['text', 'image']] })).rejects.toMatchObject(unknown);
    await expect(read('text,\xff\n', {}, 'in.csv')).resolves.toEqual([]);
    await expect(read(Buffer.from('text,\xff\n', 'latin1'))).rejects.toMatchObject({ code: 'broken-csv' });
  });

  test('may write its columns in capitals, and gives a column that was mapped to no field but that one', async () => {
    expect(valuesOf(await read('TEXT,Context.Author\nHi,ada\n'))).toEqual([{ text: 'Hi', 'context.Author': 'ada' }]);
    expect(valuesOf(await read('body,text\nHi,other\n', { map: { text: 'body' } }))).toEqual([{ text: 'Hi' }]);
  });

  test('a row with too many cells, or that is no UTF-8, is an error in its place, and the rest goes on', async () => {
    const rows = await read(Buffer.from('text,label\na,safe,more\nb,safe,\n\xff,safe\nc,safe\n', 'latin1'));
    expect(problemsOf(rows)).toEqual([
      'The row has 3 cells, and the header 2.',
      null,
      'The row is not text in UTF-8.',
      null,
    ]);
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
  });

  test('a quote that is never closed ends the reading, with its line', async () => {
    await expect(read('text\na\n"b\nc\n')).rejects.toMatchObject({
      code: 'broken-csv',
      message: expect.stringContaining('cannot be read on from line 3: a quote that opens there is never closed'),
    });
  });

  test('law: whatever stands in its cells comes out of them', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ß', ',', '"', '\n', '\r\n', ' ', '\t', '€'), maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), async (cells) => {
        const quoted = cells.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(','));
        const rows = await read(`text,label\n${quoted.join('\n')}\n`);
        expect(valuesOf(rows)).toEqual(
          cells
            .filter(([text, label]) => text !== '' || label !== '')
            .map(([text, label]) => ({ ...(text ? { text } : {}), ...(label ? { label } : {}) })),
        );
      }),
      { numRuns: 25 },
    );
  });
});

describe('lines of items', () => {
  test('are JSON, under our names', async () => {
    const rows = await read('{"body":"Hi","id":3}\n\nnonsense\n["x"]\n', { map: { text: 'body' } }, 'in.jsonl');
    expect(valuesOf(rows)).toEqual([{ body: 'Hi', id: 3, text: 'Hi' }, null, ['x']]);
    expect(rows.map(({ line, written }) => [line, written])).toEqual([
      [1, '{"body":"Hi","id":3}'],
      [3, 'nonsense'],
      [4, '["x"]'],
    ]);
  });

  test('that are no JSON are texts where a list of them needs no quotes', () => {
    const bare = { example: '…', bare: true };
    expect(readJsonValue(1, '  a/b c.png ', bare)).toEqual({ line: 1, written: '  a/b c.png ', value: 'a/b c.png' });
    for (const text of ['"a"', ' ["a"]', '{"a":1}'])
      expect(readJsonValue(1, text, bare)).toMatchObject({ written: text });
    expect(readJsonValue(1, '"a"', bare)).toMatchObject({ value: 'a' });
    expect(readJsonValue(1, '{a', bare)).toMatchObject({ error: { code: 'broken-line' } });
    expect(readJsonValue(1, null, bare)).toMatchObject({ error: { code: 'broken-line' } });
  });

  test('a reading that was called off ends', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'input-')), 'in.jsonl');
    await writeFile(file, '{"text":"a"}\n');
    const reading = collect(readInputValues(file, layout, { signal: AbortSignal.abort() }));
    await expect(reading).rejects.toThrow();
  });
});

test('the name of a file says how it is written', () => {
  const names = ['a.csv', 'a.CSV', 'a.tsv', 'a.tab', 'a.jsonl', 'csv', 'a.csv.gz'];
  expect(names.map(guessInputFormat)).toEqual(['csv', 'csv', 'tsv', 'tsv', 'jsonl', 'jsonl', 'jsonl']);
});

test('only what has fields can be renamed', () => {
  for (const value of ['a', null, 1, ['a']]) expect(renameValue(value, { text: 'body' })).toEqual(value);
});

test('labels of published data are read in any form and case, and no other is', () => {
  for (const label of ['safe', ' Unharmful', 0, '0', false]) expect(readSafetyLabel(label)).toBe('safe');
  for (const label of ['UNSAFE', 'harmful ', 1, true, 'True']) expect(readSafetyLabel(label)).toBe('unsafe');
  for (const label of ['2', 2, null, undefined, ['safe'], 'maybe', '']) expect(readSafetyLabel(label)).toBeUndefined();
});

describe('the context of an item', () => {
  test('is gathered from its fields, beside what it has of its own', () => {
    expect(
      gatherContext({ text: 'Hi', context: { author: 'ada', thread: 't' }, 'context.author': 'bo', 'context.n': '[1' }),
    ).toEqual({ text: 'Hi', context: { author: 'bo', thread: 't', n: '[1' } });
    expect(gatherContext({ 'context.links': ' https://a  https://b ', 'context.quotable': 'title' })).toEqual({
      context: { links: ['https://a', 'https://b'], quotable: ['title'] },
    });
    expect(gatherContext({ 'context.tags': '["x","y"]', 'context.age': 7 })).toEqual({
      context: { tags: ['x', 'y'], age: 7 },
    });
    const plain = { text: 'Hi', 'context.author': undefined };
    expect(gatherContext(plain)).toBe(plain);
    for (const value of ['text', null, ['context.author']]) expect(gatherContext(value)).toEqual(value);
  });

  test('holds plain texts, numbers, truths and lists of texts, within its limits', () => {
    const accepts = (context: object) => contextSchema.safeParse(context).success;
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, 1]));
    expect(accepts({ author: 'ada', links: ['https://a'], score: 1, seen: true, tags: ['a'] })).toBe(true);
    expect([accepts(many(40)), accepts(many(41))]).toEqual([true, false]);
    expect([accepts({ author: 'a'.repeat(256) }), accepts({ author: 'a'.repeat(257) })]).toEqual([true, false]);
    expect([accepts({ [`a${'b'.repeat(59)}`]: 1 }), accepts({ [`a${'b'.repeat(60)}`]: 1 })]).toEqual([true, false]);
    expect([accepts({ größe: 1 }), accepts({ '1st': 1 }), accepts({ 'a b': 1 })]).toEqual([true, false, false]);
    expect([accepts({ note: 'a\tb\nc' }), accepts({ note: 'a\u0000b' }), accepts({ note: '\ud800' })]).toEqual([
      true,
      false,
      false,
    ]);
    expect([accepts({ note: ' ' }), accepts({ note: { deep: 1 } })]).toEqual([false, false]);
    expect([accepts({ title: 'x', quotable: ['title'] }), accepts({ quotable: ['title'] })]).toEqual([true, false]);
    expect(accepts({ quotable: ['quotable'] })).toBe(false);
    const texts = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, 'x'.repeat(3990)]));
    expect([accepts(texts(3)), accepts(texts(5))]).toEqual([true, false]);
  });

  test('that says nothing is left out', () => {
    expect(dropEmptyContext({ text: 'a', context: {} })).toEqual({ text: 'a' });
    expect(dropEmptyContext({ text: 'a', context: { author: 'b' } })).toEqual({ text: 'a', context: { author: 'b' } });
  });
});
