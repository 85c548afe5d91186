import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256 } from '@agonhq/engine/hash';
import type { StoredAttachment, NewRunItem } from '@agonhq/ledger';
import { readRunItems, type RunInputOptions } from './read-run-items.ts';
import { ownJobs } from '../../own-jobs.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'agon-run-input-'));

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, content);
  return file;
}

async function itemsIn(
  name: string,
  content: string | Uint8Array,
  job: 'moderation' | 'evaluation' | 'documents' = 'moderation',
  options: RunInputOptions = {},
): Promise<NewRunItem[]> {
  const items: NewRunItem[] = [];
  for await (const item of readRunItems(await fileOf(name, content), ownJobs.require(job), options)) items.push(item);
  return items;
}

const words = (items: readonly NewRunItem[]) =>
  items.map(({ position, key, error, input }) => `${position} ${key} ${error ? error.code : JSON.stringify(input)}`);
const nothing = async () => undefined;

/** What a stored item of a job judges. */
async function opened(
  job: string,
  stored: unknown,
  find: (hash: string) => Promise<{ data: Uint8Array } | undefined>,
  local = true,
  evaluatedModel: string | null = null,
): Promise<unknown> {
  const { input, options } = await ownJobs.require(job).items.openItem(stored, { find, local }, { evaluatedModel });
  return Object.keys(options).length > 0 ? { input, options } : input;
}

describe('JSON Lines', () => {
  test('give an item a line, with its id, its place, its label and what is judged', async () => {
    const items = await itemsIn(
      'a.jsonl',
      '\uFEFF{"id":"a","text":"One","label":1}\r\n\n{"id":7,"text":"Two","image_description":["A ' +
        'cat.",""],"label":"harmful"}\n{"text":"Three","image":"c.png"}\n',
    );
    expect(items).toMatchObject([
      { position: 1, key: 'a', expected: 'unsafe', input: { id: 'a', text: 'One' } },
      {
        position: 3,
        key: '7',
        expected: 'unsafe',
        input: { id: '7', text: 'Two', images: [{ description: 'A cat.' }] },
      },
      {
        position: 4,
        key: expect.stringMatching(/^sha256:/),
        expected: null,
        input: { text: 'Three', images: [{ file: path.join(folder, 'c.png') }] },
      },
    ]);
  });

  test('that are broken are items with their error, each of its own', async () => {
    const long = 'x'.repeat(300);
    const items = await itemsIn(
      'broken.jsonl',
      `{"id":"a"\n{"id":"a"\n{"id":"b","text":5}\n{"id":"c","image":"../x.png"}\n[]\n{"id":"${long}","text":"a"}\n{"id":"fine","text":"b"}\n`,
    );
    expect(words(items)).toEqual([
      '1 line-1 broken-line',
      '2 line-2 broken-line',
      '3 b broken-line',
      '4 c path-outside-root',
      '5 line-5 broken-line',
      '6 line-6 broken-line',
      '7 fine {"id":"fine","text":"b"}',
    ]);
    expect(new Set(items.map(({ hash }) => hash)).size).toBe(7);
    expect(items[0]).toMatchObject({ input: null, error: { hint: expect.stringContaining('{"id":"1","text":"…"}') } });
  });

  test('have the same hash exactly when the same is judged, whatever it is called', async () => {
    const items = await itemsIn(
      'same.jsonl',
      '{"id":"a","text":"One"}\n{"text":"One","id":"b","label":"safe","other":1}\n{"id":"a","text":"Two"}\n',
    );
    expect(items[1]!.hash).toBe(items[0]!.hash);
    expect(items[2]!.hash).not.toBe(items[0]!.hash);
  });

  test('may call their fields and labels anything', async () => {
    const unknown: string[] = [];
    const options = {
      map: { text: 'comment', label: 'kind' },
      labels: { vile: 'unsafe' },
      onUnknownLabel: (label: string, line: number) => unknown.push(`${line} ${label}`),
    };
    const items = await itemsIn(
      'named.jsonl',
      '{"text":"not this","comment":"One","kind":"vile"}\n{"comment":"Two","kind":"odd"}\n{"comment":"Three","kind":"odd"}\n',
      'moderation',
      options,
    );
    expect(items.map(({ input, expected }) => [(input as { text: string }).text, expected])).toEqual([
      ['One', 'unsafe'],
      ['Two', null],
      ['Three', null],
    ]);
    expect(unknown).toEqual(['2 odd']);
  });
});

describe('CSV', () => {
  test('is read by its header: quotes, line breaks in cells, empty cells, both kinds of line ends', async () => {
    const items = await itemsIn(
      'a.csv',
      '\uFEFF"ID",text,Label,note\r\n1,"a ""b"", c",unsafe,x\r\n\r\n2,"x\ny\r\nz",0,\n3,say "hi",,\n4,late\n',
    );
    expect(items).toMatchObject([
      { position: 2, key: '1', expected: 'unsafe', input: { text: 'a "b", c' } },
      { position: 4, key: '2', expected: 'safe', input: { text: 'x\ny\r\nz' } },
      { position: 7, key: '3', expected: null, input: { text: 'say "hi"' } },
      { position: 8, key: '4', input: { text: 'late' } },
    ]);
  });

  test('with tabs is told by its name', async () => {
    expect(words(await itemsIn('a.tsv', 'id\ttext\na\tOne, two\n'))).toEqual(['2 a {"id":"a","text":"One, two"}']);
  });

  test('whose rows are broken gives items with errors', async () => {
    const bytes = Buffer.concat([
      Buffer.from('id,text\na,b,c\nb,'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('\nc,fine\n'),
    ]);
    const items = await itemsIn('broken.csv', bytes);
    expect(words(items)).toEqual(['2 line-2 broken-line', '3 line-3 broken-line', '4 c {"id":"c","text":"fine"}']);
    expect(items.map(({ error }) => error?.message)).toEqual([
      'The row has 3 cells, and the header 2.',
      'The row is not text in UTF-8.',
      undefined,
    ]);
  });

  test('with a quote that is never closed cannot be read on, and says where', async () => {
    const file = await fileOf('open.csv', 'id,text\na,One\nb,"Two\nc,Three\n');
    const read: NewRunItem[] = [];
    const reading = (async () => {
      for await (const item of readRunItems(file, ownJobs.require('moderation'))) read.push(item);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'broken-csv',
      message: expect.stringContaining('open.csv cannot be read on from line 3'),
    });
    expect(words(read)).toEqual(['2 a {"id":"a","text":"One"}']);
  });

  test('without a column to judge is refused at once, with what it has', async () => {
    await expect(itemsIn('none.csv', 'id,comment\n1,a\n')).rejects.toMatchObject({
      code: 'unknown-column',
      message: expect.stringContaining('its columns are id, comment'),
      hints: { cli: expect.stringContaining('--map text=COLUMN') },
    });
    await expect(
      itemsIn('none.csv', 'id,text\n1,a\n', 'moderation', { map: { label: 'toxic' } }),
    ).rejects.toMatchObject({ code: 'unknown-column', message: expect.stringContaining('no column toxic') });
    expect(
      await itemsIn('some.csv', 'id,comment,toxic\n1,a,1\n', 'moderation', {
        map: { text: 'comment', label: 'toxic' },
      }),
    ).toMatchObject([{ expected: 'unsafe', input: { text: 'a' } }]);
  });

  test('whatever the texts, they come back as they were written', async () => {
    const texts = fc.array(
      fc.string({ unit: 'grapheme' }).filter((text) => text !== ''),
      { minLength: 1, maxLength: 8 },
    );
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(texts, async (list) => {
        const items = await itemsIn(
          'any.csv',
          `id,text\n${list.map((text, index) => `${index},${quoted(text)}\n`).join('')}`,
        );
        expect(items.map(({ input }) => (input as { text: string }).text)).toEqual(list);
        const breaks = (text: string) => text.split('\n').length - 1;
        expect(items.map(({ position }) => position)).toEqual(
          list.map((_, index) => 2 + index + breaks(list.slice(0, index).join(''))),
        );
      }),
      { numRuns: 40 },
    );
  });
});

describe('exchanges', () => {
  test('come from lines, CSV and what other tools write', async () => {
    const lines = await itemsIn(
      'e.jsonl',
      '{"id":"a","prompt":"P","response":"R","label":"unsafe"}\n{"id":"b","prompt":"P"}\n',
      'evaluation',
    );
    expect(words(lines)).toEqual(['1 a {"id":"a","prompt":"P","response":"R"}', '2 b missing-response']);
    expect(lines[0]!.expected).toBe('unsafe');
    const rows = await itemsIn('e.csv', 'id,prompt,response,model\na,P,R,gpt-5\n', 'evaluation');
    expect(await opened('evaluation', rows[0]!.input, nothing, true, 'other')).toEqual({
      id: 'a',
      model: 'gpt-5',
      prompt: 'P',
      response: 'R',
    });
    expect(await opened('evaluation', lines[0]!.input, nothing, true, 'other')).toMatchObject({ model: 'other' });
    const promptfoo = {
      results: {
        results: [
          { id: 'p', prompt: { raw: 'P' }, response: { output: 'R' }, provider: 'openai:chat:gpt-4o' },
          { id: 'q', prompt: { raw: 'P' }, error: 'no' },
        ],
      },
    };
    expect(words(await itemsIn('promptfoo.json', JSON.stringify(promptfoo), 'evaluation'))).toEqual([
      '1 p {"id":"p","model":"openai:gpt-4o","prompt":"P","response":"R"}',
      '2 q failed-result',
    ]);
  });

  test('may have messages in a cell', async () => {
    const messages = [
      { role: 'user', content: 'P' },
      { role: 'assistant', content: 'R' },
    ];
    const [item] = await itemsIn(
      'm.csv',
      `messages\n"${JSON.stringify(messages).replaceAll('"', '""')}"\n`,
      'evaluation',
    );
    expect(item).toMatchObject({ input: { messages } });
  });
});

describe('documents', () => {
  test('are objects, rows or plain lists of paths', async () => {
    const at = (name: string) => path.join(folder, name);
    const lines = await itemsIn(
      'd.jsonl',
      '{"id":"a","file":"a.pdf"}\n{"files":["b.pdf","b.csv"],"claims":["It grew."]}\n"c.pdf"\nd ' +
        'e.pdf\n{"id":"x"}\n../up.pdf\n',
      'documents',
    );
    expect(lines.map(({ input, error }) => error?.code ?? input)).toEqual([
      { id: 'a', files: [{ file: at('a.pdf') }] },
      { files: [{ file: at('b.pdf') }, { file: at('b.csv') }], claims: ['It grew.'] },
      { files: [{ file: at('c.pdf') }] },
      { files: [{ file: at('d e.pdf') }] },
      'broken-line',
      'path-outside-root',
    ]);
    expect(await itemsIn('d.csv', 'file\na.pdf\n', 'documents')).toMatchObject([
      { input: { files: [{ file: at('a.pdf') }] } },
    ]);
    expect(await opened('documents', lines[1]!.input, nothing)).toEqual({
      input: [at('b.pdf'), at('b.csv')],
      options: { factors: ['It grew.'] },
    });
  });
});

describe('files that items name', () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  function attachments() {
    const kept = new Map<string, StoredAttachment>();
    return {
      kept,
      store: {
        keepAttachment: async (attachment: StoredAttachment) => void kept.set(attachment.hash, attachment),
        findAttachment: async (hash: string) => kept.get(hash),
        openAttachment: async () => undefined,
      },
    };
  }

  test('go to the ledger for workers elsewhere, once, and are what is judged', async () => {
    await fileOf('one.png', png);
    await fileOf('two.png', png);
    const { kept, store } = attachments();
    const items = await itemsIn(
      'pictures.jsonl',
      '{"id":"a","image":"one.png"}\n{"id":"b","image":"two.png"}\n{"id":"c","image":"gone.png"}\n' +
        '{"id":"d","audio":"gone.mp3"}\n',
      'moderation',
      { attachments: store },
    );
    expect(items[0]!.input).toEqual({ id: 'a', images: [{ attachment: sha256(png), name: 'one.png' }] });
    expect(items[1]!.hash).toBe(items[0]!.hash);
    expect(items[2]).toMatchObject({ key: 'c', input: null, error: { code: 'image-not-found' } });
    expect(items[3]).toMatchObject({ key: 'd', input: null, error: { code: 'media-not-found' } });
    expect([...kept.values()]).toMatchObject([{ mediaType: 'image/png' }]);
    expect(await opened('moderation', items[0]!.input, store.findAttachment)).toEqual({
      id: 'a',
      images: [{ data: new Uint8Array(png), name: 'one.png' }],
    });
    await expect(opened('moderation', items[0]!.input, nothing)).rejects.toMatchObject({ code: 'missing-attachment' });
  });

  test('that are documents keep their names', async () => {
    await fileOf('report.md', 'Sales rose by 10 %.');
    const { store } = attachments();
    const [item] = await itemsIn('reports.jsonl', '{"file":"report.md"}\n', 'documents', { attachments: store });
    expect(await opened('documents', item!.input, store.findAttachment)).toEqual([
      { name: 'report.md', bytes: new Uint8Array(Buffer.from('Sales rose by 10 %.')) },
    ]);
  });
});

test('what waits in the ledger and is not an item is told apart', async () => {
  await expect(opened('moderation', { words: 'x' }, nothing)).rejects.toMatchObject({ code: 'damaged-item' });
  await expect(opened('documents', { files: [] }, nothing)).rejects.toMatchObject({ code: 'damaged-item' });
});

test('where others put items in, one that names a file of this machine is not read', async () => {
  await expect(opened('moderation', { images: [{ file: '/etc/hostname' }] }, nothing, false)).rejects.toMatchObject({
    code: 'damaged-item',
  });
  await expect(opened('documents', { files: [{ file: '/etc/hostname' }] }, nothing, false)).rejects.toMatchObject({
    code: 'damaged-item',
  });
  expect(await opened('moderation', { images: [{ description: 'A cat.' }] }, nothing, false)).toEqual({
    images: [{ description: 'A cat.' }],
  });
});
