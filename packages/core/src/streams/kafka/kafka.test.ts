import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startKafkaBroker, type KafkaBroker } from '@agonhq/test/support/kafka-broker.ts';
import { describeWithPrograms } from '@agonhq/test/support/programs.ts';
import { runStream } from '../run-stream.ts';
import { followTopic } from './follow-topic.ts';
import { parseKafkaAddress } from './kafka-address.ts';
import { openTopicSink } from './topic-sink.ts';

let broker: KafkaBroker;

const items = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `k${from + at}\t{"text":"item ${from + at}"}`);
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 90_000, interval: 100 });

/** Judges a topic into another, until it is stopped. */
async function judge(topic: string, into: string, { group = 'agon', judgeMs = 0 } = {}) {
  const notes: string[] = [];
  const seen: string[] = [];
  const stop = new AbortController();
  const address = parseKafkaAddress(`kafka://${broker.address}/${topic}?group=${group}`);
  const source = await followTopic(address, { onNote: (text) => void notes.push(text), sessionMs: 6_000 });
  const sink = await openTopicSink(parseKafkaAddress(`kafka://${broker.address}/${into}`), {
    onNote: (text) => void notes.push(text),
    signal: stop.signal,
  });
  const running = runStream({
    stream: topic,
    source,
    sink,
    concurrency: 8,
    signal: stop.signal,
    async judge({ key, partition, offset }, signal) {
      if (judgeMs > 0) await pause(judgeMs, undefined, { signal });
      seen.push(`${partition}/${offset}`);
      return { key: key!, outcome: { label: 'safe' } };
    },
  });
  return {
    notes,
    seen,
    async stop() {
      stop.abort();
      await running;
      await source.close();
      await sink.close();
    },
  };
}

const keysOf = (records: readonly { key: string }[]) => records.map(({ key }) => key);
const allKeys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`).toSorted();

describeWithPrograms('Kafka topics', { timeout: 90_000 }, () => {
  beforeAll(async () => {
    broker = await startKafkaBroker();
  });
  afterAll(() => broker.stop());

  test.each([
    [3, 'unknown-topic', 'There is no topic refused-3'],
    [29, 'no-stream-rights', 'TOPIC_AUTHORIZATION_FAILED'],
  ])('that brokers refuse (error %i) are named: %s', async (code, known, words) => {
    broker.refuse(`refused-${code}`, code);
    const address = parseKafkaAddress(`kafka://${broker.address}/refused-${code}`);
    const expected = { code: known, message: expect.stringContaining(words) };
    await expect(followTopic(address, { onNote: () => undefined })).rejects.toMatchObject(expected);
    await expect(
      openTopicSink(address, { onNote: () => undefined, signal: new AbortController().signal }),
    ).rejects.toMatchObject(expected);
  });

  test('are judged into another, in order within each partition, and not again by the same group', async () => {
    await broker.produce('first', items(0, 300));
    const judging = await judge('first', 'first-verdicts');
    await until(async () => expect(await broker.consume('first-verdicts')).toHaveLength(300));
    await judging.stop();
    const results = (await broker.consume('first-verdicts')).map(
      ({ value }) => JSON.parse(value) as { partition: string; offset: number; key: string; label: string },
    );
    expect(keysOf(results).toSorted()).toEqual(allKeys(300));
    expect(results[0]).toMatchObject({ stream: 'first', label: 'safe' });

    await broker.produce('first', items(300, 310));
    const again = await judge('first', 'first-verdicts');
    await until(() => expect(again.seen).toHaveLength(10));
    await pause(500);
    await again.stop();
    expect(again.seen).toHaveLength(10);
    expect(keysOf(await broker.consume('first-verdicts')).toSorted()).toEqual(allKeys(310));
  });

  test('go from one member of a group to another, and nothing is lost', async () => {
    await broker.produce('shared', items(0, 400));
    const first = await judge('shared', 'shared-verdicts', { group: 'two', judgeMs: 60 });
    await until(() => expect(first.seen.length).toBeGreaterThan(20));
    const second = await judge('shared', 'shared-verdicts', { group: 'two', judgeMs: 60 });
    await until(() => expect(second.seen.length).toBeGreaterThan(20));
    await until(async () =>
      expect(new Set(keysOf(await broker.consume('shared-verdicts')))).toEqual(new Set(allKeys(400))),
    );
    expect(first.seen.length + second.seen.length).toBeGreaterThanOrEqual(400);
    await Promise.all([first.stop(), second.stop()]);
  });

  test('of a member that leaves in the midst are taken over by the other, and nothing is lost', async () => {
    await broker.produce('left', items(0, 600));
    const first = await judge('left', 'left-verdicts', { group: 'left', judgeMs: 60 });
    await until(() => expect(first.seen.length).toBeGreaterThan(20));
    const second = await judge('left', 'left-verdicts', { group: 'left', judgeMs: 60 });
    await until(() => expect(second.seen.length).toBeGreaterThan(20));
    const partitionsOf = ({ seen }: { seen: readonly string[] }) =>
      new Set(seen.map((place) => place.split('/')[0])).size;
    const shared = partitionsOf(second);
    await first.stop();
    expect(first.seen.length + second.seen.length).toBeLessThan(600);
    await broker.produce('left', items(600, 700));
    await until(async () =>
      expect(new Set(keysOf(await broker.consume('left-verdicts')))).toEqual(new Set(allKeys(700))),
    );
    await second.stop();
    expect(partitionsOf(second)).toBeGreaterThan(shared);
    const offsets = (await broker.consume('left-verdicts')).map(({ value }) => {
      const { partition, offset } = JSON.parse(value) as { partition: string; offset: number };
      return `${partition}/${offset}`;
    });
    // Some may come twice; by partition and offset there is one for each.
    expect(new Set(offsets).size).toBe(700);
  });

  test('are waited for when their brokers are gone, and go on when they are back', async () => {
    await broker.produce('patient', items(0, 100));
    const judging = await judge('patient', 'patient-verdicts', { group: 'patient', judgeMs: 10 });
    await until(() => expect(judging.seen.length).toBeGreaterThan(30));
    broker.leaveOff();
    await until(() => expect(judging.notes.join(' ')).toContain('cannot be reached'));
    await pause(1_000);
    broker.comeBack();
    await broker.produce('patient', items(100, 150));
    await until(async () =>
      expect(new Set(keysOf(await broker.consume('patient-verdicts')))).toEqual(new Set(allKeys(150))),
    );
    await judging.stop();
  });
});

test('topics that nobody serves are refused at once', async () => {
  const address = parseKafkaAddress('kafka://127.0.0.1:9/nothing');
  await expect(followTopic(address, { onNote: () => undefined })).rejects.toMatchObject({
    code: 'broker-unreachable',
    message: expect.stringContaining('127.0.0.1:9'),
  });
});

describe('the address of a topic', () => {
  test('names brokers, topic, group and login, and keeps its secrets', () => {
    expect(parseKafkaAddress('kafkas://ann:s%40cret@a:1,b/posts?group=night&from=latest&sasl=scram-sha-256')).toEqual({
      brokers: ['a:1', 'b:9092'],
      topic: 'posts',
      group: 'night',
      from: 'latest',
      isSecure: true,
      login: { mechanism: 'SCRAM-SHA-256', username: 'ann', password: 's@cret' },
    });
    expect(parseKafkaAddress('kafka://a/posts', { AGON_KAFKA_USER: 'bob', AGON_KAFKA_PASSWORD: 'p' })).toMatchObject({
      group: 'agon',
      from: 'earliest',
      isSecure: false,
      login: { mechanism: 'PLAIN', username: 'bob', password: 'p' },
    });
    for (const wrong of ['kafka://a', 'kafka://u:secret@a/', 'kafka://a/t?from=now', 'kafka://a/t?grup=x'])
      expect(() => parseKafkaAddress(wrong, {})).toThrow(/^The address of the topic (?!.*secret)/);
  });
});
