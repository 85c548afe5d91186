import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { Page } from '../cases/cases.ts';

/** Many subjects through one configuration. */
export interface RunRow {
  id: string;
  name: string | null;
  job: string;
  configuration: string;
  /** The plan of the run: everything that a worker needs to go on with it, secrets left out. */
  settings: unknown;
  input: string | null;
  state: RunState;
  /** Why it was stopped or failed, in one line; null when nothing is wrong. */
  problem: string | null;
  /** How many items there are, once all of them have been read. */
  total: number | null;
  startedAt: Date;
  endedAt: Date | null;
}

export type RunState = 'running' | 'stopped' | 'finished' | 'failed' | 'cancelled';

/** An item as it is read from the input. */
export interface NewRunItem {
  /** Its line or number in the input: tells items of a run apart. */
  position: number;
  /** What the input calls it. A key that comes again in the run gets `#position` behind it. */
  key: string;
  /** Hash of what is to be judged, without its id: the same input is judged once. */
  hash: string;
  /** What is to be judged; null when it could not be read. */
  input: unknown;
  /** The label that the input gives it, if any. */
  expected?: string | null;
  /** Why it cannot be judged: a broken line is a failed item from the start. */
  error?: ItemError | null;
}

export interface ItemError {
  code: string;
  message: string;
  hint: string;
}

/** `same`: another item has the same content, and its result is this one's too. */
export type ItemState = 'waiting' | 'running' | 'done' | 'failed' | 'same';

/** What came of an item. */
export interface ItemResult {
  /** The case on record. */
  case: string;
  label: string;
  /** The risk, where the job states one. */
  risk: number | null;
  escalate: boolean;
  /** Who decided: the whole debate, or the first tier of a cascade. */
  by: 'debate' | 'guard';
  usage: ItemUsage;
}

export interface ItemUsage {
  calls: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** Null when a price is not known. */
  costUsd: number | null;
  latencyMs: number;
}

export interface RunItem {
  run: string;
  position: number;
  key: string;
  hash: string;
  expected: string | null;
  state: ItemState;
  /** Of a `same` item: the position of the one that was judged. */
  sameAs: number | null;
  attempts: number;
  worker: string | null;
  /** A `same` item has those of the item that was judged. */
  result: ItemResult | null;
  error: ItemError | null;
  endedAt: Date | null;
}

/** An item as a grid shows it. */
export interface GridItem extends RunItem {
  /** How what is judged begins; null when it was forgotten, or could not be read. */
  excerpt: string | null;
  /** What became of the same content in each of the other runs that were asked for; null where it is not in one. */
  others: readonly (RunItem | null)[];
}

/** Which items of a run a grid shows; all of it must fit. */
export interface ItemFilter {
  /** Words of the beginning of the content, or of the key. */
  search?: string;
  state?: ItemState;
  /** The verdict. */
  label?: string;
  /** The label that the input gives. */
  expected?: string;
  /** Whether the verdict is the label that the input gives. */
  outcome?: 'right' | 'wrong';
  escalated?: boolean;
  /**
   * What another run decided of it: otherwise, rightly where this one was wrong, or wrongly where this one was right.
   */
  changed?: 'flipped' | 'corrected' | 'broken';
}

export interface GridOptions {
  /** Other runs, beside which the items stand. */
  others?: readonly string[];
  /** `change`: by how much the first other run's risk differs. What has no such value comes last. */
  by?: 'position' | 'key' | 'label' | 'risk' | 'cost' | 'latency' | 'change';
  descending?: boolean;
  limit: number;
  after: string | null;
  /** Whether all that fit are counted, which takes a look at each. */
  count?: boolean;
}

/** A page of a grid; `total` says how many items fit, where that was asked for. */
export interface GridPage extends Page<GridItem> {
  total: number | null;
}

/** Where a run stands, over all processes that work on it. */
export interface RunCounts {
  waiting: number;
  running: number;
  done: number;
  failed: number;
  same: number;
  byLabel: Record<string, number>;
  /** Of the done ones, how many the first tier of a cascade decided. */
  byGuard: number;
  escalated: number;
  failuresByCode: Record<string, number>;
  usage: ItemUsage;
  /**
   * Of the done ones that came with a label: how many have it, and how many have another verdict; those of the first
   * tier apart.
   */
  expected: { right: number; wrong: number; guardRight: number; guardWrong: number };
  /** When the last item ended. */
  lastEndedAt: Date | null;
  /** How many ended in the last minute. */
  endedLastMinute: number;
}

/** What a call may cost at most, or did cost; of an unknown price `usd` is null. */
export interface CallCost {
  tokens: number;
  usd: number | null;
}

export interface PutReport {
  inserted: number;
  /** Of those: items whose content another item of the run has. */
  same: number;
  /** Positions that the run already has with another content: the input was changed. */
  changed: readonly number[];
}

export interface RunStore {
  startRun(
    run: Pick<RunRow, 'id' | 'name' | 'job' | 'configuration' | 'settings' | 'input'>,
    once?: KeyedRequest,
  ): Promise<RunRow>;
  endRun(id: string, state: RunState, problem?: string | null): Promise<void>;
  /** A stopped, failed or cancelled run goes on: its state is `running` again. */
  reopenRun(id: string): Promise<void>;
  /** Changes the plan: a resume with another budget. */
  changePlan(id: string, settings: unknown): Promise<void>;
  findRun(id: string): Promise<RunRow | undefined>;
  /** Those whose id begins so, and those of this name; the newest first. */
  findRunsNamed(words: string): Promise<readonly RunRow[]>;
  /** The newest first. */
  listRuns(options?: { states?: readonly RunState[]; limit?: number }): Promise<readonly RunRow[]>;
  /** A page of them, the newest first. */
  pageRuns(
    filter: { state?: RunState; job?: string },
    options: { limit: number; after: string | null },
  ): Promise<Page<RunRow>>;

  /** Adds a batch of items; those that are there already stay. */
  putItems(run: string, items: readonly NewRunItem[]): Promise<PutReport>;
  /** All of the input has been read. */
  markLoaded(run: string, total: number): Promise<void>;
  countItems(run: string): Promise<RunCounts>;
  /** How often what was judged to be what; those that came without a true label are left out. */
  countOutcomes(run: string): Promise<readonly { expected: string; label: string; items: number }[]>;
  /** Whether no item waits or is in anybody's hands; quick, however many there are. */
  isRunOver(run: string): Promise<boolean>;
  /** A page of items: by position, or in the order in which they ended (those that have not are left out). */
  listItems(
    run: string,
    options: {
      order: 'input' | 'as-done';
      after?: (Pick<RunItem, 'position'> & Partial<Pick<RunItem, 'endedAt'>>) | null;
      limit: number;
      states?: readonly ItemState[];
    },
  ): Promise<readonly RunItem[]>;
  /** A page of a grid. */
  pageItems(run: string, filter: ItemFilter, options: GridOptions): Promise<GridPage>;
  /** The items with these keys. */
  findItemsByKey(run: string, keys: readonly string[]): Promise<ReadonlyMap<string, RunItem>>;
  /** Of each of these contents the item that is judged (not those that are the `same`), by hash. */
  findItemsByHash(run: string, hashes: readonly string[]): Promise<ReadonlyMap<string, RunItem>>;
  /** Failed items, or those that failed with a code, wait again, broken lines excepted. Says how many. */
  retryFailedItems(run: string, code?: string): Promise<number>;
  /** Nobody takes the items that wait any more. Says how many they are. */
  cancelRun(run: string): Promise<number>;

  /**
   * Sets the worst case of a call aside, unless the run's allowance does not cover it. The same call twice is set
   * aside once.
   */
  reserveCall(
    run: string,
    call: string,
    worst: CallCost,
    allowance: { tokens?: number; usd?: number },
  ): Promise<boolean>;
  /** What the call cost in truth. A call that is never settled (a crash) counts with its worst case. */
  settleCall(run: string, call: string, actual: CallCost): Promise<void>;
  /** Settled and set aside together. */
  readCommitted(run: string): Promise<{ tokens: number; usd: number }>;
}
