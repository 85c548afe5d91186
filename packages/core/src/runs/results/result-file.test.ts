import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { deadPid } from '@agonhq/test/support/run-items.ts';
import { openResultFile, type ResultRecord } from './result-file.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-results-'));
  file = path.join(folder, 'results.jsonl');
});

const records = async () =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ResultRecord);
const result = (line: number): ResultRecord => ({
  line,
  key: `k${line}`,
  result: { verdict: { label: 'safe' }, note: 'a\u2028b' },
});
const failure = (line: number): ResultRecord => ({
  line,
  key: `k${line}`,
  error: { code: 'c', message: 'm', hint: 'h' },
});

async function writeAll(...given: ResultRecord[]) {
  const out = await openResultFile(file);
  for (const record of given) await out.write(record);
  await out.close();
}

describe('a run that goes on', () => {
  test('keeps results, and drops errors so that they are tried again', async () => {
    await writeAll(result(1), failure(2), result(3));
    const out = await openResultFile(file);
    expect([...out.done]).toEqual(['k1', 'k3']);
    await out.write(result(2));
    await out.close();
    expect((await records()).map(({ key }) => key)).toEqual(['k1', 'k3', 'k2']);
  });

  test('drops a last line that a crash cut short', async () => {
    await writeAll(result(1));
    await appendFile(file, JSON.stringify(result(2)).slice(0, 25));
    const out = await openResultFile(file);
    expect([...out.done]).toEqual(['k1']);
    await out.write(result(2));
    await out.close();
    expect(await records()).toEqual([result(1), result(2)]);
  });

  test('whatever byte the crash came at, every line is whole afterwards and no result is lost', async () => {
    const bytes = Buffer.from([result(1), result(2)].map((record) => `${JSON.stringify(record)}\n`).join(''));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async (cut) => {
        await writeFile(file, bytes.subarray(0, cut));
        const out = await openResultFile(file);
        for (const record of [result(1), result(2)]) if (!out.done.has(record.key)) await out.write(record);
        await out.close();
        expect(await records()).toEqual([result(1), result(2)]);
      }),
      { numRuns: 60 },
    );
  });

  test('leaves nothing beside the file, keeps its mode, and follows a link to it', async () => {
    await writeAll(result(1), failure(2));
    await chmod(file, 0o600);
    const alias = path.join(folder, 'alias.jsonl');
    await symlink(file, alias);
    const out = await openResultFile(alias);
    await out.close();
    expect((await readdir(folder)).toSorted()).toEqual(['alias.jsonl', 'results.jsonl']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await records()).toEqual([result(1)]);
  });
});

test.each([
  ['an input file', '{"id":"1","text":"a"}\n{"id":"2","text":"b"}\n'],
  ['a single line without an end', '{"id":"1","text":"a"}'],
  ['notes', 'Remember the milk.'],
])('%s given as --out is refused and left as it was', async (_name, content) => {
  await writeFile(file, content);
  await expect(openResultFile(file)).rejects.toMatchObject({
    code: 'not-results',
    hint: expect.stringContaining('Nothing was changed'),
  });
  expect(await readFile(file, 'utf8')).toBe(content);
  expect(await readdir(folder)).toEqual(['results.jsonl']);
});

describe('one process at a time', () => {
  test('a second one is told who is writing', async () => {
    const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 20_000)']);
    await writeFile(`${file}.lock`, String(other.pid));
    await expect(openResultFile(file)).rejects.toMatchObject({
      code: 'output-in-use',
      message: `${file} is being written by process ${other.pid}.`,
    });
    other.kill();
  });

  test('nor can the same process open it twice', async () => {
    const out = await openResultFile(file);
    await expect(openResultFile(file)).rejects.toMatchObject({ code: 'output-in-use' });
    await out.close();
    await (await openResultFile(file)).close();
    expect(existsSync(`${file}.lock`)).toBe(false);
  });

  test.each([
    ['a process that is dead', () => deadPid],
    ['a dead namesake of this process, as in containers', () => process.pid],
    ['nobody', () => ''],
  ])('the lock of %s is taken over', async (_name, holder) => {
    await writeFile(`${file}.lock`, String(holder()));
    const out = await openResultFile(file);
    await expect(readFile(`${file}.lock`, 'utf8')).resolves.toBe(String(process.pid));
    await out.close();
    expect(await readdir(folder)).toEqual(['results.jsonl']);
  });
});

describe('what cannot be written', () => {
  test.runIf(existsSync('/dev/full'))('a full disk is named', async () => {
    const out = await openResultFile('/dev/full');
    await expect(out.write(result(1))).rejects.toMatchObject({
      code: 'cannot-write',
      message: '/dev/full cannot be written: the disk is full.',
    });
    await out.close();
  });

  test('nor can a folder, or a file in none', async () => {
    await expect(openResultFile(folder)).rejects.toMatchObject({
      message: `${folder} cannot be written: it is a folder.`,
    });
    const nowhere = path.join(folder, 'no', 'out.jsonl');
    await expect(openResultFile(nowhere)).rejects.toMatchObject({
      message: `${nowhere} cannot be written: there is no such folder.`,
    });
  });
});
