import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRunOutput } from './result-file.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'agon-output-'));
const results = '{"line":1,"key":"a","result":{}}\n';

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

describe('the output of a run', () => {
  test('is written from its beginning, and only a run that goes on replaces results', async () => {
    const file = await fileOf('out.jsonl', `${results}${results}`);
    await expect(openRunOutput(file, { resumed: false })).rejects.toMatchObject({ code: 'output-exists' });
    expect(await readFile(file, 'utf8')).toBe(`${results}${results}`);
    const output = await openRunOutput(file, { resumed: true });
    await output.write({ line: 7, key: 'b', result: 1 });
    await output.close();
    expect(await readFile(file, 'utf8')).toBe('{"line":7,"key":"b","result":1}\n');
  });

  test('may be new, empty, or cut short by a crash', async () => {
    for (const file of [
      path.join(folder, 'new.jsonl'),
      await fileOf('empty.jsonl', ''),
      await fileOf('cut.jsonl', '{"line":1,"key":"a","res'),
    ]) {
      const output = await openRunOutput(file, { resumed: true });
      await output.close();
      expect(await readFile(file, 'utf8')).toBe('');
    }
  });

  test.each([
    ['notes', 'Do not lose this.\n'],
    ['an item', '{"id":"a","text":"b"}\n'],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff])],
  ])('is not %s', async (_, content) => {
    const file = await fileOf('other', content);
    await expect(openRunOutput(file, { resumed: true })).rejects.toMatchObject({ code: 'not-results' });
    expect(await readFile(file)).toEqual(Buffer.from(content));
  });

  test('has one writer at a time', async () => {
    const file = path.join(folder, 'one.jsonl');
    const output = await openRunOutput(file, { resumed: false });
    await expect(openRunOutput(file, { resumed: true })).rejects.toMatchObject({ code: 'output-in-use' });
    await output.close();
    await (await openRunOutput(file, { resumed: true })).close();
  });

  test('that cannot be written says why', async () => {
    await expect(openRunOutput(path.join(folder, 'no', 'such.jsonl'), { resumed: false })).rejects.toMatchObject({
      code: 'cannot-write',
      message: expect.stringContaining('there is no such folder'),
    });
    await expect(openRunOutput(folder, { resumed: false })).rejects.toMatchObject({
      code: 'cannot-write',
      message: expect.stringContaining('it is a folder'),
    });
  });
});
