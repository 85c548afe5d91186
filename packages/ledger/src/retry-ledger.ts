import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger } from './ledger.ts';

export interface RetryOptions {
  /** How long an operation is tried again; as a function, it is asked before each time. */
  forMs?: number | (() => number);
  /** Told when the database begins to be away, and not again before it was there. */
  onWait?(error: AgonError): void;
}

/** Away for a while, without room for a while, or a transaction that was taken back for the sake of another. */
const passing = new Set(['ledger-unreachable', 'full-disk', 'ledger-conflict']);
const firstPauseMs = 50;
const longestPauseMs = 2_000;

/**
 * A ledger whose operations wait while the database cannot be reached or has no room, so that a restart of it loses
 * nothing that was paid for. What may have been done although its answer was lost is done again: that changes nothing,
 * with the exceptions named here, which are left alone. Import, export and prune are for people, who see for
 * themselves.
 *
 * @example const ledger = withRetries(await openLedger(place), { onWait: (error) => console.error(error.message) })
 */
export function withRetries(ledger: Ledger, { forMs = 60_000, onWait }: RetryOptions = {}): Ledger {
  let waiting = 0;
  const again: Retry = async (work) => {
    const began = performance.now();
    const deadline = () => began + (typeof forMs === 'number' ? forMs : forMs());
    let waits = false;
    try {
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
        try {
          return await work();
        } catch (error) {
          if (!AgonError.is(error) || !passing.has(error.code) || performance.now() + pauseMs > deadline()) throw error;
          if (!waits && (waiting += 1) === 1) onWait?.(error);
          waits = true;
          await pause(pauseMs);
        }
      }
    } finally {
      if (waits) waiting -= 1;
    }
  };
  return {
    ...ledger,
    journal: retryStore(ledger.journal, again),
    cases: retryStore(ledger.cases, again),
    calls: retryStore(ledger.calls, again),
    decisions: retryStore(ledger.decisions, again),
    corrections: retryStore(ledger.corrections, again),
    findings: retryStore(ledger.findings, again),
    // Whether it was kept or somebody came first is not to be told apart the second time.
    precedents: retryStore(ledger.precedents, again, ['keepPrecedentsIf']),
    runs: retryStore(ledger.runs, again),
    benches: retryStore(ledger.benches, again),
    policies: retryStore(ledger.policies, again, ['activatePolicy']),
    audit: retryStore(ledger.audit, again),
    keys: retryStore(ledger.keys, again),
    idempotency: retryStore(ledger.idempotency, again, ['claimKey']),
    streams: retryStore(ledger.streams, again),
    webhooks: retryStore(ledger.webhooks, again),
    // A claim tells what runs at this moment: a late one would be untrue. Who claims does so every second.
    fleet: ledger.fleet && retryStore(ledger.fleet, again, ['claimShare']),
    pictures: ledger.pictures,
    knownImages: retryStore(ledger.knownImages, again),
    attachments: retryStore(ledger.attachments, again),
    cache: retryStore(ledger.cache, again),
    readSecret: () => again(() => ledger.readSecret()),
    // Items of a take whose answer was lost wait again before the next; a result whose answer was lost stands.
    openQueue: async (options) => retryStore(await again(() => ledger.openQueue(options)), again),
  };
}

type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Wraps what answers once; what is read bit by bit is handed on as it is. */
function retryStore<Store extends object>(
  store: Store,
  again: Retry,
  except: readonly (keyof Store & string)[] = [],
): Store {
  const wrapped = Object.entries(store).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function' || except.some((each) => each === name)) return [name, member];
    const method = (...given: unknown[]): unknown => {
      const first: unknown = Reflect.apply(member, store, given);
      if (!(first instanceof Promise)) return first;
      let next: Promise<unknown> | null = first;
      return again(() => {
        const tried: Promise<unknown> = next ?? (Reflect.apply(member, store, given) as Promise<unknown>);
        next = null;
        return tried;
      });
    };
    return [name, method];
  });
  return Object.fromEntries(wrapped) as Store;
}
