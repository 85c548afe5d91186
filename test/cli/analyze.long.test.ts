import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Analysis } from '@agonhq/core';
import { hang, json as said } from '../fake-provider/index.ts';
import { boardClaimOf, boardSeatOf, type BoardScript } from '../support/fake-boardroom.ts';
import { figuresCsv, figuresXlsx, reportPdf, sentences } from '../support/report-files.ts';
import { agon, key, oneLine, openBoardroom, until } from '../support/run-agon.ts';

const claim = (quote: string, importance: number) => ({
  claim: quote,
  quote,
  kind: 'assertion' as const,
  domain: 'sales',
  importance,
});
const nothing = { why: 'The report does not say so.', evidence: [], holds: false };
const unsupported = {
  statement: 'Nothing carries it.',
  support: { ...nothing, strength: 'none' as const },
  contradiction: nothing,
  standing: [],
  confidence: 0.8,
  score: 0.3,
};

/** The board on the flawed report: one claim is contradicted by the table, one carried by the text, one by nothing. */
const board: BoardScript = {
  'factor-agent': ({ prompt }) => ({
    claims: [
      prompt.includes(sentences.flawed) ? claim(sentences.flawed, 0.9) : claim(sentences.growth, 0.9),
      claim(sentences.total, 0.8),
      claim(sentences.driver, 0.7),
    ],
  }),
  'cross-examination': {
    statement: 'The table says otherwise.',
    attacks: [
      { premise: 0, kind: 'contradiction', point: 'From 4.0 to 4.6 is 15 %.', evidence: ['Region'], missing: [] },
    ],
    score: 0.2,
  },
  synthesis: (request) => {
    const about = boardClaimOf(request) ?? '';
    if (about === sentences.flawed)
      return {
        ...unsupported,
        statement: 'The table says 15 %.',
        contradiction: { why: 'The table says 15 %.', evidence: ['APAC | 4.0 | 4.6'], holds: true },
        score: 0.05,
      };
    if (about === sentences.total)
      return {
        ...unsupported,
        statement: 'It says so.',
        support: { why: 'It says so.', evidence: [sentences.total], holds: true, strength: 'full' },
        score: 0.9,
      };
    return unsupported;
  },
  outlook: {
    brief: 'Do not rely on the growth figure.',
    risks: ['The growth figure is wrong.'],
    questions: ['What drove growth?'],
    outlook: 'mixed',
  },
};

/** Four turns for each of three claims, the factor agent and the outlook. */
const wholeDebate = 3 * 4 + 2;

const traceIn = (stdout: string) => JSON.parse(stdout) as Analysis;
const labelsOf = ({ claims }: Analysis) =>
  Object.fromEntries(claims.map(({ subject, verdict }) => [subject.text, verdict.label]));

async function boardroom(script: BoardScript = board, settings: object = {}) {
  const court = await openBoardroom(script, settings);
  await court.file('report.pdf', await reportPdf({ growth: sentences.flawed }));
  return court;
}

describe.concurrent('agon analyze, piped', () => {
  test('prints what was read, the verdicts, where they stand, the numbers and the outlook as plain text', async () => {
    const court = await boardroom();
    const { code, stdout, stderr } = await court.agon(['analyze', 'report.pdf']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of [
      'report.pdf pdf · 1 page · ',
      '1 table\n',
      '3 claims: 1 verified-strong, 1 contradicted, 1 unsupported',
      '1. Revenue in APAC grew by 51 %',
      '✗ “51 %” in ',
      '(4.6 − 4.0) / 4.0 = 15 %, stated 51 %',
      '\n  p. 1 (row 2, column 3; row 2, column 2)\n',
      'Outlook: ',
      'Do not rely on the growth figure.',
      '• The growth figure is wrong.',
      '• What drove growth?',
      `${wholeDebate} calls`,
      'fake:board',
    ])
      expect(stdout).toContain(part);
    expect(stdout).not.toContain('report.pdf p.'); // There is no other document.
    expect(stdout).not.toContain('\u001b[');
    expect(court.panel.requests.every((request) => request.headers['authorization'] === `Bearer ${key}`)).toBe(true);
  });

  test('with --json prints the whole trace and nothing else', async () => {
    const court = await boardroom();
    const { stdout, stderr } = await court.agon(['analyze', 'report.pdf', '--json']);
    expect(stderr).toBe('');
    expect(stdout.trimEnd()).not.toContain('\n');
    const trace = traceIn(stdout);
    expect(trace).toMatchObject({
      version: 1,
      job: 'documents',
      documents: [{ name: 'report.pdf', kind: 'pdf' }],
      outlook: { brief: 'Do not rely on the growth figure.' },
    });
    expect(labelsOf(trace)).toEqual({
      [sentences.flawed]: 'contradicted',
      [sentences.total]: 'verified-strong',
      [sentences.driver]: 'unsupported',
    });
    expect(trace.numbers).toContainEqual(
      expect.objectContaining({ outcome: 'conflict', arithmetic: expect.stringContaining('15') }),
    );
  });

  test('judges the claims that the user gives, and does not look for others', async () => {
    const court = await boardroom();
    const { stdout } = await court.agon([
      'analyze',
      'report.pdf',
      '--json',
      '--factor',
      'Margins rose.',
      '--factor',
      sentences.total,
    ]);
    expect(labelsOf(traceIn(stdout))).toEqual({ 'Margins rose.': 'unsupported', [sentences.total]: 'verified-strong' });
    expect(traceIn(stdout).claims.every(({ subject }) => subject.origin === null)).toBe(true);
    expect(court.panel.seats()).not.toContain('factor-agent');
  });

  test('debates at most --max-factors, the most important first, and checks the others', async () => {
    const court = await boardroom();
    const { stdout } = await court.agon(['analyze', 'report.pdf', '--json', '--max-factors', '1']);
    const { claims } = traceIn(stdout);
    const debated = claims.filter(({ transcript }) => transcript.some(({ kind }) => kind === 'turn'));
    expect(debated.map(({ subject }) => subject.text)).toEqual([sentences.flawed]);
    expect(claims.length).toBeGreaterThan(1);
  });

  test('reads several files as one dossier, also of the same name, and names cells by their sheet', async () => {
    const court = await boardroom();
    await court.file('figures.xlsx', await figuresXlsx());
    await court.file('figures.csv', figuresCsv());
    const { code, stdout } = await court.agon([
      'analyze',
      'report.pdf',
      'figures.xlsx',
      'figures.csv',
      './figures.csv',
      '--json',
    ]);
    expect(code).toBe(0);
    expect(traceIn(stdout).documents.map(({ name, kind }) => [name, kind])).toEqual([
      ['report.pdf', 'pdf'],
      ['figures.xlsx', 'xlsx'],
      ['figures.csv', 'csv'],
      ['figures (2).csv', 'csv'],
    ]);
    const shown = await court.agon(['analyze', 'figures.xlsx', '--factor', sentences.flawed]);
    expect(shown.stdout).toContain('figures.xlsx xlsx · ');
    expect(shown.stdout).toContain(' Revenue!C2, B2');
    expect(shown.stdout).not.toContain('figures.xlsx Revenue!');
  });

  test('reads standard input under a name', async () => {
    const court = await boardroom();
    const { code, stdout } = await court.agon(
      ['analyze', '-', '--name', 'sales.csv', '--json', '--factor', 'APAC grew.'],
      { stdin: figuresCsv() },
    );
    expect(code).toBe(0);
    expect(traceIn(stdout).documents).toMatchObject([{ name: 'sales.csv', kind: 'csv' }]);
  });

  test('neutralises terminal sequences in what is read and in what is said', async () => {
    const court = await boardroom({
      ...board,
      outlook: { brief: 'Owned \u001b[2J\u009b3A', risks: ['\u001b]0;owned\u0007'], questions: [], outlook: 'mixed' },
    });
    await court.file('notes.txt', 'Sales rose by 15 % in 2024. \u202eReversed\n');
    const { stdout } = await court.agon(['analyze', 'notes.txt', '--factor', 'Sales \u001b[31mrose.']);
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stdout).toContain('\\u001b[31mrose.');
  });
});

describe.concurrent('methods and seats', () => {
  test.each([
    ['single', { 'factor-agent': 'fake:board', synthesizer: 'fake:board' }, 3 + 2],
    ['zero-shot', { 'factor-agent': 'fake:board', synthesizer: 'fake:board' }, 2],
  ])('%s has the same trace and the same view', async (method, models, calls) => {
    const court = await boardroom();
    const [json, text] = await Promise.all([
      court.agon(['analyze', 'report.pdf', '--json', '--method', method]),
      court.agon(['analyze', 'report.pdf', '--method', method]),
    ]);
    expect(traceIn(json.stdout)).toMatchObject({ provenance: { models, plan: { method } } });
    expect(court.panel.requests).toHaveLength(2 * calls);
    expect(text.stdout).toContain('3 claims: ');
  });

  test('flags seat each role', async () => {
    const court = await boardroom(board, { seats: { default: 'fake:d' } });
    const { stdout } = await court.agon([
      'analyze',
      'report.pdf',
      '--json',
      '--debaters',
      'fake:b',
      '--dissenting',
      'fake:c',
      '--seat',
      'synthesizer=fake:s',
    ]);
    expect(traceIn(stdout).provenance.models).toEqual({
      'factor-agent': 'fake:b',
      affirmative: 'fake:b',
      dissenting: 'fake:c',
      synthesizer: 'fake:s',
    });
  });

  test('the preset of the paper seats GPT-4 Turbo, and says which key is missing', async () => {
    const court = await openBoardroom(board, { seats: {} });
    await court.file('notes.txt', 'Sales rose.');
    const { code, stderr } = await court.agon(['analyze', 'notes.txt', '--preset', 'paper']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^agon: There is no API key for openai\. .*\(missing-key\)\n$/);
  });

  test('without a key and without a network, the embedded reasoner finds the claim that the table contradicts', async () => {
    const court = await boardroom();
    const { code, stdout, stderr } = await agon(['analyze', 'report.pdf', '--json'], {
      cwd: court.folder,
      environment: { AGON_MODEL: 'embedded:guard-2' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const trace = traceIn(stdout);
    expect(Object.values(trace.provenance.models)).toEqual(Array(4).fill('embedded:guard-2'));
    expect(trace.claims.find(({ subject }) => subject.text.includes('51 %'))?.verdict.label).toBe('contradicted');
    expect(court.panel.requests).toEqual([]);
  });
});

describe.concurrent('reports and exit codes', () => {
  test('--report writes the trace as a page, as Markdown and as JSON, and a brief as PDF', async () => {
    const court = await boardroom();
    const files = ['trace.html', 'trace.md', 'trace.json', 'brief.pdf'];
    const { code, stderr } = await court.agon([
      'analyze',
      'report.pdf',
      '-q',
      ...files.flatMap((file) => ['--report', file]),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: files.map((file) => `Report: ${file}\n`).join('') });
    const [html, markdown, trace, brief] = await Promise.all(
      files.map(async (file) => readFile(await court.file(file))),
    );
    expect(html!.toString()).toMatch(/^<!doctype html>/i);
    expect(markdown!.toString()).toContain(sentences.driver);
    expect(traceIn(trace!.toString()).seal).toMatch(/^sha256:/);
    expect(brief!.subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('--quiet prints the verdicts, and nothing beside them', async () => {
    const court = await boardroom();
    const { stdout } = await court.agon(['analyze', 'report.pdf', '-q']);
    expect(stdout).toMatch(/^\d claims: /);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/\S/);
    expect(stdout).not.toMatch(/blocks?\b|number checks?|Outlook|\$0/);
    expect((await court.agon(['analyze', 'report.pdf'])).stdout).toContain('Outlook:');
  });

  test('a verdict that --fail-on names ends with 3, others with 0', async () => {
    const court = await boardroom();
    const codes = await Promise.all(
      ['contradicted,undecided', 'undecided', 'supported'].map((labels) =>
        court.agon(['analyze', 'report.pdf', '-q', '--fail-on', labels]),
      ),
    );
    expect(codes.map(({ code }) => code)).toEqual([3, 0, 0]);
  });

  test('Ctrl-C stops it in one line, and with --cache no answer is paid for twice', async () => {
    const court = await boardroom({ ...board, synthesis: () => hang() });
    const { child, ended } = court.start(['analyze', 'report.pdf', '--cache', 'answers']);
    await until(() => court.panel.seats().filter((seat) => seat === 'synthesis').length === 3);
    child.kill('SIGINT');
    const stopped = await ended;
    expect({ code: stopped.code, stdout: stopped.stdout }).toEqual({ code: 130, stdout: '' });
    expect(stopped.stderr).toMatch(/^agon: Judging was stopped\. .+cached.+\(cancelled\)\n$/);
    const paid = court.panel.requests.length;
    court.panel.script = (request) => (boardSeatOf(request) === 'synthesis' ? said(unsupported) : said(board.outlook));
    const { code } = await court.agon(['analyze', 'report.pdf', '-q', '--cache', 'answers']);
    expect(code).toBe(0);
    expect(court.panel.seats().slice(paid).toSorted()).toEqual(['outlook', 'synthesis', 'synthesis', 'synthesis']);
  });
});

describe.concurrent('usage: one line, exit 2', () => {
  test.each<[args: string[], says: RegExp]>([
    [
      ['r.pdf', '--fail-on', 'unsafe'],
      /--fail-on unsafe is not .+verified-strong, supported, mixed, contradicted, unsupported, undecided/,
    ],
    [['-'], /Standard input needs a file name\. .+--name/],
    [['-', '-', '--name', 'a.csv'], /more than once/],
    [['r.pdf', '--name', 'a.csv'], /--name is only for standard input/],
    [['r.pdf', '--factor', ' '], /--factor is empty/],
    [['r.pdf', '--method', 'guess'], /Allowed choices are debate, single, zero-shot, vote, control/],
    [['r.pdf', '--max-factors', '0'], /--max-factors: must be at least 1/],
    [['r.pdf', '--max-factors', 'many'], /--max-factors: must be a (whole )?number/],
    [['r.pdf', '--preset', 'fast'], /--preset: must be "paper"/],
    [['r.pdf', '--synthesizer', 'gpt-4o'], /--synthesizer: must name a model as provider:model/],
    [['r.pdf', '--report', 'trace.docx'], /"trace\.docx".+\.html, \.md, \.json/],
  ])('agon analyze %j', async (args, says) => {
    const { code, stdout, stderr } = await agon(['analyze', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(says);
  });
});
