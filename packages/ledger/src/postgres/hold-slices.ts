import type { PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import type { TakenItem } from '../runs/workers.ts';
import { nameQueue } from './queue-schema.ts';
import { leaveSlices, type SliceClaim, type Slice } from './slices.ts';
import { cutLongestSlice, fetchSlices, markItems } from './take-slices.ts';

/** The slices that one worker has reserved, and takes items out of. */
export interface HeldSlices {
  takeSeveral(run: string, count: number): Promise<readonly TakenItem[]>;
  takeOneAlone(run: string): Promise<readonly TakenItem[]>;
  /** Whether an item is tried by itself. */
  isAlone(item: TakenItem): boolean;
  /** Says that the worker is still at them. */
  renew(): Promise<void>;
  /** Items have left its hands. A slice that has nothing left goes with its last item. */
  leave(items: readonly TakenItem[]): Promise<void>;
  close(): Promise<void>;
}

interface Held extends SliceClaim {
  run: string;
  alone: boolean;
  inHand: Set<number>;
  /** There may be more to take in it. */
  open: boolean;
  /** The answer to a mark was lost: what it marked is not known here. */
  unsure: boolean;
}

/** Slices fetched at once, where they are small. */
const fetchedAtMost = 64;

export function holdSlices({ db, write }: Database, boss: PgBoss, schema: string, worker: string): HeldSlices {
  const held = new Map<string, Held>();
  const lastSizes = new Map<string, number>();
  const turns = new Map<string, Promise<unknown>>();

  /** One after the other in a run: what one has marked the next one knows. */
  function inTurn<Result>(run: string, work: () => Promise<Result>): Promise<Result> {
    const done = (turns.get(run) ?? Promise.resolve()).then(work, work);
    turns.set(run, done);
    return done;
  }

  function hold(run: string, found: readonly (SliceClaim & Slice)[], alone: boolean): Held[] {
    return found.map(({ id, retryCount, from, to }) => {
      const slice = { id, retryCount, run, alone, inHand: new Set<number>(), open: from < to, unsure: false };
      held.set(`${id}:${retryCount}`, slice);
      return slice;
    });
  }

  /** What was taken of slices is in hand; when it was fewer than there was room for, nothing is left in them. */
  function noteTaken(slices: readonly Held[], taken: readonly TakenItem[], count: number): void {
    for (const { claim, position } of taken) held.get(claim)?.inHand.add(position);
    for (const slice of slices) if (taken.length < count) slice.open = false;
  }

  async function markHeld(run: string, count: number): Promise<readonly TakenItem[]> {
    const ofRun = [...held.values()].filter((slice) => slice.run === run);
    const slices = ofRun.filter(({ open }) => open);
    if (slices.length === 0) return [];
    const unsure = slices.some((slice) => slice.unsure);
    const unlike = unsure ? { unlike: ofRun.flatMap(({ inHand }) => [...inHand]) } : {};
    for (const slice of slices) slice.unsure = true;
    const taken = await markItems(db, { schema, run, worker, claims: slices, count, ...unlike });
    for (const slice of slices) slice.unsure = false;
    noteTaken(slices, taken, count);
    await leaveEmpty(slices);
    return taken;
  }

  /** Null when no slice waits. */
  async function takeNext(run: string, count: number, alone: boolean): Promise<readonly TakenItem[] | null> {
    const atMost = alone ? 1 : Math.min(fetchedAtMost, Math.ceil(count / (lastSizes.get(run) ?? count)));
    const next = await write(async (trx) => {
      const found = await fetchSlices(trx, boss, run, { atMost, alone });
      if (found.length === 0) return null;
      const fetched = alone ? 'alone' : 'together';
      return { found, taken: await markItems(trx, { schema, run, worker, claims: found, count, fetched }) };
    });
    if (next === null) return null;
    const { found, taken } = next;
    lastSizes.set(run, Math.max(...found.map(({ from, to }) => to - from + 1)));
    const slices = hold(run, found, alone);
    noteTaken(slices, taken, count);
    await leaveEmpty(slices);
    return taken;
  }

  async function takeSeveral(run: string, count: number): Promise<readonly TakenItem[]> {
    const taken: TakenItem[] = [];
    try {
      taken.push(...(await markHeld(run, count)));
      while (taken.length < count) {
        const next = await takeNext(run, count - taken.length, false);
        if (next === null) break;
        taken.push(...next);
      }
      if (taken.length === 0 && (await findMore(run))) taken.push(...((await takeNext(run, count, false)) ?? []));
    } catch (error) {
      // What was taken is in hand; whoever asks again hears of it.
      if (taken.length === 0) throw error;
    }
    return taken;
  }

  /** Where no slice waits: half of what somebody else has. */
  const findMore = (run: string): Promise<boolean> => write((trx) => cutLongestSlice(trx, boss, schema, run));

  async function leaveEmpty(slices: readonly Held[]): Promise<void> {
    const empty = slices.filter(({ open, inHand }) => !open && inHand.size === 0);
    for (const { id, retryCount } of empty) held.delete(`${id}:${retryCount}`);
    for (const [run, claims] of Map.groupBy(empty, (slice) => slice.run))
      // What has its outcome has it: a slice that could not be left lapses, and is taken apart then.
      await write((trx) => leaveSlices(trx, boss, { schema, run, claims })).catch(() => undefined);
  }

  return {
    takeSeveral: (run, count) => inTurn(run, () => takeSeveral(run, count)),
    takeOneAlone: (run) => inTurn(run, async () => (await takeNext(run, 1, true)) ?? []),
    isAlone: ({ claim }) => held.get(claim)?.alone === true,

    async renew() {
      for (const [run, slices] of Map.groupBy(held.values(), (slice) => slice.run)) {
        // The ids are not in the type that pg-boss declares.
        const { settled } = (await boss.touch(nameQueue(run), slices)) as unknown as { settled: string[] };
        const kept = new Set(settled);
        for (const { id, retryCount } of slices) if (!kept.has(id)) held.delete(`${id}:${retryCount}`);
      }
    },

    async leave(items) {
      const left = new Set<Held>();
      for (const { claim, position } of items) {
        const slice = held.get(claim);
        if (slice?.inHand.delete(position)) left.add(slice);
      }
      await leaveEmpty([...left]);
    },

    async close() {
      const idle = [...held.values()].filter(({ inHand }) => inHand.size === 0);
      for (const slice of idle) slice.open = false;
      await leaveEmpty(idle);
    },
  };
}
