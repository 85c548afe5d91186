import { appendFile, readFile } from 'node:fs/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startKafkaBroker } from '../support/kafka-broker.ts';
import { testWithPrograms } from '../support/programs.ts';
import { openCourt, type Court } from '../support/run-agon.ts';

interface Result {
  offset: number;
  key: string;
  label?: string;
  error?: { code: string };
}

const items = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) =>
    JSON.stringify({ id: `p${from + at}`, text: `Post number ${from + at}` }),
  );
const keysOf = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`);
const onLedger = { environment: { AGON_LEDGER: 'ledger.sqlite' } };
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 200 });

async function resultsIn(court: Court): Promise<Result[]> {
  const text = await readFile(await court.file('results.jsonl'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Result);
}

describe('agon run --follow', { timeout: 150_000 }, () => {
  test('judges a file as it grows; killed and started again, each line has one result, and Ctrl-C ends it', async () => {
    const court = await openCourt({ latencyMs: 20 });
    await court.file('items.jsonl', `${items(0, 60).join('\n')}\nnot an item\n`);
    const follow = ['run', 'moderation', '--follow', 'items.jsonl', '--out', 'results.jsonl'];
    const first = court.start(follow, onLedger);
    await until(async () => expect((await resultsIn(court)).length).toBeGreaterThan(10));
    first.child.kill('SIGKILL');
    await first.ended;
    expect((await resultsIn(court)).length).toBeLessThan(61);
    const second = court.start(follow, onLedger);
    await until(async () => expect(await resultsIn(court)).toHaveLength(61));
    await appendFile(await court.file('items.jsonl'), `${items(60, 65).join('\n')}\n`);
    await until(async () => expect(await resultsIn(court)).toHaveLength(66));
    second.child.kill('SIGINT');
    const { code, stderr } = await second.ended;
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('1 failed') });
    const results = await resultsIn(court);
    expect(results.filter(({ error }) => !error).map(({ key }) => key)).toEqual(keysOf(65));
    expect(results[60]).toMatchObject({ error: { code: 'broken-line' } });
  });

  testWithPrograms('judges a topic into another; killed and started again, nothing is lost', async () => {
    const broker = await startKafkaBroker();
    onTestFinished(() => broker.stop());
    const court = await openCourt({ latencyMs: 20 });
    await broker.produce(
      'posts',
      items(0, 120).map((item, at) => `p${at}\t${item}`),
    );
    const follow = [
      'run',
      'moderation',
      '--follow',
      `kafka://${broker.address}/posts?group=kill`,
      '--concurrency',
      '4',
      '--out',
      `kafka://${broker.address}/post-verdicts`,
      '--dead-letters',
      'dead.jsonl',
    ];
    const first = court.start(follow, onLedger);
    await until(async () => expect((await broker.consume('post-verdicts')).length).toBeGreaterThan(10));
    first.child.kill('SIGKILL');
    await first.ended;
    const before = (await broker.consume('post-verdicts')).length;
    expect(before).toBeLessThan(120);
    const second = court.start(follow, onLedger);
    await until(async () =>
      expect(new Set((await broker.consume('post-verdicts')).map(({ key }) => key))).toEqual(new Set(keysOf(120))),
    );
    second.child.kill('SIGTERM');
    expect((await second.ended).code).toBe(0);
    // At least once: what was in hand when it was killed may be there twice, and costs nothing the second time.
    expect((await broker.consume('post-verdicts')).length).toBeLessThanOrEqual(120 + 256);
  });

  test('refuses what makes no sense, in one line', async () => {
    const court = await openCourt();
    const say = async (...flags: string[]) => (await court.agon(['run', 'moderation', ...flags], onLedger)).stderr;
    expect(await say('--follow', 'nothing.jsonl')).toContain('there is no such file');
    expect(await say('--follow', 'x.jsonl', '--detach')).toContain('--detach cannot be combined with --follow');
    expect(await say('--follow', 'amqp://host/queue')).toContain('amqp:// is no kind of stream');
    expect(await say('--follow', 'kafka://127.0.0.1:9/t')).toContain('(broker-unreachable)');
    expect(await say()).toContain('There are no items.');
    expect(await say('--file', 'x', '--dead-letters', 'y')).toContain('--dead-letters needs --follow');
  });
});
