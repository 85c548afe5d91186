/**
 * What plans are made from: measured once, each by the command beside it, on virtual machines with two cores under Node
 * 24.21 with PostgreSQL on the same cores. The guard on x64 (Sapphire Rapids), the queue and what is stored on x64
 * (Skylake), the rest on ARM (Neoverse N1). Figures of another machine go here.
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
  guardCoreMs: measured(5, 'core-ms an item', 'the guard alone, whatever the text', 'npm run bench:glance'),
  guardCoreMsPerByte: measured(
    0.165,
    'core-ms a byte',
    'the guard alone, for each byte of a text that it reads',
    'npm run bench:glance',
  ),
  glanceCoreMs: measured(
    2,
    'core-ms an item',
    'a short everyday text, glanced at and, where that is not enough, read',
    'npm run bench:glance',
  ),
  glanceCoreMsPerByte: measured(0.125, 'core-ms a byte', 'the same, for each byte', 'npm run bench:glance'),
  callCoreMs: measured(1.73, 'core-ms a call', 'a worker, around a call to a model', 'npm run bench:engine'),
  tokensIn: measured(6_252, 'tokens a debate', 'input of a full debate of six calls', 'npm run bench:tokens'),
  tokensOut: measured(745, 'tokens a debate', 'output of the same', 'npm run bench:tokens'),
  entriesPerSecond: measured(
    2_607,
    'writes a second',
    'durable entries of debates, 64 at once, on PostgreSQL with 2 cores',
    'npm run bench:ledger',
  ),
  claimsPerSecond: measured(
    1_452,
    'claims a second',
    'one durable write after the other on PostgreSQL: claims of shares in a limit wait for each other',
    'npm run bench:ledger',
  ),
  itemsPerSecond: measured(
    4_864,
    'items a second',
    'through queue and ledger: taken in slices, put on record as single rows, and ended; 2 cores in all',
    'npm run bench:queue',
  ),
  precedentBytes: measured(
    4_300,
    'bytes a precedent',
    'memory of a process with 100,000 of them and their index',
    'npm run bench:precedents',
  ),
  searchMs: measured(5, 'ms a search', 'among 100,000 precedents', 'npm run bench:precedents'),
  waitingBytes: measured(655, 'bytes an item', 'an item that waits, its job included', 'npm run bench:storage'),
  itemBytes: measured(
    1_413,
    'bytes an item',
    'run_items of an item that was judged, indexes included',
    'npm run bench:storage',
  ),
  connectionsPerWorker: measured(4, 'connections a worker', 'by its source', 'src/cli/server/worker.ts'),
  writesPerDebate: measured(
    11,
    'writes a debate',
    'six turns and two computed steps, its case opened and closed, its item ended',
    'npm run bench:storage',
  ),

  latencyMs: assumed(2_500, 'ms a call', 'how long a model takes to answer'),
  debatesPerWorker: assumed(64, 'debates at once', 'what a worker is told to hold at once'),
  providerTokensPerMinute: assumed(
    150e6,
    'tokens a minute',
    "the limit of an account with the provider's highest public tier",
  ),
  providerRequestsPerMinute: assumed(30_000, 'requests a minute', 'the same, for requests'),
  shortShare: assumed(0.7, 'of the items', 'texts short enough for a glance, where the mean is above theirs'),
  shortBytes: assumed(120, 'bytes', 'how long these are'),
  regionCores: assumed(10_000, 'cores', 'what one region lends'),
  serverConnections: assumed(500, 'connections', 'what one PostgreSQL server holds without a pooler'),
  serverBytes: assumed(10e12, 'bytes', 'what one PostgreSQL server is asked to hold'),
} as const satisfies Record<string, Constant>;

/**
 * What a case takes on PostgreSQL, its indexes included, by table: a part of its own, and a part for each byte of its
 * text. A single row by `npm run bench:verdicts`, whose texts have 110 bytes; a debated case by `npm run bench:storage`.
 */
export const caseBytes: Record<'guard' | 'debate', Record<string, { fixed: number; perByte: number }>> = {
  guard: {
    listing: { fixed: 647, perByte: 0 },
    texts: { fixed: 170, perByte: 1 },
    batches: { fixed: 33, perByte: 0 },
  },
  debate: {
    debates: { fixed: 881, perByte: 0 },
    verdicts: { fixed: 5_543, perByte: 0.41 },
    entries: { fixed: 13_006, perByte: 0.02 },
    listing: { fixed: 625, perByte: 0.01 },
    record_leaves: { fixed: 1_065, perByte: 0 },
    subjects: { fixed: 1_190, perByte: 0.4 },
  },
};
