/**
 * What plans are made from: measured once, each by the command beside it, on a virtual machine with 2 ARM cores
 * (Neoverse N1) under Node 24.21 with PostgreSQL 18 on the same cores. Those of `bench:storage` while others kept the
 * cores busy (load 16, its own priority raised), so that the queue's is low. Figures of another machine go here.
 */
export interface Constant {
  value: number;
  unit: string;
  what: string;
  /** The command that measures it; null for what nobody has measured here. */
  measuredBy: string | null;
}

const measured = (value: number, unit: string, what: string, measuredBy: string): Constant => ({
  value,
  unit,
  what,
  measuredBy,
});
const assumed = (value: number, unit: string, what: string): Constant => ({ value, unit, what, measuredBy: null });

export const constants = {
  guardCoreMs: measured(0.8, 'core-ms an item', 'the embedded reasoner, whatever the text', 'npm run bench:embedded'),
  guardCoreMsPerByte: measured(
    0.266,
    'core-ms a byte',
    'the embedded reasoner, for each byte of text',
    'npm run bench:embedded',
  ),
  callCoreMs: measured(1.73, 'core-ms a call', 'a worker, around a call to a model', 'npm run bench:engine'),
  tokensIn: measured(6_252, 'tokens a debate', 'input of a full debate of six calls', 'npm run bench:tokens'),
  tokensOut: measured(745, 'tokens a debate', 'output of the same', 'npm run bench:tokens'),
  entriesPerSecond: measured(
    2_607,
    'writes a second',
    'durable entries, 64 at once, on PostgreSQL with 2 cores',
    'npm run bench:ledger',
  ),
  claimsPerSecond: measured(
    1_452,
    'claims a second',
    'one durable write after the other on PostgreSQL: claims of shares in a limit wait for each other',
    'npm run bench:ledger',
  ),
  jobsPerSecond: measured(
    356,
    'items a second',
    'items taken and ended through pg-boss and run_items by four workers',
    'npm run bench:storage',
  ),
  precedentBytes: measured(
    4_300,
    'bytes a precedent',
    'memory of a process with 100,000 of them and their index',
    'npm run bench:precedents',
  ),
  searchMs: measured(5, 'ms a search', 'among 100,000 precedents', 'npm run bench:precedents'),
  waitingBytes: measured(1_020, 'bytes an item', 'an item that waits, its job included', 'npm run bench:storage'),
  itemBytes: measured(
    1_499,
    'bytes an item',
    'run_items of an item that was judged, indexes included',
    'npm run bench:storage',
  ),
  connectionsPerWorker: measured(
    10,
    'connections a worker',
    'the pool of a process, by its source',
    'src/ledger/postgres/open-postgres.ts',
  ),
  entriesPerDebate: measured(
    8,
    'writes a debate',
    'six turns and two computed steps of a full debate',
    'npm run bench:storage',
  ),
  writesPerCase: measured(2, 'writes a case', 'opened before its debate, closed after it', 'src/app/recorder.ts'),
  writesPerItem: measured(
    1,
    'write an item',
    'ended with its result; it is put and taken in batches',
    'src/ledger/postgres/item-queue.ts',
  ),

  latencyMs: assumed(2_500, 'ms a call', 'how long a model takes to answer'),
  debatesPerWorker: assumed(64, 'debates at once', 'what a worker is told to hold at once'),
  providerTokensPerMinute: assumed(
    150e6,
    'tokens a minute',
    "the limit of an account with the provider's highest public tier",
  ),
  providerRequestsPerMinute: assumed(30_000, 'requests a minute', 'the same, for requests'),
  regionCores: assumed(10_000, 'cores', 'what one region lends'),
  serverConnections: assumed(500, 'connections', 'what one PostgreSQL server holds without a pooler'),
  serverBytes: assumed(10e12, 'bytes', 'what one PostgreSQL server is asked to hold'),
} as const satisfies Record<string, Constant>;

/**
 * What a case takes on PostgreSQL, its indexes included, by table (`npm run bench:storage`): a part of its own, and a
 * part for each byte of its text.
 */
export const caseBytes: Record<'guard' | 'debate', Record<string, { fixed: number; perByte: number }>> = {
  guard: {
    debates: { fixed: 901, perByte: 0 },
    verdicts: { fixed: 3_001, perByte: 0.54 },
    subjects: { fixed: 1_351, perByte: 0.35 },
  },
  debate: {
    debates: { fixed: 728, perByte: 0.01 },
    verdicts: { fixed: 8_561, perByte: 0 },
    entries: { fixed: 14_116, perByte: 0.1 },
    subjects: { fixed: 1_181, perByte: 0.41 },
  },
};
