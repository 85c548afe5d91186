import type { TakenItem } from './workers.ts';

/** How a queue takes items of one run. */
export interface Takes {
  /** What any number of workers may have beside other items. */
  takeSeveral(): Promise<readonly TakenItem[]>;
  /** Whether something waits that is to be tried by itself. */
  isOneToTryAlone(): Promise<boolean>;
  takeOneAlone(): Promise<readonly TakenItem[]>;
}

/**
 * What all workers of one process have in hand. It is the process that dies, so an item is tried by itself when the
 * process has nothing else: only then its death says something about the item.
 */
export interface ProcessItems {
  take(worker: string, run: string, takes: Takes): Promise<readonly TakenItem[]>;
  letGo(worker: string, items: readonly TakenItem[]): void;
  /** The positions of what a worker has of a run. */
  listHeld(worker: string, run: string): number[];
  /** The worker has ended. */
  leave(worker: string): void;
}

/** So long others make room for a run that was not heard of again. */
const roomMs = 5_000;

const byProcess = new Map<string, ProcessItems>();

/** The same for all workers (`host:pid:…`) of a process. */
export function findProcessItems(worker: string): ProcessItems {
  const name = worker.replace(/:[^:]*$/, '');
  const held = byProcess.get(name) ?? openProcessItems();
  byProcess.set(name, held);
  return held;
}

export function openProcessItems(): ProcessItems {
  const held = new Map<string, { worker: string; item: TakenItem; alone: boolean }>();
  let taking = 0;
  let takingAlone = false;
  /** What comes last in a run would come never while other runs keep the process busy: they wait a moment for it. */
  let room: { worker: string; run: string; until: number } | null = null;

  const isAlone = () => takingAlone || [...held.values()].some(({ alone }) => alone);
  const mustWait = (run: string) => isAlone() || (room !== null && room.run !== run && room.until > performance.now());
  const hold = (worker: string, items: readonly TakenItem[], alone: boolean) => {
    for (const item of items) held.set(placeOf(worker, item), { worker, item, alone });
    return items;
  };

  async function take(worker: string, run: string, takes: Takes): Promise<readonly TakenItem[]> {
    const several = hold(worker, await takes.takeSeveral(), false);
    if (several.length > 0) return several;
    const isOneToTry = await takes.isOneToTryAlone();
    if (isOneToTry) room = { worker, run, until: performance.now() + roomMs };
    else if (room?.run === run) room = null;
    if (!isOneToTry || held.size > 0 || taking > 1) return [];
    takingAlone = true;
    try {
      return hold(worker, await takes.takeOneAlone(), true);
    } finally {
      takingAlone = false;
    }
  }

  return {
    async take(worker, run, takes) {
      if (mustWait(run)) return [];
      taking += 1;
      try {
        return await take(worker, run, takes);
      } finally {
        taking -= 1;
      }
    },
    letGo(worker, items) {
      for (const item of items) held.delete(placeOf(worker, item));
    },
    listHeld: (worker, run) =>
      [...held.values()].flatMap(({ worker: holder, item }) =>
        holder === worker && item.run === run ? [item.position] : [],
      ),
    leave(worker) {
      for (const [place, holder] of held) if (holder.worker === worker) held.delete(place);
      if (room?.worker === worker) room = null;
    },
  };
}

function placeOf(worker: string, { run, position }: TakenItem): string {
  return `${worker} ${run}/${position}`;
}
