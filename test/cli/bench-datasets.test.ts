import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { FileCheck } from '@agonhq/bench';
import { oneLine, openCourt } from '../support/run-agon.ts';

const lines = (...items: object[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('');
const story =
  'Nine clerks counted every ticket twice before noon and nobody asked them why because rain had begun to fall on ' +
  'the wide grey roofs';

async function seed(): Promise<{ id: string; text: string; label: string }> {
  const seeds = (await readFile(path.join(import.meta.dirname, '..', '..', 'precedents', 'seed.jsonl'), 'utf8')).split(
    '\n',
  );
  return JSON.parse(seeds[0]!) as { id: string; text: string; label: string };
}

describe.concurrent('agon bench datasets', () => {
  test('lists the formats, for people and as JSON', async () => {
    const court = await openCourt();
    const { code, stdout } = await court.agon(['bench', 'datasets']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^hatecheck {2}moderation\n {2}HateCheck: .+\n {2}from .+\n {2}columns functionality, case_id/m,
    );
    const { formats } = JSON.parse((await court.agon(['bench', 'datasets', '--json'])).stdout) as {
      formats: { name: string; jobs: string[] }[];
    };
    expect(formats.length).toBeGreaterThanOrEqual(18);
    expect(formats).toContainEqual(expect.objectContaining({ name: 'tabfact', jobs: ['documents'] }));
  });

  test('checks a file: what is in it, and what is wrong with it', async () => {
    const court = await openCourt();
    await court.file(
      'items.jsonl',
      lines(
        { id: 'a', text: 'A loaf of bread', label: 0 },
        { id: 'b', text: 'a loaf of BREAD!', label: 1 },
        { id: 'c', text: story, label: 'safe' },
        { text: 'x' },
      ),
    );
    await court.file('train.jsonl.gz', gzipSync(lines({ text: 'Nothing to see' }, { text: `${story}.` })));
    const { code, stdout } = await court.agon([
      'bench',
      'datasets',
      'check',
      'items.jsonl',
      '--against',
      'train.jsonl.gz',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^items\.jsonl {2}4 items of moderation, format agon$/m);
    expect(stdout).toMatch(/^duplicates +1 item: 2 = 1$/m);
    expect(stdout).toMatch(/^in train\.jsonl\.gz +1 item \(33\.3 %\): line 3 \(train\.jsonl\.gz:2\)$/m);
    expect(stdout).toMatch(/conflict: line 2 unsafe, line 1 safe: a loaf of BREAD!/);
    expect(stdout).toMatch(/broken: 1 line \(first 4\): The item has no label\./);
    const strict = await court.agon(['bench', 'datasets', 'check', 'items.jsonl', '--strict', '--json']);
    expect(strict.code).toBe(1);
    await court.file('clean.jsonl', lines({ text: 'Something of its own', label: 'safe' }));
    for (const files of [
      ['items.jsonl', 'clean.jsonl'],
      ['clean.jsonl', 'items.jsonl'],
    ])
      expect((await court.agon(['bench', 'datasets', 'check', ...files, '--strict'])).code).toBe(1);
    expect(JSON.parse(strict.stdout)).toMatchObject({
      version: 1,
      file: 'items.jsonl',
      job: 'moderation',
      items: 4,
      conflicts: { items: 1 },
      leakage: [
        { kind: 'precedents', items: 0 },
        { kind: 'model', source: 'guard-2', items: 0 },
      ],
    });
  }, 60_000);

  test('catches a test item that was put into the library, also with another word', async () => {
    const court = await openCourt();
    const { id, text, label } = await seed();
    await court.file(
      'house.jsonl',
      lines({ id: 'house-1', label: 'safe', summary: 'Clerks count.', why: 'Nobody is harmed.', text: story }),
    );
    expect((await court.agon(['precedents', 'import', 'house.jsonl', '--ledger', 'ledger.sqlite'])).code).toBe(0);
    await court.file(
      'items.jsonl',
      lines(
        { text: text.toUpperCase(), label },
        { text: story.replace('noon', 'dawn'), label: 0 },
        { text: 'Something of its own', label: 0 },
      ),
    );
    const { code, stdout } = await court.agon([
      'bench',
      'datasets',
      'check',
      'items.jsonl',
      '--library',
      'ledger.sqlite',
      '--strict',
      '--json',
    ]);
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as FileCheck).leakage[0]).toMatchObject({
      kind: 'precedents',
      items: 2,
      places: [
        { line: 1, match: id, how: 'same' },
        { line: 2, match: 'house-1', how: 'near' },
      ],
    });
    expect((await court.agon(['bench', 'datasets', 'check', 'items.jsonl', '--no-library', '--strict'])).code).toBe(0);
  }, 120_000);

  test('reads published files as they are', async () => {
    const court = await openCourt();
    await court.file(
      'test_suite_cases.csv',
      '\uFEFFfunctionality,case_id,test_case,label_gold\r\nderog,1,I hate pears and all who sell ' +
        'them,hateful\r\nident,2,Pears are fruit,non-hateful\r\n',
    );
    const { stdout } = await court.agon(['bench', 'datasets', 'check', 'test_suite_cases.csv', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'hatecheck',
      items: 2,
      broken: { items: 0 },
      labels: [
        { name: 'safe', count: 1 },
        { name: 'unsafe', count: 1 },
      ],
    });
  });

  test.each<[string, string, string, string[], number]>([
    ['nothing', 'empty.jsonl', '\n', [], 4],
    ['a list that breaks off', 'half.json', '[{"text":"a","label":0}', [], 1],
    ['a format that there is not', 'items.jsonl', '{"text":"a","label":0}\n', ['--format', 'nothing'], 2],
    ['a field that there is not', 'items.jsonl', '{"text":"a","label":0}\n', ['--map', 'words=text'], 2],
    ['a ledger that there is not', 'items.jsonl', '{"text":"a","label":0}\n', ['--library', 'nowhere.sqlite'], 1],
    ['a training file that there is not', 'items.jsonl', '{"text":"a","label":0}\n', ['--against', 'nowhere.jsonl'], 1],
  ])('says in one line what is wrong with %s', async (_what, name, content, flags, expected) => {
    const court = await openCourt();
    await court.file(name, content);
    const { code, stdout, stderr } = await court.agon(['bench', 'datasets', 'check', name, ...flags]);
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toMatch(oneLine);
  });
});

test('a check of a file that cannot be read prints what it found and fails', async () => {
  const court = await openCourt();
  await court.file(
    'items.jsonl',
    lines({ text: 'a', label: 'good' }, { text: 'b', label: 'bad' }, { text: 'c', label: 'safe' }),
  );
  const { code, stdout, stderr } = await court.agon([
    'bench',
    'datasets',
    'check',
    'items.jsonl',
    '--no-library',
    '-q',
  ]);
  expect(code).toBe(1);
  expect(stdout).toContain('The label "good" is not known.');
  expect(stderr).toMatch(/^agon: items\.jsonl: 2 of 3 items cannot be read\. .+\(wrong-format\)\n$/);
});

test('a check takes the job from the columns that the user names, and finds an item as one part of a training file', async () => {
  const court = await openCourt();
  await court.file('items.csv', `comment,response,cls\n${story},yes,0\nPears,no,1\n`);
  await court.file('train.jsonl', lines({ prompt: story, response: 'Because it was their task.' }));
  const { stdout } = await court.agon([
    'bench',
    'datasets',
    'check',
    'items.csv',
    '--map',
    'text=comment,label=cls',
    '--against',
    'train.jsonl',
    '--no-library',
    '--json',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({
    job: 'moderation',
    broken: { items: 0 },
    leakage: [{}, { source: 'train.jsonl', items: 1, places: [{ line: 2, how: 'same' }] }],
  });
});

describe.concurrent('a bench on data that is not what it seems', () => {
  test('is refused before anything is judged when most lines cannot be read', async () => {
    const court = await openCourt();
    await court.file(
      'items.jsonl',
      lines({ text: 'a', label: 'good' }, { text: 'b', label: 'bad' }, { text: 'c', label: 'safe' }),
    );
    const { code, stdout, stderr } = await court.agon(['bench', 'moderation', '--data', 'items.jsonl', '-q']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(/2 of 3 items cannot be read.+--format.+--map.+\(wrong-format\)/);
  });
});
