import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAgon, type Analysis } from '@agonhq/core';
import { boardroomSettings, startFakeBoardroom } from '../support/fake-boardroom.ts';
import { figuresXlsx, regions, reportPdf, sentences } from '../support/report-files.ts';
import { agon, oneLine } from '../support/run-agon.ts';

let folder: string;
let trace: Analysis;
let json: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-trace-'));
  await writeFile(path.join(folder, 'report.pdf'), await reportPdf({ growth: sentences.flawed }));
  await writeFile(path.join(folder, 'figures.xlsx'), await figuresXlsx());
  const board = await startFakeBoardroom({
    'factor-agent': {
      claims: [
        { claim: sentences.total, quote: sentences.total, kind: 'assertion', domain: 'sales', importance: 0.9 },
        { claim: sentences.flawed, quote: sentences.flawed, kind: 'assertion', domain: 'sales', importance: 0.8 },
      ],
    },
    opening: {
      statement: 'It is so.',
      premises: [{ premise: 'It says so.', evidence: [sentences.total, 'This is nowhere.'] }],
      score: 0.9,
    },
    'cross-examination': {
      statement: 'Margins are left out.',
      attacks: [
        { premise: 1, kind: 'missing-data', point: 'It omits margins.', evidence: [], missing: ['gross margin'] },
      ],
      score: 0.4,
    },
    synthesis: {
      statement: 'It says so.',
      support: { why: 'It says so.', evidence: [sentences.total], holds: true, strength: 'full' },
      contradiction: { why: '', evidence: [], holds: false },
      standing: [],
      confidence: 0.8,
      score: 0.9,
    },
  });
  const court = await createAgon(boardroomSettings(board), { environment: {}, secret: 'test', only: ['documents'] });
  trace = await court.analyze([path.join(folder, 'report.pdf'), path.join(folder, 'figures.xlsx')]);
  json = JSON.stringify(trace);
  await Promise.all([court.close(), board.close()]);
});

async function verify(content: string, ...flags: string[]) {
  return agon(['verify', '-', ...flags], { cwd: folder, stdin: content });
}

describe.concurrent('agon verify, on a debate trace', () => {
  test('finds that a good trace holds, with its files and offline', async () => {
    const { code, stdout, stderr } = await verify(json, '--source', 'report.pdf', '--source', 'figures.xlsx');
    expect(stderr).toBe('');
    expect(stdout).toMatch(/✓ seal +sha256:/);
    expect(stdout).toMatch(/✓ files +2 file\(s\) read again say what the trace says\n/);
    expect(stdout).toMatch(/✓ quotations +\d+ quotations stand in their sources, \d+ were rightly struck/);
    expect(stdout).toMatch(/✓ numbers/);
    expect(stdout).toMatch(/The answer is valid\.\n$/);
    expect(code).toBe(0);
  });

  test.each<[string, (text: string) => string, RegExp]>([
    [
      'digit of a quote',
      (text) => text.replace(/"quote":"([^"]*?)4([^"]*)","source"/, '"quote":"$19$2","source"'),
      /✗ quotations/,
    ],
    ['label', (text) => text.replaceAll('"label":"contradicted"', '"label":"supported"'), /✗ rules/],
    [
      'quote',
      (text) => text.replace(`"quote":"${sentences.total}","source"`, '"quote":"Total revenue fell.","source"'),
      /✗ quotations/,
    ],
    ['cell', (text) => text.replaceAll('4.6', '6.0'), /✗ (numbers|sources)/],
    ['arithmetic', (text) => text.replace(/"arithmetic":"[^"]+"/, '"arithmetic":"1 + 1 = 3"'), /✗ numbers/],
    ['outlook', (text) => text.replace(/"outlook":\{"label":"\w+"/, '"outlook":{"label":"undecided"'), /✗ outlook/],
    ['search', (text) => text.replaceAll('"accepted":true', '"accepted":false'), /✗ absences/],
    ['brief', (text) => text.replace('"brief":"A brief."', '"brief":"Buy!"'), /✗ seal/],
  ])('finds a tampered %s', async (_name, tamper, says) => {
    const tampered = tamper(json);
    expect(tampered).not.toBe(json);
    const { code, stdout } = await verify(tampered, '--source', 'report.pdf', '--source', 'figures.xlsx');
    expect(code).toBe(1);
    expect(stdout).toMatch(says);
    expect(stdout).toMatch(/The answer is not valid\.\n$/);
  });

  test('holds the files against the trace', async () => {
    const elsewhere = await mkdtemp(path.join(folder, 'changed-'));
    await writeFile(path.join(elsewhere, 'report.pdf'), await reportPdf());
    const { code, stdout } = await verify(json, '--source', path.join(elsewhere, 'report.pdf'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ files +report\.pdf is not the file that was read/);
  });

  test('reads the files again: a trace of other figures, with the hash of these, is found by cell and by number', async () => {
    const elsewhere = await mkdtemp(path.join(folder, 'other-'));
    await writeFile(
      path.join(elsewhere, 'figures.xlsx'),
      await figuresXlsx(regions.map((row) => row.map((cell) => (cell === '10.9' ? '8.0' : cell)))),
    );
    const court = await createAgon({}, { environment: {}, secret: 'test', only: ['documents'] });
    const other = await court.analyze([path.join(elsewhere, 'figures.xlsx')], {
      factors: ['Total revenue was 8 million USD in Q3 2024.'],
    });
    await court.close();
    const forgery = JSON.stringify(other).replaceAll(other.documents[0]!.hash, trace.documents[1]!.hash);
    const { code, stdout } = await verify(forgery, '--source', 'figures.xlsx');
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ files +read again, figures\.xlsx#b\d+ is not what the trace says/);
    expect(stdout).toMatch(/✗ numbers/);
  });

  test('prints the checks as JSON', async () => {
    expect(JSON.parse((await verify(json, '--json')).stdout)).toMatchObject({
      version: 1,
      id: trace.id,
      holds: true,
      checks: expect.arrayContaining([{ name: 'quotations', outcome: 'ok', detail: expect.any(String) }]),
    });
  });

  test.each([
    ['a claim alone', () => JSON.stringify(trace.claims[0])],
    ['a trace with a hole', () => json.replace('"documents":[', '"documents":[{},')],
    ['a job of documents and nothing else', () => '{"job":"documents"}'],
  ])('refuses what is no trace in one line: %s', async (_name, content) => {
    const { code, stdout, stderr } = await verify(content());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(oneLine);
  });
});
