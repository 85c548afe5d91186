import { sha256 } from '@agonhq/engine/hash';
import type { Ledger } from '@agonhq/ledger';

/** Sessions that were signed out of, here or at another server of the same ledger. */
export interface EndedSessions {
  has(token: string): Promise<boolean>;
  add(token: string, endsAt: number): Promise<void>;
}

/** How long what was read holds: who signs out at another server is out here after that. */
const freshMs = 3_000;
/** Beyond this many, those are forgotten that would have ended by themselves, and then those that were ended first. */
const most = 10_000;

export function openEndedSessions(store: Ledger['sessions'] | null | undefined, now: () => number): EndedSessions {
  const ended = new Map<string, number>();
  let readAt: number | null = null;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    const asked = now();
    for (const { hash, endsAt } of await store!.listEndedSessions(readAt === null ? null : new Date(readAt)))
      ended.set(hash, endsAt.getTime());
    readAt = asked;
    sweep();
  }

  function sweep(): void {
    if (ended.size <= most) return;
    for (const [hash, endsAt] of ended) if (endsAt <= now()) ended.delete(hash);
    for (const hash of [...ended.keys()].slice(0, -most)) ended.delete(hash);
  }

  return {
    async has(token) {
      if (store && (readAt === null || now() - readAt > freshMs))
        await (reading ??= read().finally(() => (reading = null)));
      return ended.has(sha256(token));
    },
    async add(token, endsAt) {
      const hash = sha256(token);
      ended.set(hash, endsAt);
      sweep();
      await store?.endSession({ hash, endsAt: new Date(endsAt) });
    },
  };
}
