/** A bench on record: what was measured, and how far it came. */
export interface BenchRow {
  /** Given by the caller, a hash of its plan: the same plan is the same bench. */
  id: string;
  name: string;
  /** The plan as it was given: data files with hashes, systems, seeds, repeats. */
  plan: unknown;
  state: BenchState;
  startedAt: Date;
  endedAt: Date | null;
  /** How many judgements are kept. */
  judged: number;
}

export type BenchState = 'running' | 'done' | 'stopped' | 'failed';

export interface BenchJudgement {
  key: string;
  result: unknown;
}

/**
 * What a bench keeps: its judgements, so that it goes on where it was stopped and its report is made again without a
 * call.
 */
export interface BenchStore {
  /** Begins a bench, or takes it up again: its state is running from now on. */
  start(bench: { id: string; name: string; plan: unknown }): Promise<BenchRow>;
  end(id: string, state: Exclude<BenchState, 'running'>): Promise<void>;
  /** By its whole id, or by the beginning of it from four characters on; where several begin so, that is an error. */
  find(id: string): Promise<BenchRow | undefined>;
  /** The newest first; `before` is the id of the last one that was listed. */
  list(options?: { limit?: number; before?: string }): Promise<BenchRow[]>;
  /** Keeps judgements, all of them or none; a key that is there keeps its first value. */
  keep(id: string, judgements: readonly BenchJudgement[]): Promise<void>;
  /** All judgements by key, read page by page. */
  judgements(id: string): AsyncIterable<BenchJudgement>;
  /** Those of these keys that are kept. */
  judged(id: string, keys: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** Keeps what else belongs to a bench, by name (`sheet-0`): the last value counts. */
  attach(id: string, name: string, value: unknown): Promise<void>;
  attached(id: string, name: string): Promise<unknown>;
  /** Takes a bench away with everything in it. */
  remove(id: string): Promise<void>;
}
