import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openLedger } from '@agonhq/ledger';
import type { ExportedRecord } from '@agonhq/core/runs';
import { hang, status } from '../fake-provider/index.ts';
import { panelReply } from '../support/fake-panel.ts';
import {
  launcher,
  oneLine,
  openBoardroom,
  openCourt,
  openTribunal,
  outcomeOf,
  until,
  type Court,
  type RunOptions,
} from '../support/run-agon.ts';
import { leastEnvironment } from '../support/least-environment.ts';
import { slowTest } from '../support/slow.ts';

/** Supporter, two debaters in two rounds, arbiter. */
const callsPerItem = 6;

const items = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `${JSON.stringify({ id: `p${index + 1}`, text: `Post number ${index + 1}` })}\n`,
  ).join('');
const keysOf = (count: number) => Array.from({ length: count }, (_, index) => `p${index + 1}`);

async function recordsIn(court: Court, name = 'out.jsonl'): Promise<ExportedRecord[]> {
  const text = await readFile(await court.file(name), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ExportedRecord);
}

const onLedger: RunOptions = { environment: { AGON_LEDGER: 'ledger.sqlite' } };
const judging = ['run', 'moderation', '--file', 'items.jsonl', '--name', 'night'];

const run = (court: Court, args: readonly string[], options: RunOptions = {}) =>
  court.agon(args, { ...onLedger, ...options });
const start = (court: Court, args: readonly string[]) => court.start(args, onLedger);

/** The run of this name as it is on record. */
async function onRecord(court: Court, name = 'night') {
  const ledger = await openLedger({ file: await court.file('ledger.sqlite') });
  try {
    const [row] = await ledger.runs.findRunsNamed(name);
    return { row: row!, counts: await ledger.runs.countItems(row!.id) };
  } finally {
    await ledger.close();
  }
}

/** Several processes each, one after the other. */
const patience = { timeout: 60_000 };
/** Five or six of them. */
const restarts = { timeout: 240_000 };

describe.concurrent('agon run', patience, () => {
  test('judges a CSV by its columns, duplicates once, and says what came of it and what next', async () => {
    const court = await openCourt();
    const rows = [
      'key,comment,toxic',
      'a,"One, with ""quotes""',
      'and a line break",0',
      'b,Two,1',
      'c,Two,1',
      'd,"   ",0',
      'e,Three,0,too,many',
    ];
    await court.file('items.csv', `\uFEFF${rows.join('\r\n')}\r\n`);
    const { code, stdout, stderr } = await run(court, [
      'run',
      'moderation',
      '--file',
      'items.csv',
      '--map',
      'id=key,text=comment,label=toxic',
      '--name',
      'night',
      '--out',
      'out.jsonl',
    ]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const records = await recordsIn(court);
    expect(
      records.map(
        ({ line, key, error, duplicateOf }) =>
          `${line} ${key} ${error?.code ?? 'judged'}${duplicateOf ? ` as ${duplicateOf}` : ''}`,
      ),
    ).toEqual(['2 a judged', '4 b judged', '5 c judged as 4', '6 d empty-subject', '7 line-7 broken-line']);
    expect(court.panel.requests).toHaveLength(2 * callsPerItem);
    expect(stderr).toContain('2 items judged in');
    expect(stderr).toContain('1 duplicate skipped');
    expect(stderr).toContain('1 of 2 labelled items match');
    expect(stderr).toMatch(/^2 items failed: .*1 broken-line/m);
    expect(stderr).toMatch(/^\$0\.\d{4}, 12 calls/m);
    expect(stderr).toMatch(/^Results are in out\.jsonl\. Run night \(run-[\w-]+\) is recorded in .*ledger\.sqlite\.$/m);
    expect(stderr).toMatch(/^Next: agon runs show night · agon runs retry-failed night$/m);
    expect(stderr).not.toContain('\u001b');
    const { row, counts } = await onRecord(court);
    expect(row).toMatchObject({ state: 'finished', total: 5, job: 'moderation' });
    expect(counts).toMatchObject({ done: 2, same: 1, failed: 2, byLabel: { safe: 2 } });
  });

  test('without --out writes nothing but the ledger, and says how to export', async () => {
    const court = await openCourt();
    await court.file('items.jsonl', items(2));
    const { code, stdout, stderr } = await run(court, judging);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('agon runs export night --out results.jsonl');
    const exported = await run(court, ['runs', 'export', 'night']);
    expect(
      exported.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as ExportedRecord).key),
    ).toEqual(['p1', 'p2']);
  });

  test('with --json reads standard input and speaks JSON on both streams', async () => {
    const court = await openCourt();
    const { code, stdout, stderr } = await run(court, ['run', 'moderation', '--file', '-', '--json'], {
      stdin: items(3),
    });
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as ExportedRecord).key),
    ).toEqual(['p1', 'p2', 'p3']);
    const events = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      state: 'finished',
      done: 3,
      byLabel: { safe: 3 },
      usage: { calls: 3 * callsPerItem },
    });
  });

  test('reads CSV from standard input when it is told to', async () => {
    const court = await openCourt();
    const { code, stdout } = await run(court, ['run', 'moderation', '--file', '-', '--format', 'csv', '--json'], {
      stdin: 'id,text\na,One\n',
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ line: 2, key: 'a' });
  });

  test('as done, every item is in the output once', async () => {
    const court = await openCourt((request) =>
      panelReply({ latencyMs: request.prompt.includes('Post number 1\n') ? 150 : 5 }, request),
    );
    await court.file('items.jsonl', `${items(6)}${JSON.stringify({ id: 'again', text: 'Post number 1' })}\n`);
    expect(
      (await run(court, [...judging, '--out', 'out.jsonl', '--order', 'as-done', '--concurrency', '3', '-q'])).code,
    ).toBe(0);
    const keys = (await recordsIn(court)).map(({ key }) => key);
    expect(keys.toSorted()).toEqual(['again', ...keysOf(6)]);
    expect(keys.indexOf('p1')).toBeGreaterThan(0);
  });

  test('exits with 3 when --fail-on names a verdict that came up', async () => {
    const court = await openCourt({
      arbiter: { risk: { why: 'Risk.', evidence: ['number 1'], holds: true, clauses: ['fraud'] }, score: 0.9 },
    });
    await court.file('items.jsonl', items(1));
    expect((await run(court, [...judging, '-q', '--fail-on', 'unsafe'])).code).toBe(3);
  });

  test('judges exchanges, and names the model that the items leave out', async () => {
    const court = await openTribunal();
    await court.file('items.csv', 'id,prompt,response\nx,Question?,Answer.\n');
    const { code } = await run(court, [
      'run',
      'evaluation',
      '--file',
      'items.csv',
      '--out',
      'out.jsonl',
      '--evaluated-model',
      'other:model',
      '-q',
    ]);
    expect(code).toBe(0);
    expect(await recordsIn(court)).toMatchObject([
      { line: 2, key: 'x', result: { job: 'evaluation', subject: { model: 'other:model' } } },
    ]);
  });

  test('judges dossiers from a plain list of paths', async () => {
    const court = await openBoardroom();
    await court.file('report.md', '# Report\n\nSales rose by 10 % to 110 in 2024, from 100 in 2023.\n');
    const { code, stderr } = await run(court, ['run', 'documents', '--file', '-', '--out', 'out.jsonl'], {
      stdin: 'report.md\nnowhere.md\n',
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/1 item failed: 1 document-not-found/);
    expect(await recordsIn(court)).toMatchObject([
      { line: 1, result: { job: 'documents' } },
      { line: 2, error: { code: 'document-not-found' } },
    ]);
  });

  test('a run needs a ledger, an input that can be read, and a name that is not in use', async () => {
    const court = await openCourt({ latencyMs: 2_000 });
    expect(await court.agon(judging)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(unreadable-file\)\n$/),
    });
    await court.file('items.jsonl', items(2));
    expect(await run(court, [...judging, '--no-ledger'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(no-ledger\)\n$/),
    });
    const { child, ended } = start(court, judging);
    await until(() => court.panel.requests.length > 0, 45);
    expect(await run(court, judging)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/agon runs resume night.*\(run-exists\)\n$/),
    });
    child.kill('SIGINT');
    await ended;
  });

  test('refuses an output that holds something else, or results of another run', async () => {
    const court = await openCourt();
    await court.file('items.jsonl', items(1));
    expect(await run(court, [...judging, '--out', 'items.jsonl'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(not-results\)\n$/),
    });
    expect(await readFile(await court.file('items.jsonl'), 'utf8')).toBe(items(1));
    const results = '{"line":1,"key":"x","result":{}}\n';
    await court.file('old.jsonl', results);
    expect(await run(court, [...judging, '--out', 'old.jsonl'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(output-exists\)\n$/),
    });
    expect(await readFile(await court.file('old.jsonl'), 'utf8')).toBe(results);
    expect(await run(court, [...judging, '--out', '-'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--json.*\(bad-flag\)\n$/),
    });
    expect(court.panel.requests).toEqual([]);
  });

  test('says that --map names no column before there is a run', async () => {
    const court = await openCourt();
    await court.file('items.csv', 'id,comment\na,One\n');
    const of = (map: string) =>
      run(court, ['run', 'moderation', '--file', 'items.csv', '--map', map, '--name', 'night', '-q']);
    expect(await of('text=koment')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/its columns are id, comment\. Correct --map\. \(unknown-column\)\n$/),
    });
    expect((await of('text=comment')).code).toBe(0);
  });

  test('ends with one line when the key is wrong, and goes on when it is right', async () => {
    let right = false;
    const court = await openCourt((request) => (right ? panelReply({}, request) : status(401)));
    await court.file('items.jsonl', items(20));
    const wrong = await run(court, [...judging, '--concurrency', '2', '-q']);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(oneLine);
    expect(wrong.stderr).toContain('agon runs resume night');
    expect((await onRecord(court)).row).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('(wrong-key)'),
    });
    right = true;
    expect((await run(court, ['runs', 'resume', 'night', '-q'])).code).toBe(0);
    expect((await onRecord(court)).counts).toMatchObject({ done: 20, failed: 0 });
  });
});

describe.concurrent('a run that was stopped', patience, () => {
  test('by kill -9 is resumed: nothing is lost, nothing is judged twice, the output is whole', async () => {
    const court = await openCourt({ latencyMs: 20 });
    await court.file('items.jsonl', items(12));
    const { child, ended } = start(court, [...judging, '--out', 'out.jsonl', '--concurrency', '2']);
    await until(async () => (await recordsIn(court)).length >= 4, 45);
    const inFlight = court.panel.inFlight;
    child.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    await until(() => court.panel.inFlight === 0);

    const resumed = await run(court, ['runs', 'resume', 'night']);
    expect(resumed.code).toBe(0);
    expect((await recordsIn(court)).map(({ key }) => key)).toEqual(keysOf(12));
    // The calls in flight were asked for and heard by nobody.
    expect(court.panel.requests.length).toBeLessThanOrEqual(12 * callsPerItem + Math.max(inFlight, 4));
    expect((await onRecord(court)).row).toMatchObject({ state: 'finished', total: 12 });
    expect(await run(court, ['runs', 'resume', 'night'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(finished-run\)\n$/),
    });
  });

  slowTest('by kill -9 more often than an item is tried comes to its end, and blames no item', restarts, async () => {
    const court = await openCourt({ latencyMs: 20 });
    await court.file('items.jsonl', items(12));
    let asked = 0;
    for (let kill = 0; kill < 5; kill += 1) {
      const going = kill === 0 ? [...judging, '--concurrency', '4'] : ['runs', 'resume', 'night', '-q'];
      const { child, ended } = start(court, going);
      await until(() => court.panel.requests.length > asked && court.panel.inFlight > 0, 45);
      child.kill('SIGKILL');
      expect((await ended).signal).toBe('SIGKILL');
      asked = court.panel.requests.length;
    }
    expect((await run(court, ['runs', 'resume', 'night', '-q'])).code).toBe(0);
    expect((await onRecord(court)).counts).toMatchObject({ done: 12, failed: 0 });
  });

  slowTest(
    'by one item that kills its process each time ends with that one set aside, and all others judged',
    restarts,
    async () => {
      let judge: { kill(signal: 'SIGKILL'): unknown } | undefined;
      const court = await openCourt((request) => {
        if (!/Post number 6\n/.test(request.prompt)) return panelReply({}, request);
        judge?.kill('SIGKILL');
        return hang();
      });
      await court.file('items.jsonl', items(12));
      const signals: (string | null)[] = [];
      for (let going = [...judging, '--concurrency', '4']; signals.at(-1) !== null;) {
        const { child, ended } = start(court, going);
        judge = child;
        signals.push((await ended).signal);
        going = ['runs', 'resume', 'night', '-q'];
      }
      expect(signals).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGKILL', null]);
      const { row, counts } = await onRecord(court);
      expect(row).toMatchObject({ state: 'finished' });
      expect(counts).toMatchObject({ done: 11, failed: 1, failuresByCode: { 'worker-died': 1 } });
    },
  );

  test('by Ctrl-C does not wait for models that do not answer, says how to go on, and leaves no call and no lock', async () => {
    let stuck = true;
    const court = await openCourt((request) =>
      stuck && /Post number [34]\n/.test(request.prompt) ? hang() : panelReply({}, request),
    );
    await court.file('items.jsonl', items(4));
    const { child, ended } = start(court, [...judging, '--out', 'out.jsonl', '--concurrency', '4']);
    await until(async () => (await recordsIn(court)).length === 2 && court.panel.inFlight === 2, 45);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toMatch(
      /^agon: The run was stopped: 2 of 4 items are done\. To continue: agon runs resume night --out out\.jsonl \(cancelled\)\n$/m,
    );
    expect(existsSync(await court.file('out.jsonl.lock'))).toBe(false);
    await until(() => court.panel.inFlight === 0);
    expect((await onRecord(court)).counts).toMatchObject({ done: 2, waiting: 2, running: 0 });

    stuck = false;
    expect((await run(court, ['runs', 'resume', 'night', '--out', 'out.jsonl', '-q'])).code).toBe(0);
    expect((await recordsIn(court)).map(({ key }) => key)).toEqual(keysOf(4));
  });

  test('while its input was still coming needs all of the input again', async () => {
    const court = await openCourt();
    const child = spawn(process.execPath, [launcher, 'run', 'moderation', '--file', '-', '--name', 'night', '--json'], {
      cwd: court.folder,
      env: { ...leastEnvironment(), AGON_LEDGER: 'ledger.sqlite' },
    });
    const ended = outcomeOf(child);
    child.stdin.write(items(3));
    await until(() => court.panel.requests.length >= callsPerItem, 45);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(await run(court, ['runs', 'resume', 'night'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/--file -.*\(missing-input\)\n$/),
    });
    const changed = await run(court, ['runs', 'resume', 'night', '--file', '-', '-q'], {
      stdin: items(5).replace('Post number 2"', 'Post number 2000"'),
    });
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringMatching(/line 2 .*\(changed-input\)\n$/) });
    expect((await run(court, ['runs', 'resume', 'night', '--file', '-', '-q'], { stdin: items(5) })).code).toBe(0);
    expect((await onRecord(court)).counts).toMatchObject({ done: 5, failed: 0 });
  });

  test('by a spent budget goes on with more', async () => {
    const court = await openCourt();
    await court.file('items.jsonl', items(20));
    const spent = await run(court, [...judging, '--concurrency', '1', '--run-budget-usd', '0.03']);
    expect(spent.code).toBe(1);
    expect(spent.stderr).toMatch(/agon runs resume night --run-budget-usd AMOUNT.*\(budget-spent\)\n$/);
    const { row, counts } = await onRecord(court);
    expect(row.state).toBe('stopped');
    expect(counts.done).toBeGreaterThan(0);
    expect(counts.done).toBeLessThan(20);
    expect(counts.usage.costUsd!).toBeLessThanOrEqual(0.03);
    // What the budget does not cover to the end is left for later, not judged with fewer voices.
    expect(counts.usage.calls).toBe(counts.done * callsPerItem);
    expect(await run(court, ['runs', 'resume', 'night', '-q'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(budget-spent\)\n$/),
    });
    expect((await run(court, ['runs', 'resume', 'night', '--run-budget-usd', '5', '-q'])).code).toBe(0);
    expect((await onRecord(court)).counts).toMatchObject({ done: 20, failed: 0 });
    expect(court.panel.requests).toHaveLength(20 * callsPerItem);
  });
});
