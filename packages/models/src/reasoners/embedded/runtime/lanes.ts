import { availableParallelism } from 'node:os';
import { openSession, type Session, type SessionOptions } from './session.ts';

/** The model in several threads of its own: each batch goes to the one that has least to do. */
async function openLanes(options: SessionOptions, count: number): Promise<Session> {
  const opening = Array.from({ length: count }, () => openSession(options));
  const opened = await Promise.allSettled(opening);
  const lanes = opened.flatMap((one) => (one.status === 'fulfilled' ? [{ session: one.value, busy: 0 }] : []));
  const close = async () => void (await Promise.all(lanes.map(({ session }) => session.close())));
  const failure = opened.find((one) => one.status === 'rejected');
  if (failure) {
    await close();
    throw failure.reason;
  }
  return {
    async run(batch) {
      const lane = lanes.reduce((least, one) => (one.busy < least.busy ? one : least));
      lane.busy += 1;
      try {
        return await lane.session.run(batch);
      } finally {
        lane.busy -= 1;
      }
    },
    close,
  };
}

interface WideningOptions {
  modelFile: string;
  /** Whether many texts come from the start. */
  forMany: boolean;
}

/** A model that answers a single text soonest, until many come: then it may answer more of them. */
export interface WideningSession extends Session {
  /** How many batches are computed side by side. */
  lanes(): number;
  /** Allows for several lanes, which are opened as soon as batches wait for each other. */
  allowLanes(): void;
}

/** Batches that came while others were in hand, from which on it is a stream and no coincidence. */
const stream = 16;

/**
 * Two threads that share a batch end sooner than one and take a tenth to a third more of the cores, the more the longer
 * a text is; the numbers are the same. So there is one session of two threads, and later two of one each.
 */
export async function openWidening({ modelFile, forMany }: WideningOptions): Promise<WideningSession> {
  const threads = Math.min(2, availableParallelism());
  const openMany = () => openLanes({ modelFile, threads: 1 }, threads);
  let session = await (forMany ? openMany() : openSession({ modelFile, threads }));
  let lanes = forMany ? threads : 1;
  let isAllowed = false;
  let waited = 0;
  let widening: Promise<void> | undefined;
  const running = new Set<Promise<unknown>>();

  async function widen(): Promise<void> {
    const more = await openMany();
    const before = session;
    [session, lanes] = [more, threads];
    await Promise.allSettled(running);
    await before.close();
  }

  function considerLanes(): void {
    if (!isAllowed || widening || lanes === threads || running.size === 0) return;
    waited += 1;
    if (waited < stream) return;
    // With one lane everything is judged as well, and later.
    widening = widen().catch((error: unknown) => process.emitWarning(error as Error));
  }

  return {
    lanes: () => lanes,
    allowLanes: () => void (isAllowed = true),
    async run(batch) {
      considerLanes();
      const outputs = session.run(batch);
      running.add(outputs);
      try {
        return await outputs;
      } finally {
        running.delete(outputs);
      }
    },
    async close() {
      await widening;
      await session.close();
    },
  };
}
