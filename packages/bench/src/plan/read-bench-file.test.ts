import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { ownJobs } from '@agonhq/core/own-jobs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBenchFile } from './read-bench-file.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(yaml: string, environment: Record<string, string | undefined> = {}) {
  const file = path.join(folder, 'nightly.yaml');
  await writeFile(file, yaml);
  return readBenchFile(file, { jobs: ownJobs, settings: {}, environment });
}

const embedded = "settings: { seats: { default: 'embedded:guard-2' } }";

describe('a bench file', () => {
  test('names data, systems, seeds and repeats; paths are relative to it', async () => {
    const { plan } = await read(`
version: 1
seed: 7
repeats: 3
invalid: exclude
${embedded}
systems:
  moderation: [full, guard, { name: three rounds, system: full, settings: { moderation: { rounds: 3 } } }]
data:
  - { job: moderation, title: Posts, file: items/posts.csv, map: { text: comment }, labels: { hateful: unsafe }, trained: ['embedded:guard-2'] }
  - { job: documents, file: claims.jsonl, systems: [single] }
`);
    expect(plan).toMatchObject({
      name: 'nightly',
      title: 'nightly',
      parameters: { seed: 7, repeats: 3, invalid: 'exclude' },
    });
    expect(plan.sets.map(({ file }) => path.relative(folder, file))).toEqual([
      path.join('items', 'posts.csv'),
      'claims.jsonl',
    ]);
    expect(plan.sets[0]).toMatchObject({
      title: 'Posts',
      fields: { text: 'comment' },
      labels: { hateful: 'unsafe' },
      trained: ['embedded:guard-2'],
    });
    expect(plan.sets[0]!.systems).toEqual([
      { name: 'full', system: 'full' },
      { name: 'guard', system: 'guard' },
      { name: 'three rounds', system: 'full', settings: { moderation: { rounds: 3 } } },
    ]);
    expect(plan.sets[1]!.systems).toEqual([{ name: 'single', system: 'single' }]);
  });

  test("an ablation adds the paper's rows, each once, but for those that one model in every seat makes the same", async () => {
    const { plan, notes } = await read(`
version: 1
${embedded}
systems: { moderation: [full, guard] }
ablate: { moderation: [table3, table4] }
data: [{ job: moderation, file: a.jsonl }]
`);
    expect(plan.sets[0]!.systems!.map((entry) => (typeof entry === 'string' ? entry : entry.name))).toEqual([
      'full',
      'guard',
      'without-retrieval',
      'without-supporter',
      'without-loose',
      'without-strict',
      'without-debate',
      'rounds-1',
      'rounds-2',
      'rounds-3',
    ]);
    expect(notes).toEqual([expect.stringContaining('one model sits in every seat')]);
  });

  test("with two models all eight rows of Aetheria's Table 3 are there", async () => {
    const { plan } = await read(`
version: 1
settings: { seats: { debaters: 'openai:gpt-4o-mini', arbiter: 'openai:gpt-4o' } }
ablate: { moderation: [table3] }
data: [{ job: moderation, file: a.jsonl }]
`);
    expect(plan.sets[0]!.systems).toHaveLength(8);
  });

  test('reads a place below AGON_DATASETS, and says what was not measured where it is not set', async () => {
    const yaml = `
version: 1
data:
  - { job: moderation, title: Posts, file: '\${AGON_DATASETS}/dev/posts.jsonl' }
  - { job: evaluation, title: Talks, file: '\${AGON_DATASETS}/dev/talks.jsonl' }
`;
    await expect(read(yaml)).rejects.toMatchObject({
      code: 'no-datasets',
      message: expect.stringContaining('Posts, Talks'),
    });
    const { plan } = await read(yaml, { AGON_DATASETS: folder });
    expect(plan.sets[0]!.file).toBe(path.join(folder, 'dev', 'posts.jsonl'));
  });

  test('leaves out an optional set whose file is not there, and says so; none at all is an error', async () => {
    await writeFile(path.join(folder, 'there.jsonl'), '{}\n');
    const { plan, notes } = await read(`
version: 1
data:
  - { job: moderation, title: Gone, file: gone.jsonl, optional: true }
  - { job: moderation, title: There, file: there.jsonl, optional: true }
`);
    expect(plan.sets.map(({ title }) => title)).toEqual(['There']);
    expect(notes).toEqual(['Gone was not measured: gone.jsonl is not there.']);
    await expect(
      read('version: 1\ndata: [{ job: moderation, file: gone.jsonl, optional: true }]'),
    ).rejects.toMatchObject({ code: 'no-data' });
  });

  test.each([
    ['no YAML', 'version: [', 'bad-bench-file'],
    ['another version', 'version: 2\ndata: [{ job: moderation, file: a }]', 'bad-bench-file'],
    ['a field nobody knows', 'version: 1\ncolour: red\ndata: [{ job: moderation, file: a }]', 'bad-bench-file'],
    ['no data', 'version: 1\ndata: []', 'bad-bench-file'],
    ['a job nobody knows', 'version: 1\ndata: [{ job: cooking, file: a }]', 'bad-bench-file'],
    [
      'an ablation nobody knows',
      'version: 1\nablate: { moderation: [table9] }\ndata: [{ job: moderation, file: a }]',
      'bad-flag',
    ],
    [
      'an ablation of another job',
      'version: 1\nablate: { documents: [table3] }\ndata: [{ job: documents, file: a }]',
      'bad-flag',
    ],
    [
      'two systems of one name',
      'version: 1\nsystems: { moderation: [{ name: full, system: full, settings: { moderation: { rounds: 3 } } }] ' +
        '}\nablate: { moderation: [table3] }\ndata: [{ job: moderation, file: a }]',
      'bad-flag',
    ],
    [
      'settings nobody knows',
      'version: 1\nsettings: { colour: red }\ndata: [{ job: moderation, file: a }]',
      'bad-settings',
    ],
  ])('refuses %s in one line', async (_what, yaml, code) => {
    await expect(read(yaml)).rejects.toMatchObject({ code, message: expect.not.stringContaining('\n') });
  });

  test('says when it is not there', async () => {
    await expect(
      readBenchFile(path.join(folder, 'nowhere.yaml'), { jobs: ownJobs, settings: {}, environment: {} }),
    ).rejects.toMatchObject({ code: 'unreadable-file' });
  });
});
