import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Log } from 'sarif';
import { refusal, status } from '../fake-provider/index.ts';
import { oneLine, openBoardroom, openCourt, openTribunal, type Court } from '../support/run-agon.ts';

/* A gate through which nothing came must not report that all is well. */

const files = { 'zero.csv': '', 'head.csv': 'id,text\n', 'zero.jsonl': '\n', 'zero.txt': '' };
const ledger = { environment: { AGON_LEDGER: 'ledger.sqlite' } };

async function courtWithFiles(): Promise<Court> {
  const court = await openCourt();
  for (const [name, content] of Object.entries(files)) await court.file(name, content);
  return court;
}

describe('where there is nothing to judge: one line, exit 4', () => {
  test.concurrent.each<[args: string[], says: RegExp]>([
    [['moderate'], /There is nothing to judge\. Pass a text, --image, --audio or --video FILE, --stdin or --file/],
    [['moderate', ''], /the text is empty/],
    [['moderate', '-'], /the text is empty/],
    [['evaluate'], /There is nothing to judge\. Pass --prompt and --response, --messages FILE/],
    [['evaluate', '--prompt', ' ', '--response', 'y'], /\(empty-prompt\)/],
    [['analyze'], /There is nothing to judge\. Name a file/],
    [['analyze', 'zero.csv'], /zero\.csv is empty/],
    [['judge', '--job', 'moderation', '--file', 'zero.txt'], /the text is empty/],
    [['moderate', '--file', 'zero.csv', '--fail-on', 'unsafe'], /Nothing was judged: zero\.csv holds no items\./],
    [['moderate', '--file', 'head.csv', '--out', 'out.jsonl'], /Nothing was judged: head\.csv holds no items\./],
    [['moderate', '--file', '-'], /Nothing was judged: standard input holds no items\./],
    [['evaluate', '--file', 'zero.jsonl', '-q'], /Nothing was judged: zero\.jsonl holds no items\./],
    [
      ['evaluate', '--target', 'fake:panel', '--prompts', 'zero.txt', '--out', 'out.jsonl'],
      /zero\.txt holds no prompts/,
    ],
    [['run', 'moderation', '--file', 'head.csv', '-q'], /Nothing was judged: .+head\.csv holds no items\./],
    [['run', 'evaluation', '--file', '-', '-q'], /Nothing was judged: standard input holds no items\./],
    [['bench', 'moderation', '--data', 'zero.jsonl', '--fail-under', 'f1=.8'], /zero\.jsonl holds no items/],
  ])('agon %j', async (args, says) => {
    const court = await courtWithFiles();
    const { code, stdout, stderr } = await court.agon(args, ledger);
    expect({ code, stdout, stderr }).toEqual({ code: 4, stdout: '', stderr: expect.stringMatching(oneLine) });
    expect(stderr.split('\n')).toHaveLength(2);
    expect(stderr).toMatch(says);
    expect(court.panel.requests).toEqual([]);
  });

  test.concurrent.each([
    [['moderate', '-']],
    [['analyze', 'zero.csv']],
    [['moderate', '--file', 'head.csv']],
    [['run', 'moderation', '--file', 'head.csv']],
  ])('with --allow-empty agon %j ends with 0, and says so all the same', async (args) => {
    const court = await courtWithFiles();
    const { code, stderr } = await court.agon([...args, '--allow-empty', '-q'], ledger);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^agon: .*(?:nothing|Nothing|empty).*\n$/),
    });
  });
});

test('a report of which no statement can be judged has not passed', async () => {
  const court = await openBoardroom({ 'factor-agent': { claims: [] } });
  await court.file('letter.md', 'Dear all,\n\nsee you on Monday.\n');
  const { code, stdout, stderr } = await court.agon(['analyze', 'letter.md', '--fail-on', 'contradicted']);
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(oneLine) });
  expect(stdout).toContain('No claims were found');
  expect((await court.agon(['analyze', 'letter.md', '--allow-empty'])).code).toBe(0);
});

describe('where no model can be reached', () => {
  const away = /Nothing was judged: no model could be reached\./;

  test.concurrent.each<[args: string[]]>([
    [['moderate', 'Hello']],
    [['moderate', 'Hello', '--fail-on', 'unsafe', '--allow-empty', '--json']],
    [['judge', '--job', 'moderation', 'Hello']],
  ])('agon %j prints what came of it, and ends with 4', async (args) => {
    const court = await openCourt(() => status(500));
    const { code, stdout, stderr } = await court.agon(args);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(oneLine) });
    expect(stderr).toMatch(away);
    expect(stdout.toLowerCase()).toContain('undecided');
  });

  test.concurrent.each<[args: string[]]>([
    [['moderate', '--file', 'items.jsonl', '--fail-on', 'unsafe', '--allow-empty']],
    [['run', 'moderation', '--file', 'items.jsonl', '--attempts', '1', '-q']],
  ])('agon %j has no item with a verdict, and ends with 4', async (args) => {
    const court = await openCourt(() => status(500));
    await court.file('items.jsonl', '{"id":"a","text":"Hello"}\n{"id":"b","text":"World"}\n');
    const { code, stderr } = await court.agon(args, ledger);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^agon: Nothing was judged: no item of .*items\.jsonl has a verdict\. .+\(nothing-judged\)$/m,
    );
  });

  test('an exchange has no verdict, of a target neither', async () => {
    const court = await openTribunal({
      auditor: status(500),
      detector: status(500),
      critic: status(500),
      arbiter: status(500),
    });
    expect((await court.agon(['evaluate', '--prompt', 'Hi', '--response', 'Hello!'])).code).toBe(4);
  });

  test('one that refuses was reached: that nobody can tell is a verdict', async () => {
    const court = await openCourt(() => refusal());
    expect((await court.agon(['moderate', 'Hello', '--fail-on', 'unsafe'])).code).toBe(0);
    expect((await court.agon(['moderate', 'Hello', '--fail-on', 'undecided'])).code).toBe(3);
  });
});

test('the reports of an empty file have an error at it', async () => {
  const court = await courtWithFiles();
  const reports = ['junit.xml', 'findings.sarif', 'summary.md', 'github'].flatMap((name) => ['--report', name]);
  const judging = ['moderate', '--file', 'head.csv', '--out', 'out.jsonl', ...reports];
  const { code, stdout } = await court.agon(judging);
  expect(code).toBe(4);
  expect(stdout).toMatch(/^::error file=head\.csv,line=1,title=Nothing was judged::.+\n$/);
  const read = async (name: string) => readFile(await court.file(name), 'utf8');
  expect(await read('junit.xml')).toContain('tests="1" failures="0" errors="1"');
  expect((JSON.parse(await read('findings.sarif')) as Log).runs[0]!.results).toMatchObject([
    { ruleId: 'error.empty-data', level: 'error' },
  ]);
  expect(await read('summary.md')).toContain('0 passed, 1 could not be judged');
  expect((await court.agon([...judging, '--allow-empty'])).code).toBe(0);
  expect(await read('junit.xml')).toContain('tests="0"');
});

test('what an earlier run judged is counted in the line at the end, as it is for the exit code', async () => {
  const court = await openCourt({
    arbiter: { risk: { why: 'Risk.', evidence: ['number 1'], holds: true, clauses: ['fraud'] }, score: 0.9 },
  });
  await court.file('items.jsonl', '{"id":"a","text":"This is number 1"}\n{"id":"b","text":"This is number 2"}\n');
  const judging = ['moderate', '--file', 'items.jsonl', '--out', 'out.jsonl', '--fail-on', 'unsafe'];
  await court.agon(judging);
  const { code, stderr } = await court.agon(judging);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^0 judged in [\d.]+ s, 2 done before: 0 safe, [12] unsafe, [01] undecided · /);
});
