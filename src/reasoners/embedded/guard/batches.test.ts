import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBatches, takeBatch } from './batches.ts';
import { guardHeads } from './reading.ts';
import type { Batch, Session } from './session.ts';

const of = (length: number) => ({ ids: Array.from({ length }, (_, index) => index + 1) });
const here = new AbortController().signal;

/** A model whose first logit is the sum of a row's ids. */
function addingSession(batches: Omit<Batch, 'id'>[]): Session {
  return {
    async run(batch) {
      batches.push(batch);
      await new Promise((resolve) => { setTimeout(resolve, 5); });
      const columns = batch.ids.length / batch.rows;
      const sums = Array.from({ length: batch.rows }, (_, row) => batch.ids.slice(row * columns, (row + 1) * columns).reduce((sum, id) => sum + Number(id), 0));
      return {
        logits: Float32Array.from({ length: batch.rows * guardHeads.length }, (_, at) => sums[Math.floor(at / guardHeads.length)]!),
        embedding: new Float32Array(batch.rows),
        shares: new Float32Array(batch.ids.length * guardHeads.length),
      };
    },
    close: async () => undefined,
  };
}

describe('a batch', () => {
  it('begins with who waits longest, and stays within sixteen texts and 1024 tokens', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 2, max: 320 }).map(of), { minLength: 1, maxLength: 40 }), (queue) => {
        const batch = takeBatch(queue);
        expect(batch).toContain(queue[0]);
        expect(batch.length).toBeLessThanOrEqual(16);
        expect(Math.max(...batch.map(({ ids }) => ids.length)) * batch.length).toBeLessThanOrEqual(1024);
      }),
    );
  });

  it('holds only texts of one padded length, so that none is padded for the sake of another', () => {
    const lengths = takeBatch([of(10), of(300), of(12), of(310), of(16), of(17), of(9), of(8)]).map(({ ids }) => ids.length);
    expect(lengths).toEqual([10, 12, 16, 9]);
  });
});

describe('batches', () => {
  it('give everybody their own answer', async () => {
    const batches: Omit<Batch, 'id'>[] = [];
    const read = createBatches(addingSession(batches));
    const lengths = Array.from({ length: 50 }, (_, index) => 2 + ((index * 37) % 200));
    const readings = await Promise.all(lengths.map((length) => read(of(length).ids, here)));
    expect(readings.map(({ logits }) => logits[0])).toEqual(lengths.map((length) => (length * (length + 1)) / 2));
    expect(readings.map(({ shares }) => shares.length)).toEqual(lengths.map((length) => length * guardHeads.length));
    expect(batches.length).toBeLessThan(30);
  });

  it('leave out whom nobody waits for any more', async () => {
    const batches: Omit<Batch, 'id'>[] = [];
    const read = createBatches(addingSession(batches));
    const stop = new AbortController();
    const left = read(of(5).ids, stop.signal);
    stop.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    expect(batches).toEqual([]);
    expect((await read(of(3).ids, here)).logits[0]).toBe(6);
  });
});
