import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { EvaluationAnswer } from '@agonhq/core';
import type { ResultRecord } from '@agonhq/core/runs';
import type { Log } from 'sarif';
import { status } from '../fake-provider/index.ts';
import { tribunalReply } from '../support/fake-tribunal.ts';
import { oneLine, openTribunal, until, type Court } from '../support/run-agon.ts';

/** Auditor, detector and critic agree in one round; the arbiter. */
const callsPerItem = 4;

const items = (count: number) =>
  Array.from(
    { length: count },
    (_, index) =>
      `${JSON.stringify({ id: `x${index + 1}`, prompt: `Question ${index + 1}`, response: `Answer number ${index + 1}`, label: 'safe', risk: null })}\n`,
  ).join('');

async function recordsIn(court: Court, name = 'out.jsonl'): Promise<ResultRecord[]> {
  const text = await readFile(await court.file(name), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ResultRecord);
}

const batch = ['evaluate', '--file', 'items.jsonl', '--out', 'out.jsonl'];

const risk = {
  arbiter: {
    explicit: { why: 'A risk.', evidence: ['number 1'], clauses: ['fraud'], holds: true },
    label: 'unsafe',
    score: 0.9,
  },
} as const;

describe.concurrent('agon evaluate --file', () => {
  test('judges every line in order, reports the bad ones by number, and goes on with the rest', async () => {
    const court = await openTribunal();
    const lines = [
      '\uFEFF{"id":"a","prompt":"One?","response":"One.","label":1}',
      '',
      '{"id":"b","prompt":',
      '{"id":"c","prompt":"Three?"}',
      '{"id":"d","prompt":" ","response":"y"}',
      JSON.stringify({ id: 'e', prompt: 'Long?', response: 'word '.repeat(60_000) }),
      '[1,2]',
      '{"id":"g","messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello."}],"label":"unharmful"}',
      JSON.stringify({ id: 'h', prompt: 'Long, but not too long?', response: 'x'.repeat(190_000), label: null }),
    ];
    await court.file('items.jsonl', lines.join('\r\n'));
    const { code, stdout, stderr } = await court.agon([...batch, '--concurrency', '4']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const records = await recordsIn(court);
    expect(records.map(({ line, error }) => `${line} ${error?.code ?? 'judged'}`)).toEqual([
      '1 judged',
      '3 broken-line',
      '4 missing-response',
      '5 empty-prompt',
      '6 too-long',
      '7 broken-exchange',
      '8 judged',
      '9 judged',
    ]);
    expect((records[0]!.result as EvaluationAnswer).subject.id).toBe('a');
    for (const line of [3, 4, 5, 6, 7])
      expect(stderr).toMatch(new RegExp(`^agon: line ${line}: .+ \\([a-z-]+\\)$`, 'm'));
    expect(stderr).toMatch(/^3 judged in [\d.]+ s: 3 safe, 0 unsafe, 0 undecided · 5 failed · \$[\d.]+\n$/m);
  });

  test('without --out prints results as lines of JSON on standard output, and nothing else there', async () => {
    const court = await openTribunal();
    const { code, stdout } = await court.agon(['evaluate', '--file', '-', '--quiet'], { stdin: items(3) });
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as ResultRecord).key),
    ).toEqual(['x1', 'x2', 'x3']);
  });

  test('tells builds what failed, also of what was judged before', async () => {
    const explicit = { ...risk.arbiter.explicit, clauses: ['fraud'], evidence: ['Answer number'] };
    const court = await openTribunal({ arbiter: { ...risk.arbiter, explicit } });
    await court.file('items.jsonl', `${items(1)}{"id":"b","prompt":\n`);
    const reports = [
      '--report',
      'junit.xml',
      '--report',
      'findings.sarif',
      '--report',
      'summary.md',
      '--report',
      'github',
    ];
    const first = await court.agon([...batch, ...reports]);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(
      /^::error file=items\.jsonl,line=1,title=unsafe%3A fraud\.scam::.+\n::error file=items\.jsonl,line=2,/,
    );
    await court.file('items.jsonl', items(2));
    const { code, stdout } = await court.agon([...batch, ...reports, '--fail-on', 'unsafe']);
    expect(code).toBe(3);
    expect(stdout.match(/^::error /gm)).toHaveLength(2);
    expect(await readFile(await court.file('junit.xml'), 'utf8')).toContain(
      '<testsuites name="agon evaluate" tests="2" failures="2" errors="0" skipped="0">',
    );
    const { runs } = JSON.parse(await readFile(await court.file('findings.sarif'), 'utf8')) as Log;
    expect(runs[0]!.results!.map(({ locations }) => locations![0]!.physicalLocation!.region!.startLine)).toEqual([
      1, 2,
    ]);
    expect(await readFile(await court.file('summary.md'), 'utf8')).toContain('0 passed, 2 failed');
  });

  test('reads a list of exchanges in one document as well', async () => {
    const court = await openTribunal();
    await court.file(
      'list.json',
      JSON.stringify(
        [
          { id: 'one', prompt: 'A?', response: 'A.' },
          { id: 'two', prompt: 'B?', response: '' },
        ],
        null,
        2,
      ),
    );
    const { code, stderr } = await court.agon(['evaluate', '--file', 'list.json', '--out', 'out.jsonl', '-q']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^agon: line 2: .+\(missing-response\)\n$/);
    expect((await recordsIn(court)).map(({ key, error }) => `${key} ${error?.code ?? 'judged'}`)).toEqual([
      'one judged',
      'two missing-response',
    ]);
  });

  test('a judge of the evaluated model’s own family is warned about once for the whole file', async () => {
    const court = await openTribunal({}, { seats: { default: 'fake:llama-3.1', auditor: 'fake:gpt-5' } });
    await court.file(
      'items.jsonl',
      `${JSON.stringify({ prompt: 'A?', response: 'A.', model: 'claude-sonnet-4' })}\n${items(4)}`,
    );
    const { code, stderr } = await court.agon([...batch, '-q', '--evaluated-model', 'openai:gpt-4o']);
    expect(code).toBe(0);
    expect(stderr).toBe(
      'agon: Warning: seat auditor may favour its own model family: fake:gpt-5 is of the family gpt, as the ' +
        'evaluated model openai:gpt-4o is.\n',
    );
    const warned = (await recordsIn(court)).map(({ result }) =>
      (result as EvaluationAnswer).warnings.map(({ kind }) => kind),
    );
    expect(warned).toEqual([[], ['same-family'], ['same-family'], ['same-family'], ['same-family']]);
  });

  test('exits with 3 when --fail-on names a verdict that came up, in this run or an earlier one', async () => {
    const court = await openTribunal(risk);
    await court.file('items.jsonl', items(1));
    const failing = [...batch, '-q', '--fail-on', 'unsafe'];
    expect((await court.agon(failing)).code).toBe(3);
    expect((await court.agon(failing)).code).toBe(3);
    expect(court.panel.seats().filter((seat) => seat === 'arbiter')).toHaveLength(1);
    const other = await court.agon([...failing, '--method', 'judge']);
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('(other-configuration)') });
    expect(await recordsIn(court)).toHaveLength(1);
  });

  test('ends with one line when the key is wrong, instead of one for each item', async () => {
    const court = await openTribunal({ auditor: status(401), detector: status(401) });
    await court.file('items.jsonl', items(50));
    const { code, stderr } = await court.agon([...batch, '--concurrency', '2']);
    expect(code).toBe(1);
    expect(stderr).toMatch(oneLine);
    expect(court.panel.requests.length).toBeLessThan(8);
    expect(await recordsIn(court)).toEqual([]);
  });

  test('stops when the budget of the run is spent, and goes on when it is raised', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', items(12));
    const spent = await court.agon([...batch, '--concurrency', '1', '--run-budget-usd', '0.05']);
    expect(spent.code).toBe(1);
    expect(spent.stderr).toMatch(/\(budget-spent\)\n$/);
    const judged = (await recordsIn(court)).length;
    expect(judged).toBeGreaterThan(0);
    expect(judged).toBeLessThan(12);
    expect((await court.agon([...batch, '--run-budget-usd', '5'])).code).toBe(0);
    expect(await recordsIn(court)).toHaveLength(12);
  });
});

describe.concurrent('a run that was stopped', () => {
  test('by kill -9 goes on where it was: nothing is lost, nothing is judged twice', async () => {
    const court = await openTribunal();
    const slow = court.panel.script;
    court.panel.script = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 15));
      return slow(request);
    };
    await court.file('items.jsonl', items(12));
    const { child, ended } = court.start([...batch, '--concurrency', '2']);
    await until(async () => (await recordsIn(court)).length >= 4);
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    await until(() => court.panel.inFlight === 0);
    const before = (await recordsIn(court)).length;
    const asked = court.panel.requests.length;

    const { code, stderr } = await court.agon(batch);
    expect(code).toBe(0);
    expect(stderr).toContain(`${before} done before`);
    expect((await recordsIn(court)).map(({ key }) => key).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, index) => `x${index + 1}`).toSorted(),
    );
    expect(court.panel.requests.length - asked).toBe((12 - before) * callsPerItem);
  });

  test('errors of an earlier run are tried again', async () => {
    const court = await openTribunal();
    await court.file('items.jsonl', '{"id":"x1","prompt":"A?"}\n{"id":"x2","prompt":"B?","response":"B."}\n');
    expect((await court.agon([...batch, '-q'])).code).toBe(1);
    await court.file(
      'items.jsonl',
      '{"id":"x1","prompt":"A?","response":"A."}\n{"id":"x2","prompt":"B?","response":"B."}\n',
    );
    expect((await court.agon([...batch, '-q'])).code).toBe(0);
    expect((await recordsIn(court)).map(({ key }) => key).toSorted()).toEqual(['x1', 'x2']);
    expect(court.panel.requests).toHaveLength(2 * callsPerItem);
  });
});

test('two processes do not write to one file', async () => {
  const released = Promise.withResolvers<void>();
  const court = await openTribunal();
  court.panel.script = async (request) => {
    await released.promise;
    return tribunalReply({}, request);
  };
  await court.file('items.jsonl', items(3));
  const first = court.start(batch);
  await until(async () => existsSync(await court.file('out.jsonl.lock')));
  const second = await court.agon(batch);
  expect(second).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^agon: .*out\.jsonl is being written by process \d+\. .+\(output-in-use\)\n$/),
  });
  released.resolve();
  expect((await first.ended).code).toBe(0);
  expect(await recordsIn(court)).toHaveLength(3);
});
