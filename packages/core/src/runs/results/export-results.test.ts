import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { collect } from '@agonhq/test/support/ledger-cases.ts';
import { parse } from 'csv-parse/sync';
import { stageRun, wrong } from '@agonhq/test/support/judged-run.ts';
import { openLedger } from '@agonhq/ledger';
import { sha256 } from '@agonhq/engine/hash';
import { renderExportLines, type ExportedRecord, type ResultExportOptions } from './export-results.ts';
import { saveLines } from './save-lines.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-export-'));
const ledger = await openLedger({ file: path.join(folder, 'ledger.sqlite') });
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

const records = async (run: string, options?: ResultExportOptions) =>
  (await collect(renderExportLines(ledger, run, options))).map((line) => JSON.parse(line) as ExportedRecord);
const csv = async (run: string, options?: ResultExportOptions) =>
  (await collect(renderExportLines(ledger, run, { ...options, format: 'csv' }))).join('').trimEnd().split('\n');

describe('the results of a run', () => {
  test(
    'come in the order of the input with whole answers, what failed with its error, the same content with the ' +
      'line that was judged',
    async () => {
      await stageRun(ledger, 'run-order', [
        { key: 'a', label: 'unsafe' },
        { key: 'b', error: wrong('text-too-long') },
        { key: 'c', text: 'What was said in item 1.' },
        { key: 'd', label: 'safe', by: 'guard' },
        { key: 'e' },
        { key: 'f', error: wrong('broken-line'), broken: true },
      ]);
      const all = await records('run-order');
      expect(all.map(({ line, key }) => [line, key])).toEqual([
        [1, 'a'],
        [2, 'b'],
        [3, 'c'],
        [4, 'd'],
        [6, 'f'],
      ]);
      expect(all[0]).toMatchObject({
        result: { job: 'moderation', verdict: { label: 'unsafe' }, seal: expect.stringContaining('sha256:') },
      });
      expect(all[1]).toEqual({ line: 2, key: 'b', error: wrong('text-too-long') });
      expect(all[2]).toEqual({ line: 3, key: 'c', duplicateOf: 1, result: all[0]!.result });
      expect(all[3]).toMatchObject({ decidedBy: 'guard', result: { verdict: { label: 'safe' } } });
      expect((await records('run-order', { only: 'failed' })).map(({ key }) => key)).toEqual(['b', 'f']);
      expect((await records('run-order', { only: 'done' })).map(({ key }) => key)).toEqual(['a', 'c', 'd']);
    },
  );

  test('come as they were judged when that is asked for', async () => {
    const run = 'run-as-done';
    await stageRun(ledger, run, [{}, {}, {}]);
    const queue = await ledger.openQueue({ worker: 'w' });
    for (const taken of (await queue.takeItems(run, 3)).toReversed()) {
      await queue.failItem(taken, wrong('internal'), { retry: false });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await queue.close();
    expect((await records(run, { order: 'as-done' })).map(({ line }) => line)).toEqual([3, 2, 1]);
  });

  test('are many pages, each item once, in either order', async () => {
    const number = 450;
    await stageRun(
      ledger,
      'run-many',
      Array.from({ length: number }, (_, index) => ({ error: wrong('internal'), text: `Number ${index}.` })),
    );
    const positions = Array.from({ length: number }, (_, index) => index + 1);
    expect((await records('run-many')).map(({ line }) => line)).toEqual(positions);
    expect((await records('run-many', { order: 'as-done' })).map(({ line }) => line).toSorted((a, b) => a - b)).toEqual(
      positions,
    );
  });

  test('whose content was forgotten say so; the verdict stays in a table', async () => {
    await stageRun(ledger, 'run-forgotten', [{ label: 'unsafe', text: 'Something that is forgotten.' }]);
    await ledger.cases.forgetSubject(sha256('Something that is forgotten.'));
    expect(await records('run-forgotten')).toMatchObject([
      { line: 1, error: { code: 'forgotten-case', message: expect.stringContaining('unsafe') } },
    ]);
    expect((await csv('run-forgotten'))[1]).toMatch(/^1,item-1,,,unsafe,0\.9,false,/);
  });
});

describe('a table of verdicts', () => {
  test('has one row each, quoted where it must be', async () => {
    const answer = { sources: [] };
    await stageRun(ledger, 'run-csv', [
      { key: 'plain', label: 'unsafe', risk: 0.875, escalate: true, answer },
      { key: 'with "quotes", and commas', label: 'safe', by: 'guard', answer },
      { key: 'two\nlines', error: { code: 'internal', message: 'It broke, "badly".', hint: '' } },
    ]);
    const lines = await collect(renderExportLines(ledger, 'run-csv', { format: 'csv' }));
    expect(lines[0]).toBe(
      'line,key,author,text,label,risk,escalate,rule,categories,action,severity,decided_by,case,error\n',
    );
    expect(lines[1]).toMatch(
      /^1,plain,,,unsafe,0\.875,true,risk-confirmation,[\w.-]+,\w*,\w*,debate,mod-[0-9a-f]{16},\n$/,
    );
    expect(lines[2]).toMatch(/^2,"with ""quotes"", and commas",,,safe,0\.1,false,.*,guard,mod-[0-9a-f]{16},\n$/);
    expect(lines[3]).toBe('3,"two\nlines",,,,,,,,,,,,"internal: It broke, ""badly""."\n');
  });

  test('says what was judged and who wrote it, without what tools found in it', async () => {
    const answer = {
      sources: [
        { id: 'text', text: '=SUM(1) Meet me, tonight' },
        { id: 'text/leet', text: 'read otherwise', tool: 'leet', of: 'text' },
      ],
      subject: { hash: sha256('x'), images: [], context: { author: 'user-4711' } },
    };
    await stageRun(ledger, 'run-texts', [{ key: 'post-1', label: 'safe', answer }]);
    const [row] = parse((await collect(renderExportLines(ledger, 'run-texts', { format: 'csv' }))).join(''), {
      columns: true,
    });
    expect(row).toMatchObject({ key: 'post-1', author: 'user-4711', text: "'=SUM(1) Meet me, tonight", label: 'safe' });
  });

  test('holds no formula, whatever the input calls its items', async () => {
    const keys = ['=HYPERLINK("http://x.test")', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1'];
    await stageRun(
      ledger,
      'run-formulas',
      keys.map((key, index) => ({
        key,
        text: `Formula ${index}.`,
        error: { code: 'internal', message: '=1+1', hint: '' },
      })),
    );
    const [, ...rows]: string[][] = parse(
      (await collect(renderExportLines(ledger, 'run-formulas', { format: 'csv' }))).join(''),
    );
    expect(rows.map((cells) => cells[1])).toEqual(keys.map((key) => `'${key}`));
    expect(rows.flat().filter((cell) => /^\s*[=+@＝-]/.test(cell))).toEqual([]);
  });
});

describe('a file of lines', () => {
  async function* lines(...texts: string[]) {
    for (const text of texts) yield `${text}\n`;
  }

  test('appears when it is whole, and stays as it was when it will not be', async () => {
    const file = path.join(folder, 'results.jsonl');
    expect(await saveLines(file, lines('first'))).toBe(1);
    async function* broken() {
      yield 'second\n';
      expect(readFileSync(file, 'utf8')).toBe('first\n');
      throw new Error('The ledger went away.');
    }
    await expect(saveLines(file, broken())).rejects.toThrow('The ledger went away.');
    expect(readFileSync(file, 'utf8')).toBe('first\n');
    await expect(saveLines(file, lines('third'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(readdirSync(folder).filter((name) => name.includes('.part-'))).toEqual([]);
  });

  test('that cannot be written says why', async () => {
    await expect(saveLines(path.join(folder, 'nowhere', 'results.jsonl'), lines('a'))).rejects.toMatchObject({
      code: 'cannot-write',
      message: expect.stringContaining('there is no such folder'),
    });
    await expect(saveLines(folder, lines('a'))).rejects.toMatchObject({ code: 'cannot-write' });
    expect(existsSync(folder)).toBe(true);
    await expect(saveLines('/dev/full', lines('a'))).rejects.toMatchObject({
      code: 'cannot-write',
      message: expect.stringContaining('the disk is full'),
    });
  });
});
