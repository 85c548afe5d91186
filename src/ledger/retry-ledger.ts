import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '../errors.ts';
import type { Ledger } from './ledger.ts';

export interface Patience {
  /** How long an operation is tried again; as a function, it is asked before each time. */
  forMs?: number | (() => number);
  /** Told when the database begins to be away, and not again before it was there. */
  onWait?(error: AgonError): void;
}

/** Away for a while, or a transaction that was taken back for the sake of another. */
const passing = new Set(['ledger-unreachable', 'ledger-conflict']);
const firstPauseMs = 50;
const longestPauseMs = 2_000;

/**
 * A ledger whose operations wait while the database cannot be reached, so that a restart of it loses nothing that was
 * paid for. What may have been done although its answer was lost is done again: that changes nothing, with the
 * exceptions named here, which are left alone. Import, export and prune are for people, who see for themselves.
 *
 * @example const ledger = patiently(await openLedger(place), { onWait: (error) => console.error(error.message) })
 */
export function patiently(ledger: Ledger, { forMs = 60_000, onWait }: Patience = {}): Ledger {
  let waiting = 0;
  const again: Again = async (work) => {
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
    journal: patient(ledger.journal, again),
    cases: patient(ledger.cases, again),
    decisions: patient(ledger.decisions, again),
    // Whether it was kept or somebody came first is not to be told apart the second time.
    precedents: patient(ledger.precedents, again, ['keepIf']),
    runs: patient(ledger.runs, again),
    benches: patient(ledger.benches, again),
    policies: patient(ledger.policies, again, ['activate']),
    keys: patient(ledger.keys, again),
    idempotency: patient(ledger.idempotency, again, ['claim']),
    webhooks: patient(ledger.webhooks, again),
    // A claim tells what runs at this moment: a late one would be untrue. Who claims does so every second.
    fleet: ledger.fleet && patient(ledger.fleet, again, ['share']),
    attachments: patient(ledger.attachments, again),
    cache: patient(ledger.cache, again),
    secret: () => again(() => ledger.secret()),
    // Items of a take whose answer was lost are nobody's until their heartbeat has lapsed; a result whose answer was
    // lost stands.
    queue: async (options) => patient(await again(() => ledger.queue(options)), again),
  };
}

type Again = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Wraps what answers once; what is read bit by bit is handed on as it is. */
function patient<Store extends object>(
  store: Store,
  again: Again,
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
