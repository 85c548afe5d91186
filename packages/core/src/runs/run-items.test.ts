import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemLine } from '@agonhq/engine/items';
import type { ResultRecord } from './results/result-file.ts';
import { runItems, type RunItemsOptions } from './run-items.ts';

async function* numbered(count: number): AsyncGenerator<ItemLine<number>, void, void> {
  for (let line = 1; line <= count; line++) yield { line, key: `item-${line}`, item: line };
}

const after = (milliseconds: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason as Error)));
  });

/** A run over numbers that keeps what it writes. */
function run(options: Partial<RunItemsOptions<number, string>> = {}) {
  const records: ResultRecord[] = [];
  const finished = runItems<number, string>({
    items: numbered(10),
    judge: async (item) => `judged ${item}`,
    write: async (record) => void records.push(record),
    concurrency: 3,
    ...options,
  });
  return { records, finished, lines: () => records.map(({ line }) => line) };
}

const fastIsLast = async (item: number) => {
  await after(20 - item * 2);
  return String(item);
};

describe('the order of results', () => {
  test('is the order of the input, whatever is done first', async () => {
    const { finished, lines } = run({ judge: fastIsLast, concurrency: 10 });
    await finished;
    expect(lines()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('is the order in which they are done, when asked for', async () => {
    const { finished, lines } = run({ judge: fastIsLast, concurrency: 10, order: 'as-done' });
    await finished;
    expect(lines()[0]).not.toBe(1);
    expect(lines().toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('records are written one at a time in either order', async () => {
    for (const order of ['input', 'as-done'] as const) {
      let writing = 0;
      const { finished } = run({
        order,
        write: async () => {
          writing += 1;
          await after(1);
          expect(writing).toBe(1);
          writing -= 1;
        },
      });
      expect(await finished).toMatchObject({ judged: 10, failed: 0 });
    }
  });
});

describe('how much happens at once', () => {
  test('never more items are judged at once than asked for, and never fewer while there are some', async () => {
    let running = 0;
    const seen: number[] = [];
    await run({
      items: numbered(50),
      concurrency: 7,
      judge: async (item) => {
        seen.push((running += 1));
        await after(item % 5);
        running -= 1;
        return '';
      },
    }).finished;
    expect(Math.max(...seen)).toBe(7);
    expect(seen.slice(7).every((count) => count >= 4)).toBe(true);
  });

  test('a slow first item does not keep the others from being judged', async () => {
    let others = 0;
    const all = Promise.withResolvers<void>();
    await run({
      items: numbered(9),
      concurrency: 3,
      judge: async (item) => {
        if (item === 1) await all.promise;
        else if ((others += 1) === 8) all.resolve();
        return '';
      },
    }).finished;
    expect(others).toBe(8);
  });

  test('of 100,000 lines, only a few times the concurrency are ever in memory', async () => {
    let read = 0;
    let written = 0;
    let most = 0;
    async function* items() {
      for await (const entry of numbered(100_000)) {
        read += 1;
        most = Math.max(most, read - written);
        yield entry;
      }
    }
    const summary = await run({ items: items(), concurrency: 16, write: async () => void (written += 1) }).finished;
    expect(summary).toMatchObject({ judged: 100_000, total: 100_000 });
    expect(most).toBeLessThanOrEqual(16 * 4 + 1);
  });
});

describe('what goes wrong with one item', () => {
  test('is recorded with its line, and the rest goes on', async () => {
    const heard: number[] = [];
    const { finished, records } = run({
      judge: async (item) => {
        if (item === 4) throw new AgonError('empty-subject', 'There is nothing to judge.', 'Pass a text.');
        if (item === 6) throw new TypeError('undefined is not a function');
        return '';
      },
      onError: (_error, line) => heard.push(line),
    });
    expect(await finished).toMatchObject({ judged: 8, failed: 2, skipped: 0 });
    expect(records[3]).toEqual({
      line: 4,
      key: 'item-4',
      error: { code: 'empty-subject', message: 'There is nothing to judge.', hint: 'Pass a text.' },
    });
    expect(records[5]).toMatchObject({ error: { code: 'internal' } });
    expect(heard).toEqual([4, 6]);
  });

  test('a bad line costs nothing and keeps its place', async () => {
    async function* items(): AsyncGenerator<ItemLine<number>, void, void> {
      yield { line: 1, key: 'a', item: 1 };
      yield { line: 2, key: 'b', error: new AgonError('broken-line', 'The line is not JSON.', 'Mend it.') };
      yield { line: 3, key: 'c', item: 3 };
    }
    const { finished, records } = run({ items: items() });
    expect(await finished).toMatchObject({ judged: 2, failed: 1 });
    expect(records.map(({ error }) => error?.code)).toEqual([undefined, 'broken-line', undefined]);
  });
});

describe('what ends a run', () => {
  test('an error that would befall every item: calls in flight are stopped, what was judged before is kept', async () => {
    let stopped = 0;
    const { finished, lines } = run({
      items: numbered(1000),
      judge: async (item, signal) => {
        if (item <= 3) return '';
        if (item === 5) throw new AgonError('wrong-key', 'The key is wrong.', 'Check it.');
        await after(5_000, signal).catch((error: unknown) => {
          stopped += 1;
          throw error;
        });
        return '';
      },
      isFatal: (error) => error.code === 'wrong-key',
    });
    await expect(finished).rejects.toMatchObject({ code: 'wrong-key' });
    expect(lines()).toEqual([1, 2, 3]);
    expect(stopped).toBeGreaterThan(0);
  });

  test('a write that fails, after which nothing more is written', async () => {
    let writes = 0;
    const { finished } = run({
      items: numbered(1000),
      write: async () => {
        writes += 1;
        if (writes === 3) throw new AgonError('cannot-write', 'The disk is full.', 'Make room.');
      },
    });
    await expect(finished).rejects.toMatchObject({ code: 'cannot-write' });
    expect(writes).toBe(3);
  });

  test('an input that breaks off: what was read of it is judged', async () => {
    async function* items() {
      yield* numbered(4);
      throw new Error('EIO');
    }
    const { finished, lines } = run({ items: items() });
    await expect(finished).rejects.toThrow('EIO');
    expect(lines()).toEqual([1, 2, 3, 4]);
  });

  test('an abort: items in flight are stopped and leave no record, what was judged is written', async () => {
    const controller = new AbortController();
    const { finished, lines } = run({
      items: numbered(1000),
      concurrency: 4,
      judge: async (item, signal) => {
        if (item > 6) await after(5_000, signal);
        if (item === 6) setTimeout(() => controller.abort(), 5);
        return '';
      },
      signal: controller.signal,
    });
    await expect(finished).rejects.toMatchObject({ code: 'cancelled' });
    expect(lines()).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('an abort does not wait for the next line of an input that stays open', async () => {
    async function* items() {
      yield* numbered(2);
      await new Promise(() => {});
    }
    const { finished, lines } = run({ items: items(), signal: AbortSignal.timeout(20) });
    await expect(finished).rejects.toMatchObject({ code: 'cancelled' });
    expect(lines()).toEqual([1, 2]);
  });
});

test('items that have a result are skipped and counted', async () => {
  const { finished, lines } = run({ done: new Set(['item-2', 'item-9']) });
  expect(await finished).toMatchObject({ judged: 8, skipped: 2, total: 10 });
  expect(lines()).toEqual([1, 3, 4, 5, 6, 7, 8, 10]);
});

test('a run that was cut anywhere and resumed has the results of one that never was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 12 }),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('input' as const, 'as-done' as const),
      async (cutAfter, concurrency, order) => {
        const kept: ResultRecord[] = [];
        const cut = run({
          order,
          concurrency,
          write: async (record) => {
            if (kept.length >= cutAfter) throw new Error('killed');
            kept.push(record);
          },
        });
        await cut.finished.catch(() => {});
        const rest = run({ order, concurrency, done: new Set(kept.map(({ key }) => key)) });
        await rest.finished;
        const whole = run({ order, concurrency });
        await whole.finished;
        const byLine = (records: ResultRecord[]) => records.toSorted((a, b) => a.line - b.line);
        expect(byLine([...kept, ...rest.records])).toEqual(byLine(whole.records));
      },
    ),
    { numRuns: 60 },
  );
});
