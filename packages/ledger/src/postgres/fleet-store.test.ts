import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { openLedger, type Ledger } from '../index.ts';
import type { Fleet, ShareClaim, WorkerBeat } from '../runs/workers.ts';

let server: PostgresServer;

beforeAll(async () => void (server = await startPostgres()), 60_000);
afterAll(() => server.stop(), 60_000);

async function fleetsOf(count: number): Promise<{ fleets: Fleet[]; ledgers: Ledger[] }> {
  const url = await server.newLedger();
  const ledgers = await Promise.all(Array.from({ length: count }, () => openLedger({ url })));
  return { ledgers, fleets: ledgers.map(({ fleet }) => fleet!) };
}

const beat = (id: string, more: Partial<WorkerBeat> = {}): WorkerBeat => ({
  id,
  host: 'here',
  pid: 7,
  version: '1.0.0',
  concurrency: 8,
  running: 0,
  judged: 0,
  failed: 0,
  state: 'working',
  ...more,
});
const claim = (worker: string, more: Partial<ShareClaim> = {}): ShareClaim => ({
  worker,
  model: 'openai:small',
  limits: { concurrency: 4 },
  wanted: 9,
  inUse: 0,
  leaseMs: 60_000,
  ...more,
});

describe('the workers of a fleet', () => {
  test('are listed with what they do until they leave', async () => {
    const {
      ledgers,
      fleets: [fleet],
    } = await fleetsOf(1);
    await fleet!.recordBeat(beat('one'));
    await fleet!.recordBeat(beat('two', { state: 'draining' }));
    await fleet!.recordBeat(beat('one', { running: 3, judged: 5_000_000_000, failed: 1 }));
    expect(await fleet!.listWorkers()).toEqual([
      {
        ...beat('one', { running: 3, judged: 5_000_000_000, failed: 1 }),
        startedAt: expect.any(Date) as Date,
        seenAt: expect.any(Date) as Date,
        alive: true,
      },
      expect.objectContaining({ id: 'two', state: 'draining', alive: true }),
    ]);
    const [one] = await fleet!.listWorkers();
    expect(one!.seenAt.getTime()).toBeGreaterThan(one!.startedAt.getTime());
    await fleet!.removeWorker('one');
    expect((await fleet!.listWorkers()).map(({ id }) => id)).toEqual(['two']);
    await ledgers[0]!.close();
  });

  test('hold shares that lapse with their lease, and end when they leave', async () => {
    const {
      ledgers,
      fleets: [fleet],
    } = await fleetsOf(1);
    expect(await fleet!.claimShare(claim('one', { leaseMs: 300 }))).toEqual({ concurrency: 4 });
    expect(await fleet!.claimShare(claim('two'))).toEqual({ concurrency: 0 });
    expect(
      await fleet!.claimShare(claim('two', { model: 'openai:large' })),
      'another model has limits of its own',
    ).toEqual({
      concurrency: 4,
    });
    await pause(350);
    expect(await fleet!.claimShare(claim('two'))).toEqual({ concurrency: 4 });
    expect(await fleet!.claimShare(claim('one'))).toEqual({ concurrency: 0 });
    await fleet!.removeWorker('two');
    await fleet!.removeWorker('one');
    expect(await fleet!.claimShare(claim('one/run-1'))).toEqual({ concurrency: 4 });
    await fleet!.removeWorker('one');
    expect(await fleet!.claimShare(claim('three')), 'what it claimed for its runs is free, too').toEqual({
      concurrency: 4,
    });
    await ledgers[0]!.close();
  });

  test('that stop in the midst of a claim are cut off, so that nobody waits for them', async () => {
    const {
      ledgers,
      fleets: [fleet],
    } = await fleetsOf(1);
    let stops = true;
    const limits = {
      get concurrency() {
        // Nothing of this process moves, as if it had been stopped.
        if (stops) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
        stops = false;
        return 4;
      },
    };
    await expect(fleet!.claimShare(claim('one', { limits }))).rejects.toMatchObject({ code: 'ledger-unreachable' });
    expect(await fleet!.claimShare(claim('two'))).toEqual({ concurrency: 4 });
    await ledgers[0]!.close();
  });

  test('never hold more than the limits together, however many claim at once, and all come to a fair share', async () => {
    const { ledgers, fleets } = await fleetsOf(3);
    const limits = { concurrency: 10, requestsPerMinute: 600, tokensPerMinute: 90_000 };
    const workers = Array.from({ length: 6 }, (_, index) => `worker-${index}`);
    const shares = new Map<string, Awaited<ReturnType<Fleet['claimShare']>>>();
    const running = new Map(workers.map((worker) => [worker, 0]));
    let most = 0;
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(
        workers.map(async (worker, index) => {
          const wanted = round < 6 && index < 2 ? 30 : 5;
          // Until the claim is answered no more may run than it says.
          const inUse = Math.min(wanted, shares.get(worker)?.concurrency ?? 0);
          running.set(worker, inUse);
          const share = await fleets[index % 3]!.claimShare(claim(worker, { limits, wanted, inUse }));
          shares.set(worker, share);
          running.set(worker, Math.max(inUse, share.concurrency));
          most = Math.max(
            most,
            [...running.values()].reduce((sum, calls) => sum + calls, 0),
          );
        }),
      );
    }
    expect(most).toBe(10);
    const total = (of: 'concurrency' | 'requestsPerMinute' | 'tokensPerMinute') =>
      [...shares.values()].reduce((sum, share) => sum + share[of]!, 0);
    expect([...shares.values()].map(({ concurrency }) => concurrency).toSorted((a, b) => a - b)).toEqual([
      1, 1, 2, 2, 2, 2,
    ]);
    expect(total('requestsPerMinute')).toBeCloseTo(600, 1);
    expect(total('tokensPerMinute')).toBeCloseTo(90_000, 1);
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  }, 60_000);
});
