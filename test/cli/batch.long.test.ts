import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { ResultRecord } from '@agonhq/core/runs';
import { hang, status } from '../fake-provider/index.ts';
import { panelReply } from '../support/fake-panel.ts';
import { launcher, oneLine, openCourt, outcomeOf, until, type Court } from '../support/run-agon.ts';

/** Supporter, two debaters in two rounds, arbiter. */
const callsPerItem = 6;

const items = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify({ id: `p${index + 1}`, text: `Post number ${index + 1}` })}\n`,
  ).join('');

async function recordsIn(court: Court, name = 'out.jsonl'): Promise<ResultRecord[]> {
  const text = await readFile(await court.file(name), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ResultRecord);
}

const batch = ['moderate', '--file', 'items.jsonl', '--out', 'out.jsonl'];

describe.concurrent('agon moderate --file', () => {
  test('without --out prints results as lines of JSON on standard output, and nothing else there', async () => {
    const court = await openCourt();
    const { code, stdout } = await court.agon(['moderate', '--file', '-', '--quiet'], { stdin: items(3) });
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as ResultRecord).key),
    ).toEqual(['p1', 'p2', 'p3']);
  });

  test('asks at most as many items at once as it is told to', async () => {
    const court = await openCourt({ latencyMs: 20 });
    await court.file('items.jsonl', items(6));
    await court.agon([...batch, '-q', '--concurrency', '2', '--turns', 'alternate']);
    expect(court.panel.maxInFlight).toBe(2);
  });

  test('ends with one line when the key is wrong, instead of one for each item', async () => {
    const court = await openCourt(() => status(401));
    await court.file('items.jsonl', items(50));
    const { code, stderr } = await court.agon([...batch, '--concurrency', '2']);
    expect(code).toBe(1);
    expect(stderr).toMatch(oneLine);
    expect(court.panel.requests.length).toBeLessThan(6);
    expect(await recordsIn(court)).toEqual([]);
  });

  test(
    '--fail-on remembers what an earlier run judged, and another configuration is not resumed into the same ' +
      'output',
    async () => {
      const court = await openCourt({
        arbiter: { risk: { why: 'Risk.', evidence: ['number 1'], holds: true, clauses: ['fraud'] }, score: 0.9 },
      });
      await court.file('items.jsonl', items(1));
      const failing = [...batch, '-q', '--fail-on', 'unsafe'];
      expect((await court.agon(failing)).code).toBe(3);
      expect((await court.agon(failing)).code).toBe(3);
      const other = await court.agon([...failing, '--rounds', '1']);
      expect(other.code).toBe(1);
      expect(other.stderr).toContain('(other-configuration)');
      expect(await recordsIn(court)).toHaveLength(1);
    },
  );

  test('stops when the budget of the run is spent, and goes on when it is raised', async () => {
    const court = await openCourt();
    await court.file('items.jsonl', items(20));
    const spent = await court.agon([...batch, '--concurrency', '1', '--run-budget-usd', '0.03']);
    expect(spent.code).toBe(1);
    expect(spent.stderr).toMatch(/\(budget-spent\)\n$/);
    const judged = (await recordsIn(court)).length;
    expect(judged).toBeGreaterThan(0);
    expect(judged).toBeLessThan(20);
    expect((await court.agon([...batch, '--run-budget-usd', '5'])).code).toBe(0);
    expect(await recordsIn(court)).toHaveLength(20);
  });
});

describe.concurrent('a run that was stopped', () => {
  test('by kill -9 goes on where it was: nothing is lost, nothing is judged twice', async () => {
    const court = await openCourt({ latencyMs: 10 });
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
      Array.from({ length: 12 }, (_, index) => `p${index + 1}`).toSorted(),
    );
    expect(court.panel.requests.length - asked).toBe((12 - before) * callsPerItem);

    const again = await court.agon(batch);
    expect(again.stderr).toContain('0 judged');
    expect(court.panel.requests.length - asked).toBe((12 - before) * callsPerItem);
  });

  test('by Ctrl-C says how to go on, exits with 130 and leaves no call, no lock and no half result', async () => {
    const court = await openCourt((request) => (request.prompt.includes('Post number 3') ? hang() : status(500)));
    await court.file('items.jsonl', items(3));
    const { child, ended } = court.start([...batch, '--concurrency', '3', '-q']);
    await until(() => court.panel.requests.some((request) => request.prompt.includes('Post number 3')));
    await until(async () => (await recordsIn(court)).length === 2);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(/\nagon: The run was stopped\. Run the same command again to continue\. \(cancelled\)\n$/);
    expect((await recordsIn(court)).map(({ key }) => key)).toEqual(['p1', 'p2']);
    expect(existsSync(await court.file('out.jsonl.lock'))).toBe(false);
    await until(() => court.panel.inFlight === 0);
  });

  test('by Ctrl-C while it waits for its input stops at once', async () => {
    const court = await openCourt();
    const child = spawn(process.execPath, [launcher, 'moderate', '--file', '-', '-q'], { cwd: court.folder });
    const ended = outcomeOf(child);
    let printed = '';
    child.stdout.on('data', (text: string) => (printed += text));
    child.stdin.write(items(1));
    await until(() => printed.endsWith('\n'));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringMatching(oneLine) });
  });
});

test('two processes do not write to one file', async () => {
  const released = Promise.withResolvers<void>();
  const court = await openCourt(async (request) => {
    await released.promise;
    return panelReply({}, request);
  });
  await court.file('items.jsonl', items(4));
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
  expect(await recordsIn(court)).toHaveLength(4);
});

test('the input given as the output is refused and left as it was', async () => {
  const court = await openCourt();
  await court.file('items.jsonl', items(2));
  const { code, stderr } = await court.agon(['moderate', '--file', 'items.jsonl', '--out', 'items.jsonl']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/\(not-results\)\n$/);
  expect(await readFile(await court.file('items.jsonl'), 'utf8')).toBe(items(2));
  expect(court.panel.requests).toEqual([]);
});

describe.concurrent('when nobody reads on', () => {
  const shell = (court: Court, command: string) =>
    outcomeOf(
      spawn('sh', ['-c', command], {
        cwd: court.folder,
        env: { PATH: process.env['PATH'], AGON_HOME: process.env['AGON_HOME'], NODE: process.execPath, AGON: launcher },
      }),
    );

  test('`agon … | head -1` ends without a word', async () => {
    const court = await openCourt();
    await court.file('items.jsonl', items(8));
    const [show, judge] = await Promise.all([
      shell(court, '"$NODE" "$AGON" policy show --yaml | head -1'),
      shell(court, '"$NODE" "$AGON" moderate --file items.jsonl --quiet | head -1'),
    ]);
    expect(show).toMatchObject({ code: 0, stderr: '' });
    expect(judge).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(judge.stdout)).toMatchObject({ key: 'p1' });
  });

  test.runIf(existsSync('/dev/full'))('a full disk is one line, under standard output and under --out', async () => {
    const court = await openCourt();
    await court.file('items.jsonl', items(1));
    const [printed, written] = await Promise.all([
      shell(court, '"$NODE" "$AGON" moderate hello > /dev/full'),
      court.agon(['moderate', '--file', 'items.jsonl', '--out', '/dev/full', '-q']),
    ]);
    for (const { code, stderr } of [printed, written]) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^agon: .+ cannot be written: the disk is full\. .+\(cannot-write\)\n$/);
    }
  });
});
