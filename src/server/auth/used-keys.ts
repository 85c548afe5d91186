/** Writes down when keys were used: each at most once a minute, behind the back of requests. */
export interface UsedKeys {
  note(id: string): void;
  /** Writes what was noted and not written yet. */
  close(): Promise<void>;
}

export interface UsedKeysOptions {
  write(used: ReadonlyMap<string, Date>): Promise<void>;
  /** A ledger that takes nothing for a while is no reason to turn anybody away. */
  failed(error: unknown): void;
  now(): number;
}

export const betweenWritesMs = 60_000;

export function noteUsedKeys({ write, failed, now }: UsedKeysOptions): UsedKeys {
  const noted = new Map<string, Date>();
  const writtenAt = new Map<string, number>();
  const underWay = new Set<Promise<void>>();

  async function written(ids: readonly string[]): Promise<void> {
    const used = new Map(ids.flatMap((id) => (noted.has(id) ? [[id, noted.get(id)!] as const] : [])));
    if (used.size === 0) return;
    for (const id of used.keys()) {
      noted.delete(id);
      writtenAt.set(id, now());
    }
    try {
      await write(used);
    } catch (error) {
      for (const [id, at] of used) if (!noted.has(id)) noted.set(id, at);
      failed(error);
    }
  }

  return {
    note(id) {
      noted.set(id, new Date(now()));
      if (now() - (writtenAt.get(id) ?? -Infinity) < betweenWritesMs) return;
      const writing = written([id]).finally(() => underWay.delete(writing));
      underWay.add(writing);
    },
    async close() {
      await Promise.all(underWay);
      await written([...noted.keys()]);
    },
  };
}
