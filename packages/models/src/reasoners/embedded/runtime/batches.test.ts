import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBatches, takeBatch } from './batches.ts';
import type { Batch, Session } from './session.ts';

const heads = 6;
const of = (length: number) => ({ ids: Array.from({ length }, (_, index) => index + 1) });
const here = new AbortController().signal;

/** A model whose first logit is the sum of a row's ids. */
function addingSession(batches: Omit<Batch, 'id'>[]): Session {
  return {
    async run(batch) {
      batches.push(batch);
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
      const columns = batch.inputs.input_ids!.length / batch.rows;
      const sums = Array.from({ length: batch.rows }, (_, row) =>
        batch.inputs.input_ids!.slice(row * columns, (row + 1) * columns).reduce((sum, id) => sum + Number(id), 0),
      );
      return {
        logits: Float32Array.from({ length: batch.rows * heads }, (_, at) => sums[Math.floor(at / heads)]!),
        embedding: new Float32Array(batch.rows),
        shares: new Float32Array(batch.inputs.input_ids!.length * heads),
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
    const lengths = takeBatch([of(10), of(300), of(12), of(310), of(16), of(17), of(9), of(8)]).map(
      ({ ids }) => ids.length,
    );
    expect(lengths).toEqual([10, 12, 16, 9]);
  });
});

describe('batches', () => {
  it('give everybody their own answer', async () => {
    const batches: Omit<Batch, 'id'>[] = [];
    const read = createBatches(addingSession(batches), heads);
    const lengths = Array.from({ length: 50 }, (_, index) => 2 + ((index * 37) % 200));
    const readings = await Promise.all(lengths.map((length) => read(of(length), here)));
    expect(readings.map(({ logits }) => logits[0])).toEqual(lengths.map((length) => (length * (length + 1)) / 2));
    expect(readings.map(({ shares }) => shares.length)).toEqual(lengths.map((length) => length * heads));
    expect(batches.length).toBeLessThan(30);
  });

  it('leave out whom nobody waits for any more', async () => {
    const batches: Omit<Batch, 'id'>[] = [];
    const read = createBatches(addingSession(batches), heads);
    const stop = new AbortController();
    const left = read(of(5), stop.signal);
    stop.abort(new Error('enough'));
    await expect(left).rejects.toThrow('enough');
    expect(batches).toEqual([]);
    expect((await read(of(3), here)).logits[0]).toBe(6);
  });
});
