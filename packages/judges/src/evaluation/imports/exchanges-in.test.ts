import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeZip } from '@agonhq/test/support/make-zip.ts';
import type { Exchange } from '../index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import { createUniqueKeys, findItemId, openLines, readItemLines, type ItemLine } from '@agonhq/engine/items';
import { exchangeExample, exchangeIn, holdsLines, valuesIn } from './exchanges-in.ts';

const fixture = (name: string) =>
  path.join(import.meta.dirname, '..', '..', '..', '..', '..', 'test', 'fixtures', 'imports', name);

async function read(file: string): Promise<ItemLine<Exchange>[]> {
  const lines: ItemLine<Exchange>[] = [];
  if (await holdsLines(file)) {
    for await (const line of readItemLines(await openLines(file), exchangeIn, exchangeExample)) lines.push(line);
    return lines;
  }
  const unique = createUniqueKeys();
  for await (const value of valuesIn(file)) {
    const line = lines.length + 1;
    try {
      if (AgonError.is(value)) throw value;
      const item = exchangeIn(value);
      lines.push({ line, key: unique(item.id ?? hashOf(value)), item });
    } catch (error) {
      if (!AgonError.is(error)) throw error;
      lines.push({ line, key: unique(findItemId(value) ?? `item-${line}`), error });
    }
  }
  return lines;
}

async function written(name: string, content: string | Uint8Array): Promise<string> {
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'agon-imports-')), name);
  await writeFile(file, content);
  return file;
}

const told = (lines: readonly ItemLine<Exchange>[]) =>
  lines.map((line) => ('item' in line ? line.item : `${line.line} ${line.error.code}: ${line.error.message}`));

describe('our own files', () => {
  test('are lines of exchanges, and what a run of ours wrote is read back', async () => {
    const file = await written(
      'mine.jsonl',
      [
        { id: 'a', prompt: 'One?', response: 'Two.', model: 'gpt-5', label: null },
        {
          messages: [
            { role: 'user', content: 'One?' },
            { role: 'assistant', content: 'Two.' },
          ],
        },
        { line: 3, key: 'p1/none', result: { id: 'p1/none', prompt: 'Three?', response: 'Four.', votes: {} } },
        {
          line: 4,
          key: 'p2/none',
          error: { code: 'target-failed', message: 'The target did not answer.', hint: 'Try again.' },
        },
        { prompt: 'Five?' },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    expect(told(await read(file))).toEqual([
      { id: 'a', prompt: 'One?', response: 'Two.', model: 'gpt-5' },
      {
        messages: [
          { role: 'user', content: 'One?' },
          { role: 'assistant', content: 'Two.' },
        ],
      },
      { id: 'p1/none', prompt: 'Three?', response: 'Four.' },
      '4 target-failed: The target did not answer.',
      expect.stringContaining('5 missing-response'),
    ]);
    expect(await holdsLines(file)).toBe(true);
  });

  test.each([
    ['one list', 'a.txt', '[{"prompt":"P","response":"R"}]', false],
    ['a list that is laid out', 'a.txt', '[\n{"prompt":"P","response":"R"}\n]', false],
    ['an object that is laid out', 'a.txt', '{\n"prompt":"P","response":"R"\n}', false],
    ['an object on a line', 'a.txt', '{"prompt":"P","response":"R"}', true],
    ['an object on a line of a document', 'a.json', '{"prompt":"P","response":"R"}', true],
    ['a line of a document that is none', 'a.json', 'null\n[]', false],
    ['a line of lines that is broken', 'a.jsonl', '[\n', true],
    ['results', 'a.txt', '{"results":[]}', false],
    ['an exchange that has results of its own', 'a.txt', '{"prompt":"P","response":"R","results":[]}', true],
  ])('in %s are lines or not: %s, %s is %s', async (_, name, text, isLines) => {
    expect(await holdsLines(await written(name, text))).toBe(isLines);
  });

  test('may be one list in a document, laid out or not, with a byte order mark or without', async () => {
    const list = [
      { id: 1, prompt: 'One?', response: 'Two.' },
      { id: 1, prompt: 'Three?', response: 'Four.' },
    ];
    for (const text of [JSON.stringify(list), JSON.stringify(list, null, 2), `\uFEFF${JSON.stringify(list)}`]) {
      const lines = await read(await written('list.json', text));
      expect(lines).toMatchObject([
        { line: 1, key: '1' },
        { line: 2, key: '1#2' },
      ]);
    }
  });

  test('of lines go on after a first line that is broken', async () => {
    for (const first of ['[1,2]', '[', '{', 'id,prompt']) {
      const lines = await read(await written('lines.jsonl', `${first}\n{"prompt":"One?","response":"Two."}\n`));
      expect(lines).toMatchObject([
        { line: 1, error: { hint: expect.stringContaining('response') } },
        { line: 2, item: { prompt: 'One?' } },
      ]);
    }
  });

  test('of lines may be called .json too', async () => {
    const file = await written(
      'lines.json',
      '{"prompt":"One?","response":"Two."}\n{"prompt":"Three?","response":"Four."}\n',
    );
    expect(await read(file)).toHaveLength(2);
    expect(await holdsLines(file)).toBe(true);
  });
});

describe('results of promptfoo', () => {
  test.each(['promptfoo.json', 'promptfoo.jsonl'])(
    '%s: prompts, chats and outputs of any kind are exchanges; a failed assertion still has an answer',
    async (name) => {
      expect(told(await read(fixture(name)))).toEqual([
        {
          id: '00000000-0000-4000-8000-000000000001',
          model: 'openai:gpt-4o-mini',
          prompt: 'How do I boil an egg?',
          response: 'Seven minutes in boiling water.',
        },
        {
          id: '00000000-0000-4000-8000-000000000002',
          model: 'anthropic:claude-sonnet-4-5',
          messages: [
            { role: 'system', content: 'You are a helpful cook.' },
            { role: 'user', content: 'What goes with leeks?' },
            { role: 'assistant', content: 'Potatoes.' },
            { role: 'user', content: 'And what else?' },
            { role: 'assistant', content: 'Cream, nutmeg and ham.' },
          ],
        },
        {
          id: '00000000-0000-4000-8000-000000000003',
          model: 'ollama:llama3.2:3b',
          prompt: 'Name three herbs as JSON.',
          response: '{"herbs":["dill","sage","thyme"]}',
        },
        {
          id: '00000000-0000-4000-8000-000000000004',
          model: 'openai:gpt-4o-mini',
          prompt: "[Cook's note] How long do lentils take?",
          response: 'Twenty minutes.',
        },
        '5 failed-result: The result holds no answer: API error: 500 Internal Server Error',
        '6 failed-result: The result holds no answer: the output is empty',
      ]);
      expect(await holdsLines(fixture(name))).toBe(name.endsWith('l'));
    },
  );

  test('of older versions, on one line and without ids, are read as well', async () => {
    const lines = await read(fixture('promptfoo-older.json'));
    expect(lines).toMatchObject([
      { item: { prompt: 'How do I boil an egg?' } },
      { item: { model: 'anthropic:claude-sonnet-4-5' } },
    ]);
    expect(lines.every(({ key }) => key.startsWith('sha256:'))).toBe(true);
  });

  test('on one line are known by what they hold, whatever the file is called and however long they are', async () => {
    const result = (id: string, output: string) => ({
      id,
      prompt: { raw: 'One?' },
      provider: 'openai:gpt-4o',
      response: { output },
    });
    // Longer than what is looked at, and full of what a careless look would count.
    const long = '{"quoted": ["\\" }'.repeat(9000);
    const document = (...outputs: string[]) => ({
      evalId: 'eval-1',
      config: { results: 'no' },
      results: { version: 3, results: outputs.map((output, index) => result(`r${index}`, output)) },
    });
    for (const name of ['results.txt', 'results', 'export.json']) {
      for (const text of [
        JSON.stringify(document('Two.', 'Three.')),
        `\uFEFF${JSON.stringify(document(long, 'Three.'))}\n`,
      ]) {
        const file = await written(name, text);
        expect(await read(file)).toMatchObject([
          { key: 'r0', item: { prompt: 'One?' } },
          { key: 'r1', item: { response: 'Three.' } },
        ]);
        expect(await holdsLines(file)).toBe(false);
      }
    }
    const lines = await written(
      'lines.txt',
      `${JSON.stringify({ prompt: 'One?', response: long, results: [] })}\n${JSON.stringify({ results: [], prompt: 'Three?', response: 'Four.' })}\n`,
    );
    expect(told(await read(lines))).toEqual([
      { prompt: 'One?', response: long },
      { prompt: 'Three?', response: 'Four.' },
    ]);
  });
});

describe('logs of Inspect', () => {
  const samples = [
    {
      id: '1',
      model: 'openai:gpt-4o-mini',
      messages: [
        { role: 'system', content: 'You are a helpful cook.' },
        { role: 'user', content: 'How do I boil an egg?' },
        { role: 'assistant', content: 'Seven minutes in boiling water.' },
      ],
    },
    // Thoughts are no part of an answer.
    {
      id: '1_epoch_2',
      model: 'openai:gpt-4o-mini',
      messages: [
        { role: 'user', content: 'How do I boil an egg?' },
        { role: 'assistant', content: 'Put it into boiling water for six minutes.' },
      ],
    },
    {
      id: 'list-files',
      model: 'openai:gpt-4o-mini',
      messages: [
        { role: 'user', content: 'Which recipes are in the folder?' },
        { role: 'assistant', content: '[called bash with {"cmd":"ls"}]' },
        { role: 'tool', content: 'soup.txt\nstew.txt' },
        { role: 'assistant', content: 'There are two recipes: soup and stew.' },
      ],
    },
    {
      id: 'no-messages',
      model: 'openai:gpt-4o-mini',
      messages: [
        { role: 'user', content: 'What is a roux?' },
        { role: 'assistant', content: 'Flour and butter, cooked together.' },
      ],
    },
    "5 failed-result: The sample failed ended with an error: RateLimitError('429')",
    expect.stringMatching(/^6 broken-exchange: Message 1 .*"image"/),
  ];

  test.each(['inspect.json', 'inspect.eval'])(
    '%s: every sample is a conversation up to its last answer',
    async (name) => {
      expect(told(await read(fixture(name)))).toEqual(samples);
      expect(await holdsLines(fixture(name))).toBe(false);
    },
  );

  test('packed with zstandard, or of a run that never finished, are read as well', async () => {
    const log = JSON.parse(await readFile(fixture('inspect.json'), 'utf8')) as {
      eval: object;
      samples: { id: string | number; epoch: number }[];
    };
    const entries = log.samples.map((sample) => [
      `samples/${sample.id}_epoch_${sample.epoch}.json`,
      { content: JSON.stringify(sample), method: 'zstd' as const },
    ]);
    const file = await written(
      'run.eval',
      makeZip({
        '_journal/start.json': { content: JSON.stringify({ version: 2, eval: log.eval }), method: 'zstd' },
        ...Object.fromEntries(entries),
      }),
    );
    expect(told(await read(file))).toEqual(samples);
  });

  test('whose header was written again are read with the last one', async () => {
    const [early, late] = ['openai/early', 'openai/late'].map((model) => JSON.stringify({ eval: { model } }));
    const sample = { id: 1, input: 'One?', output: { choices: [{ message: { role: 'assistant', content: 'Two.' } }] } };
    const zip = makeZip({
      'header.json': { content: early!, method: 'stored' },
      'samples/1_epoch_1.json': { content: JSON.stringify(sample) },
      'header.jsom': { content: late!, method: 'stored' },
    });
    // A zip file may hold two of one name; an object cannot.
    const file = await written('run.eval', Buffer.from(zip.toString('latin1').replaceAll('.jsom', '.json'), 'latin1'));
    expect(await read(file)).toMatchObject([{ item: { model: 'openai:late' } }]);
  });

  test('an answer that points at an attachment which is not there stays as it is', async () => {
    const sample = (id: string, content: string) => ({
      id,
      input: 'One?',
      output: { choices: [{ message: { role: 'assistant', content } }] },
      attachments: { a1: 'Two.' },
    });
    const file = await written(
      'log.json',
      JSON.stringify({
        eval: { model: 'x/y' },
        samples: [
          sample('1', 'attachment://a1'),
          sample('2', 'attachment://constructor'),
          sample('3', 'attachment://a2'),
        ],
      }),
    );
    expect(await read(file)).toMatchObject(
      ['Two.', 'attachment://constructor', 'attachment://a2'].map((content) => ({
        item: { messages: [{ content: 'One?' }, { content }] },
      })),
    );
  });

  test('with a sample that is broken or stored in parts say so in its place, and the rest goes on', async () => {
    const good = {
      id: 'good',
      epoch: 1,
      input: 'One?',
      messages: [],
      output: { model: 'mockllm/model', choices: [{ message: { role: 'assistant', content: 'Two.' } }] },
    };
    const file = await written(
      'run.eval',
      makeZip({
        'header.json': { content: '{"version":2,"eval":{"model":"none/none"}}' },
        'samples/cut_epoch_1.json': { content: '{"id":' },
        'samples/shapeless_epoch_1.json': { content: '{"id":3}' },
        'samples/large_epoch_1/sample.json': { content: '{}' },
        'samples/large_epoch_1/messages/0.json': { content: '[]' },
        'samples/good_epoch_1.json': { content: JSON.stringify(good) },
      }),
    );
    expect(told(await read(file))).toEqual([
      expect.stringMatching(/^1 broken-line: samples\/cut_epoch_1\.json is not JSON/),
      expect.stringMatching(/^2 broken-line: The sample is not readable: input/),
      expect.stringMatching(/^3 broken-line: The sample large_epoch_1 is stored in parts/),
      {
        id: 'good',
        model: 'mockllm:model',
        messages: [
          { role: 'user', content: 'One?' },
          { role: 'assistant', content: 'Two.' },
        ],
      },
    ]);
  });
});

describe('a file that holds no exchanges', () => {
  test.each([
    ['a document of something else', 'x.json', '{"name":"agon",\n"version":1}', 'not-exchanges'],
    ['a document that breaks off', 'x.json', '{"results": [', 'not-exchanges'],
    ['a zip file of something else', 'x.zip', makeZip({ 'word/document.xml': { content: '<a/>' } }), 'not-exchanges'],
    ['a zip file that was cut', 'x.eval', makeZip({ 'header.json': { content: '{}' } }).subarray(0, 40), 'broken-zip'],
  ])('%s is refused', async (_what, name, content, code) => {
    await expect(read(await written(name, content))).rejects.toMatchObject({ code });
  });

  test('or is not there is named', async () => {
    await expect(read('/nowhere/x.jsonl')).rejects.toMatchObject({ code: 'unreadable-file' });
    await expect(read(tmpdir())).rejects.toMatchObject({ code: 'unreadable-file' });
  });

  test('and has nothing in it has no items', async () => {
    expect(await read(await written('x.jsonl', '\n\n'))).toEqual([]);
    expect(await read(await written('x.json', '[]'))).toEqual([]);
  });
});
