import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgonError } from '../agon-error.ts';
import { readItemLines, openLines } from './item-lines.ts';

interface Item {
  id?: string;
  text: string;
}

function readItem(value: unknown): Item {
  const item = value as Item;
  if (typeof item?.text !== 'string') throw new AgonError('broken-line', 'There is no text.', 'Add one.');
  return item;
}

async function linesFrom(...pieces: (string | Uint8Array)[]) {
  return listOf(readItemLines(Readable.from(pieces), readItem));
}

async function listOf<Line>(lines: AsyncIterable<Line>): Promise<Line[]> {
  const list: Line[] = [];
  for await (const line of lines) list.push(line);
  return list;
}

test('each line is an item with its number; blank lines count but are no items', async () => {
  const lines = await linesFrom('{"text":"a"}\n\n  \n{"text":"b"}\n');
  expect(lines).toMatchObject([
    { line: 1, item: { text: 'a' } },
    { line: 4, item: { text: 'b' } },
  ]);
});

test('a byte order mark, Windows line ends and a missing last line end do no harm', async () => {
  const lines = await linesFrom('\uFEFF{"text":"a"}\r\n{"text":"b"}\r\n{"text":"c"}');
  expect(lines.map((line) => 'item' in line && line.item.text)).toEqual(['a', 'b', 'c']);
});

test('a line that is not JSON, not an item or not UTF-8 is an error in its place, and the rest goes on', async () => {
  const lines = await linesFrom(
    '{"text":"a"}\n{"text":\n42\n',
    Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]),
    '{"text":"z"}\n',
  );
  expect(
    lines.map((line) =>
      'error' in line ? `${line.line} ${line.error.code}: ${line.error.message}` : `${line.line} ok`,
    ),
  ).toEqual([
    '1 ok',
    expect.stringMatching(/^2 broken-line: The line is not JSON: .+\.$/),
    '3 broken-line: There is no text.',
    '4 broken-line: The line is not text in UTF-8.',
    '5 ok',
  ]);
});

test('a line separator inside a JSON string does not end the line', async () => {
  const text = 'one\u2028two\u2029three\u0085four';
  expect(await linesFrom(`${JSON.stringify({ text })}\n`)).toMatchObject([{ line: 1, item: { text } }]);
});

test('whatever the texts and wherever the chunks are cut, the same items come out', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }),
      fc.integer({ min: 1, max: 9 }),
      async (texts, size) => {
        const bytes = Buffer.from(texts.map((text) => JSON.stringify({ text })).join('\n'));
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        const lines = await linesFrom(...pieces);
        expect(lines.map((line) => 'item' in line && line.item.text)).toEqual(texts);
      },
    ),
    { numRuns: 50 },
  );
});

describe('keys', () => {
  test('are the ids, and otherwise follow from the line', async () => {
    const [first, second, third] = await linesFrom('{"id":"p1","text":"a"}\n{"text":"b"}\n{"text":"c"}\n');
    expect(first!.key).toBe('p1');
    expect(second!.key).toMatch(/^sha256:/);
    expect(third!.key).not.toBe(second!.key);
  });

  test('are the ids of lines that cannot be read, too, as far as they have one', async () => {
    const lines = await linesFrom(
      '{"id":"p1"}\n{"id":7}\n{"id":["p3"]}\n{"id":""}\n42\n{"id":"p4",\n{"id":"p1","text":"a"}\n',
    );
    expect(lines.map(({ key }) => key)).toEqual([
      'p1',
      '7',
      ...Array(4).fill(expect.stringMatching(/^sha256:/)),
      'p1#2',
    ]);
    expect(lines.slice(0, 6).every((line) => 'error' in line)).toBe(true);
  });

  test('are never the same twice in a file, and the same every time', async () => {
    const file =
      '{"id":"a","text":"1"}\n{"id":"a","text":"2"}\n{"id":"a#2","text":"3"}\n{"id":"a","text":"4"}\n{"text":"x"}\n{"text":"x"}\n';
    const keys = (await linesFrom(file)).map(({ key }) => key);
    expect(new Set(keys).size).toBe(6);
    expect((await linesFrom(file)).map(({ key }) => key)).toEqual(keys);
  });
});

describe('a file that cannot be read', () => {
  test('is named with the reason', async () => {
    await expect(openLines('/nowhere/items.jsonl')).rejects.toMatchObject({
      code: 'unreadable-file',
      message: '/nowhere/items.jsonl cannot be read: there is no such file.',
    });
    await expect(openLines(tmpdir())).rejects.toMatchObject({
      code: 'unreadable-file',
      message: expect.stringContaining('is a folder'),
    });
  });

  test('while one that can be gives its lines', async () => {
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'agon-lines-')), 'items.jsonl');
    await writeFile(file, '{"text":"a"}\n');
    expect(await listOf(readItemLines(await openLines(file), readItem))).toHaveLength(1);
  });
});
