import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { refusal, type FakeRequest } from '../fake-provider/index.ts';
import { panelReply, roleOf } from '../support/fake-panel.ts';
import { oneLine, openCourt, until } from '../support/run-agon.ts';

/** A panel that finds every knife, and is sure of it. */
const knives = (request: FakeRequest) => {
  const holds = request.prompt.includes('knife');
  const risk = { why: 'A knife.', evidence: holds ? ['knife'] : [], holds, clauses: holds ? ['weapons'] : [] };
  return panelReply({ arbiter: { risk, score: holds ? 0.9 : 0.1 } }, request);
};

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const knife = index % 2 === 0;
    const wrong = index % 10 >= 8;
    return `${JSON.stringify({ id: `p${index}`, text: `Post ${index} with a ${knife ? 'knife' : 'spoon'}`, label: knife === wrong ? 'safe' : 'unsafe', category: knife ? 'knives' : 'spoons' })}\n`;
  }).join('');

const embedded = `version: 1
title: Ours
settings: { seats: { default: 'embedded:guard-2' } }
systems: { moderation: [full, guard, refusal-match], documents: [full, zero-shot] }
data:
  - { job: moderation, title: Posts, file: posts.jsonl, published: [{ system: Elsewhere, metric: f1, value: 0.5, source: 'a paper' }] }
  - { job: documents, title: Claims, file: claims.jsonl }
`;
const claims =
  '{"id":"1","claim":"The lamp is red.","label":"entailed","doc_text":"The lamp on the desk is ' +
  'red."}\n{"id":"2","claim":"The lamp is green.","label":"refuted","doc_text":"The lamp on the desk is red."}\n';

const kept = { environment: { AGON_LEDGER: 'ledger.sqlite' } };

describe('agon bench run', () => {
  test('measures what a file names, in every kind of report, and makes them again from the ledger without a call', async () => {
    const court = await openCourt();
    await court.file('posts.jsonl', items(10));
    await court.file('claims.jsonl', claims);
    await court.file('ours.yaml', embedded);
    const reports = ['--report', 'a.html', '--report', 'a.md', '--report', 'a.json', '--report', 'a.xml'];
    const first = await court.agon(['bench', 'run', 'ours.yaml', '--no-times', ...reports], kept);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toMatch(/^Posts|^posts\.jsonl/m);
    expect(first.stdout).toMatch(/^What the debate adds\n.+\nDebate .+\nfull /m);
    const id = /Recorded as (\S+)\./.exec(first.stderr)![1]!;
    const again = await court.agon(
      ['bench', 'report', id, '--no-times', ...reports.map((word) => word.replace('a.', 'b.'))],
      kept,
    );
    expect(again.code).toBe(0);
    expect(again.stdout).toBe(first.stdout);
    for (const ending of ['html', 'md', 'json', 'xml'])
      expect(await readFile(await court.file(`b.${ending}`), 'utf8')).toBe(
        await readFile(await court.file(`a.${ending}`), 'utf8'),
      );
    expect(await readFile(await court.file('a.md'), 'utf8')).toContain('Elsewhere');
    expect(JSON.parse(await readFile(await court.file('a.json'), 'utf8'))).toMatchObject({
      version: 1,
      sets: [{ job: 'moderation', items: expect.any(Array) }, { job: 'documents' }],
    });
    const listed = await court.agon(['bench', 'list', '--json'], kept);
    expect(JSON.parse(listed.stdout)).toEqual([expect.objectContaining({ id, state: 'done' })]);
    expect(await court.agon(['bench', 'forget', id], kept)).toMatchObject({ code: 0 });
    expect(await court.agon(['bench', 'report', id], kept)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(oneLine),
    });
    expect(court.panel.requests).toEqual([]);
  });

  test('gives the same bytes twice, whatever is judged at once', async () => {
    const court = await openCourt();
    await court.file('posts.jsonl', items(12));
    for (const [name, concurrency] of [
      ['a', '1'],
      ['b', '8'],
    ]) {
      const { code } = await court.agon([
        'bench',
        'moderation',
        '--data',
        'posts.jsonl',
        '--model',
        'embedded:guard-2',
        '--systems',
        'full,guard',
        '--no-ledger',
        '--no-times',
        '-q',
        '--concurrency',
        concurrency!,
        '--report',
        `${name}.md`,
        '--report',
        `${name}.html`,
        '--report',
        `${name}.json`,
      ]);
      expect(code).toBe(0);
    }
    for (const ending of ['md', 'html', 'json'])
      expect(await readFile(await court.file(`b.${ending}`), 'utf8')).toBe(
        await readFile(await court.file(`a.${ending}`), 'utf8'),
      );
  });

  test('goes on where it was killed, and asks nobody twice', async () => {
    const court = await openCourt({ latencyMs: 20 });
    await court.file('posts.jsonl', items(8));
    const command = ['bench', 'moderation', '--data', 'posts.jsonl', '--concurrency', '1', '--json'];
    const first = court.start(command, kept);
    await until(async () => court.panel.requests.filter((request) => roleOf(request) === 'arbiter').length > 3);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await court.agon(command, kept);
    expect(second).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/continuing bench \S+: \d+ judgements are already on record/),
    });
    expect(court.panel.requests.filter((request) => roleOf(request) === 'arbiter').length).toBeLessThanOrEqual(10);
  });

  test('holds the debate against independent votes for the same tokens, and says what it added', async () => {
    const court = await openCourt(knives);
    await court.file('posts.jsonl', items(6));
    const { code, stdout } = await court.agon([
      'bench',
      'moderation',
      '--data',
      'posts.jsonl',
      '--systems',
      'full,control,judge,vote',
      '--json',
      '-q',
    ]);
    expect(code).toBe(0);
    const { figures } = JSON.parse(stdout) as {
      figures: {
        receipts: {
          debate: string;
          overControl: { control: string; extraTokens: number } | null;
          overOpening: object | null;
        }[];
        systems: { name: string; cost: { calls: number } }[];
      };
    };
    expect(figures.receipts).toEqual([
      expect.objectContaining({
        debate: 'full',
        overOpening: expect.any(Object),
        overControl: expect.objectContaining({ control: 'control' }),
      }),
    ]);
    expect(figures.systems.map(({ name }) => name)).toEqual(['full', 'control', 'judge', 'vote']);
    expect(figures.systems[2]!.cost.calls).toBe(6);
  });

  test("tries Aetheria's Table 3 and Table 4 by one flag", async () => {
    const court = await openCourt(knives);
    await court.file('posts.jsonl', items(2));
    const { code, stdout } = await court.agon([
      'bench',
      'moderation',
      '--data',
      'posts.jsonl',
      '--debaters',
      'fake:panel-mini',
      '--arbiter',
      'fake:panel-vision',
      '--ablate',
      'table3,table4',
      '--json',
      '-q',
    ]);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { systems: { name: string }[] }).systems.map(({ name }) => name)).toEqual([
      'full',
      'without-retrieval',
      'without-supporter',
      'all-arbiter',
      'all-debaters',
      'without-loose',
      'without-strict',
      'without-debate',
      'rounds-1',
      'rounds-2',
      'rounds-3',
    ]);
  });

  test('exits with 3 where a threshold is missed, and tells CI', async () => {
    const court = await openCourt(knives);
    await court.file('posts.jsonl', items(10));
    const passed = await court.agon(['bench', 'moderation', '--data', 'posts.jsonl', '-q', '--fail-under', 'f1=.8']);
    expect(passed.code).toBe(0);
    const missed = await court.agon([
      'bench',
      'moderation',
      '--data',
      'posts.jsonl',
      '-q',
      '--fail-under',
      'f1=.85',
      '--report',
      'junit.xml',
      '--report',
      'github',
    ]);
    expect(missed).toMatchObject({ code: 3, stderr: expect.stringMatching(/f1 is 0\.800 .*wanted ≥ 0\.85/) });
    expect(missed.stdout).toMatch(/^::error /m);
    expect(await readFile(await court.file('junit.xml'), 'utf8')).toContain('<failure');
    expect(
      await court.agon(['bench', 'moderation', '--data', 'posts.jsonl', '--fail-under', 'beauty=1']),
    ).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(oneLine) });
  });

  test("shows the paper's rule for undecided items beside ours", async () => {
    const court = await openCourt((request) => (request.prompt.includes('Post 0') ? refusal() : knives(request)));
    await court.file('posts.jsonl', items(4));
    const { code, stdout } = await court.agon([
      'bench',
      'moderation',
      '--data',
      'posts.jsonl',
      '-q',
      '--invalid',
      'exclude',
      '--json',
    ]);
    expect(code).toBe(0);
    const { figures } = JSON.parse(stdout) as {
      figures: {
        systems: {
          scores: { accuracy: { value: number } };
          otherRule: { rule: string; leftOut: number; scores: { accuracy: { value: number } } };
        }[];
      };
    };
    const [system] = figures.systems;
    expect(system!.otherRule).toMatchObject({ rule: 'error', leftOut: 1 });
    expect(system!.scores.accuracy.value).toBeGreaterThan(system!.otherRule.scores.accuracy.value);
  });

  test('judges everything anew in each repeat', async () => {
    const court = await openCourt(knives);
    await court.file('posts.jsonl', items(2));
    const { stdout } = await court.agon([
      'bench',
      'moderation',
      '--data',
      'posts.jsonl',
      '-q',
      '--repeats',
      '3',
      '--json',
    ]);
    const { figures } = JSON.parse(stdout) as {
      figures: { systems: { consistency: { repeats: number; sameLabel: number; passK: number[] } }[] };
    };
    expect(figures.systems[0]!.consistency).toMatchObject({ repeats: 3, sameLabel: 1, passK: [1, 1, 1] });
    expect(court.panel.requests.filter((request) => roleOf(request) === 'arbiter')).toHaveLength(6);
  });

  test.each<[string, string[], number]>([
    ['a file that is not there', ['run', 'nowhere.yaml'], 1],
    ['a file that is none', ['run', 'posts.jsonl'], 1],
    ['a report of no kind', ['run', 'ours.yaml', '--report', 'a.docx'], 2],
    [
      'a report in no folder, before anything is measured',
      ['moderation', '--data', 'posts.jsonl', '--report', 'nowhere/a.html'],
      1,
    ],
    ['an ablation nobody knows', ['moderation', '--data', 'posts.jsonl', '--ablate', 'table9'], 2],
    ['a control without a debate', ['moderation', '--data', 'posts.jsonl', '--systems', 'guard,control'], 2],
    ['a judge with examples and no examples', ['moderation', '--data', 'posts.jsonl', '--systems', 'judge-4-shot'], 1],
    ['a bench that is not on record', ['report', 'abcd'], 1],
    [
      'a threshold for a system that nobody measures',
      ['moderation', '--data', 'posts.jsonl', '--systems', 'full', '--fail-under', 'guard:f1=.5'],
      2,
    ],
    ['a format nobody knows', ['moderation', '--data', 'posts.jsonl', '--format', 'stone-tablets'], 2],
  ])('refuses %s in one line', async (_what, words, expected) => {
    const court = await openCourt(knives);
    await court.file('posts.jsonl', items(2));
    await court.file('ours.yaml', embedded);
    const { code, stdout, stderr } = await court.agon(['bench', ...words], kept);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(oneLine);
  });
});

test('agon bench run says what AGON_DATASETS would have given', async () => {
  const court = await openCourt();
  await court.file(
    'paper.yaml',
    'version: 1\ndata: [{ job: moderation, title: Posts, file: "${AGON_DATASETS}/posts.jsonl" }]\n',
  );
  const { code, stderr } = await court.agon(['bench', 'run', 'paper.yaml']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/AGON_DATASETS is not set, so that nothing was measured of Posts/);
});
