import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import { runStream, type JudgedRecord, type TextRecord } from './run-stream.ts';
import type { Sink, StreamSource, StreamRecord, StreamResult } from './stream.ts';

const never = new AbortController().signal;

function recordAt(partition: string, offset: number, text = `item ${offset}`): StreamRecord {
  return { partition, offset, next: offset + 1, key: null, content: { text }, bytes: text.length };
}

/** Records from memory, and what was said of them. */
function stage(records: Iterable<StreamRecord>) {
  const seen = { taken: 0, written: [] as StreamResult[], committed: new Map<string, number>(), writtenAtCommit: true };
  const source: StreamSource = {
    name: 'memory',
    async *records() {
      for (const record of records) {
        seen.taken += 1;
        yield record;
      }
    },
    async commit(last) {
      for (const { partition, offset } of last) {
        seen.writtenAtCommit &&= seen.written.some((each) => each.partition === partition && each.offset === offset);
        seen.committed.set(partition, offset);
      }
    },
    close: async () => undefined,
  };
  const sink: Sink = {
    name: 'memory',
    async write(results) {
      await pause(1);
      seen.written.push(...results);
    },
    flush: async () => undefined,
    close: async () => undefined,
  };
  return { seen, source, sink };
}

const say = async (record: TextRecord): Promise<JudgedRecord> => ({
  key: record.content.text,
  outcome: { label: 'safe' },
});

describe('a stream', () => {
  test('law: each record has one result, in the order of its partition, and is committed behind it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ partition: fc.constantFrom('a', 'b', 'c'), waits: fc.nat(4), fails: fc.boolean() }), {
          maxLength: 60,
        }),
        fc.integer({ min: 1, max: 9 }),
        async (asked, concurrency) => {
          const counts: Record<string, number> = {};
          const records = asked.map(({ partition }) =>
            recordAt(partition, (counts[partition] ??= 0), String(counts[partition]++)),
          );
          const { seen, source, sink } = stage(records);
          let at = 0;
          const ended = await runStream({
            stream: 'test',
            source,
            sink,
            concurrency,
            signal: never,
            async judge(record) {
              const { waits, fails } = asked[at++]!;
              await pause(waits);
              return fails ? { key: 'k', error: new AgonError('broken-line', 'No.', 'Mend it.') } : say(record);
            },
          });
          for (const [partition, count] of Object.entries(counts)) {
            expect(seen.written.filter((each) => each.partition === partition).map(({ offset }) => offset)).toEqual(
              Array.from({ length: count }, (_, offset) => offset),
            );
            expect(seen.committed.get(partition)).toBe(count - 1);
          }
          expect(seen.writtenAtCommit).toBe(true);
          expect(ended.judged + ended.failed).toBe(asked.length);
          expect(ended.failed).toBe(asked.filter(({ fails }) => fails).length);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('takes no more from its source than there is room for, while one takes long', async () => {
    const records = Array.from({ length: 5_000 }, (_, offset) => recordAt('a', offset));
    const { seen, source, sink } = stage(records);
    const slow = Promise.withResolvers<void>();
    const running = runStream({
      stream: 'test',
      source,
      sink,
      concurrency: 8,
      signal: never,
      async judge(record) {
        if (record.offset === 10) await slow.promise;
        return say(record);
      },
    });
    await pause(200);
    expect(seen.taken).toBeLessThanOrEqual(10 + 256 + 1);
    expect(seen.written).toHaveLength(10);
    slow.resolve();
    expect(await running).toEqual({ judged: 5_000, failed: 0, skipped: 0, inFlight: 0 });
  });

  test('takes fewer records the larger they are', async () => {
    const records = Array.from({ length: 200 }, (_, offset) => ({ ...recordAt('a', offset), bytes: 2 ** 20 }));
    const { seen, source, sink } = stage(records);
    const slow = Promise.withResolvers<void>();
    const running = runStream({
      stream: 'test',
      source,
      sink,
      concurrency: 100,
      signal: never,
      judge: async (record) => (await slow.promise, say(record)),
    });
    await pause(50);
    expect(seen.taken).toBeLessThanOrEqual(33);
    slow.resolve();
    expect((await running).judged).toBe(200);
  });

  test('that is stopped has written what stands, and commits nothing that was broken off', async () => {
    const { seen, source, sink } = stage(Array.from({ length: 100 }, (_, offset) => recordAt('a', offset)));
    const stop = new AbortController();
    await runStream({
      stream: 'test',
      source,
      sink,
      concurrency: 4,
      signal: stop.signal,
      async judge(record, signal) {
        if (record.offset === 20) {
          setTimeout(() => stop.abort(), 20);
          await pause(10_000, undefined, { signal });
        }
        return say(record);
      },
    });
    expect(seen.written.map(({ offset }) => offset)).toEqual(Array.from({ length: 20 }, (_, offset) => offset));
    expect(seen.committed.get('a')).toBe(19);
  });

  test('that is drained ends what it has begun', async () => {
    const { seen, source, sink } = stage(Array.from({ length: 100 }, (_, offset) => recordAt('a', offset)));
    const drain = new AbortController();
    await runStream({
      stream: 'test',
      source,
      sink,
      concurrency: 4,
      signal: never,
      drain: drain.signal,
      async judge(record) {
        if (record.offset === 20) drain.abort();
        await pause(5);
        return say(record);
      },
    });
    expect(seen.written).toHaveLength(seen.taken);
    expect(seen.taken).toBeLessThan(30);
  });

  test('ends with what would befall every record, and with a sink that fails; nothing behind it is committed', async () => {
    const wrongKey = new AgonError('wrong-key', 'The key is wrong.', 'Give another.');
    const first = stage(Array.from({ length: 100 }, (_, offset) => recordAt('a', offset)));
    await expect(
      runStream({
        stream: 'test',
        ...first,
        concurrency: 1,
        signal: never,
        judge: async (record) => {
          if (record.offset === 5) throw wrongKey;
          return say(record);
        },
      }),
    ).rejects.toBe(wrongKey);
    expect(first.seen.committed.get('a')).toBe(4);

    const full = new AgonError('cannot-write', 'The disk is full.', 'Make room.');
    const second = stage(Array.from({ length: 100 }, (_, offset) => recordAt('a', offset)));
    const sink = { ...second.sink, flush: () => Promise.reject(full) };
    await expect(
      runStream({ stream: 'test', source: second.source, sink, concurrency: 4, signal: never, judge: say }),
    ).rejects.toBe(full);
    expect(second.seen.committed.size).toBe(0);
  });

  test('sends what cannot be judged to the dead letters as it came, beside its result', async () => {
    const tooLong = new AgonError('record-too-long', 'The record is too long.', 'Make it shorter.');
    const { seen, source, sink } = stage([
      recordAt('a', 0, 'fine'),
      recordAt('a', 1, '{broken'),
      { ...recordAt('a', 2), content: { error: tooLong }, key: 'third' },
    ]);
    const dead = stage([]);
    await runStream({
      stream: 'test',
      source,
      sink,
      deadLetters: dead.sink,
      concurrency: 2,
      signal: never,
      judge: async (record) =>
        record.offset === 1
          ? { key: 'second', error: new AgonError('broken-line', 'Not JSON.', 'Mend it.') }
          : say(record),
    });
    const broken = { code: 'broken-line', message: 'Not JSON.', hint: 'Mend it.' };
    expect(seen.written).toEqual([
      { stream: 'test', partition: 'a', offset: 0, key: 'fine', label: 'safe' },
      { stream: 'test', partition: 'a', offset: 1, key: 'second', error: broken },
      {
        stream: 'test',
        partition: 'a',
        offset: 2,
        key: 'third',
        error: { code: 'record-too-long', message: 'The record is too long.', hint: 'Make it shorter.' },
      },
    ]);
    expect(dead.seen.written).toEqual([
      { stream: 'test', partition: 'a', offset: 1, key: 'second', error: broken, record: '{broken' },
      expect.objectContaining({ offset: 2, key: 'third' }),
    ]);
  });

  test('does not judge again what its sink has, and commits it', async () => {
    const { seen, source, sink } = stage([recordAt('a', 0), recordAt('a', 1), recordAt('a', 2)]);
    const had: Sink = { ...sink, has: (stream, { offset }) => stream === 'test' && offset < 2 };
    expect(await runStream({ stream: 'test', source, sink: had, concurrency: 2, signal: never, judge: say })).toEqual({
      judged: 1,
      failed: 0,
      skipped: 2,
      inFlight: 0,
    });
    expect(seen.written.map(({ offset }) => offset)).toEqual([2]);
  });
});
