import { ownJobs } from '../own-jobs.ts';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { settingsFromFile } from './settings-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-settings-'));
});

const save = (name: string, content: string) => writeFile(path.join(folder, name), content);
const seats = { seats: { default: 'ollama:llama3.1' } };

test.each([
  ['agon.config.ts', 'const model: string = "ollama:llama3.1"; export default { seats: { default: model } };'],
  ['agon.config.js', 'export default { seats: { default: "ollama:llama3.1" } };'],
  ['agon.config.json', '{ "seats": { "default": "ollama:llama3.1" } }'],
  ['agon.config.yaml', 'seats:\n  default: ollama:llama3.1\n'],
  ['agon.config.yml', 'seats: { default: "ollama:llama3.1" }\n'],
])('%s is found in the folder and read', async (name, content) => {
  await save(name, content);
  expect(await settingsFromFile({ jobs: ownJobs, folder })).toEqual(seats);
});

test('no file means no settings; an empty one too', async () => {
  expect(await settingsFromFile({ jobs: ownJobs, folder })).toEqual({});
  await save('agon.config.yaml', '# nothing yet\n');
  expect(await settingsFromFile({ jobs: ownJobs, folder })).toEqual({});
});

test('another file can be named, and paths in it are relative to it', async () => {
  await mkdir(path.join(folder, 'team'));
  await save(
    'team/strict.json',
    '{ "policy": "rules.yaml", "cache": { "directory": "answers" }, "evaluation": { "rounds": 2, "reference": ' +
      '"fitted.json" } }',
  );
  expect(await settingsFromFile({ jobs: ownJobs, folder, file: 'team/strict.json' })).toEqual({
    policy: path.join(folder, 'team', 'rules.yaml'),
    cache: { directory: path.join(folder, 'team', 'answers') },
    evaluation: { rounds: 2, reference: path.join(folder, 'team', 'fitted.json') },
  });
});

test('of two files none is preferred', async () => {
  await save('agon.config.json', '{}');
  await save('agon.config.yaml', '{}');
  await expect(settingsFromFile({ jobs: ownJobs, folder })).rejects.toMatchObject({
    code: 'two-settings-files',
    message: 'There is more than one configuration here: agon.config.json, agon.config.yaml.',
  });
});

describe('a file that cannot be used is named with the reason', () => {
  test.each([
    ['broken.json', '{ "seats": ', /^broken\.json cannot be read: Unexpected end of JSON input\.$/],
    ['broken.yaml', 'seats: [\n', /^broken\.yaml cannot be read: .+line 2/],
    ['broken.ts', 'export default {', /^broken\.ts cannot be read: .+\.$/],
    ['empty.ts', 'export const seats = 1;', 'empty.ts cannot be read: it has no default export.'],
    ['thrown.ts', 'throw null; export default {};', 'thrown.ts cannot be read: null.'],
    ['agon.toml', 'seats = 1', 'agon.toml cannot be read: it is none of .ts, .js, .json, .yaml.'],
    ['wrong.yaml', 'seats: { default: gpt-4o }', /^wrong\.yaml: seats\.default: must name a model as provider:model/],
  ])('%s', async (name, content, message) => {
    await save(name, content);
    await expect(settingsFromFile({ jobs: ownJobs, folder, file: name })).rejects.toMatchObject({
      message: expect.stringMatching(message),
    });
  });

  test('one that is not there', async () => {
    await expect(settingsFromFile({ jobs: ownJobs, folder, file: 'none.yaml' })).rejects.toMatchObject({
      message: 'none.yaml cannot be read: there is no such file.',
    });
  });
});
