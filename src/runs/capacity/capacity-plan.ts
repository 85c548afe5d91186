import { caseBytes, constants } from './constants.ts';

export interface PlanInput {
  itemsPerDay: number;
  /** The share of items that the first tier leaves to the debate. */
  debated: number;
  callsPerDebate: number;
  /** Of a whole debate. */
  tokensIn: number;
  tokensOut: number;
  /** US dollars per million tokens; null where the price is not known. */
  price: { input: number; output: number } | null;
  model: string | null;
  latencyMs: number;
  /** Debates that one worker holds at once. */
  concurrency: number;
  /** The busiest moment over the mean. */
  peak: number;
  retentionDays: number;
  textBytes: number;
  tokensPerMinute: number;
  requestsPerMinute: number;
  /** Precedents in the library of each worker. */
  precedents: number;
}

/** Per second, on average and at the busiest moment. */
interface Rate {
  mean: number;
  peak: number;
}

export interface CapacityPlan {
  version: 1;
  input: PlanInput;
  items: Rate;
  debates: Rate;
  calls: Rate;
  /** A minute. */
  tokens: Rate;
  guard: { coreMsPerItem: number; cores: number };
  debaters: { secondsPerDebate: number; atOnce: number; cores: number; workers: number };
  cost: { perDay: number; perThousandItems: number } | null;
  /** Of debates; what the guard decides is written with the queue. */
  debateWrites: Rate;
  storage: {
    perDay: number;
    atRetention: number;
    byTable: readonly { table: string; perDay: number; atRetention: number }[];
  };
  precedentsBytes: number;
  /** What the queue holds when nobody takes anything for an hour. */
  backlogBytes: number;
  connections: number;
  bottlenecks: readonly Bottleneck[];
  scales: readonly Scale[];
}

/** The same at so many times the items, and what gives way between the scale before it and this one. */
export interface Scale {
  times: number;
  itemsPerDay: number;
  /** Servers like the measured one that items and debates together would keep busy. */
  servers: number;
  guardCores: number;
  debateWorkers: number;
  tokensPerMinute: number;
  usdPerDay: number | null;
  bytesAtRetention: number;
  reached: readonly Bottleneck[];
}

/** Something that more workers do not help: what is asked of it over what one of it can do. */
export interface Bottleneck {
  what: string;
  need: number;
  capacity: number;
  unit: string;
  /** So many times today's items, and it is full. */
  fullAt: number;
  change: string;
}

const secondsPerDay = 86_400;
/** Two sides speak at once: of six calls, four are waited for in turn. */
const chainShare = 4 / 6;
const coresPerGuardWorker = 2;
const scales = [1, 10, 100, 1_000];

/** What a stream of items takes: workers, calls, dollars, writes and bytes, and what gives way first. */
export function planCapacity(input: PlanInput): CapacityPlan {
  const rate = (perDay: number): Rate => ({
    mean: perDay / secondsPerDay,
    peak: (perDay / secondsPerDay) * input.peak,
  });
  const debatesPerDay = input.itemsPerDay * input.debated;
  const items = rate(input.itemsPerDay);
  const debates = rate(debatesPerDay);
  const calls = rate(debatesPerDay * input.callsPerDebate);
  const tokens = rate(debatesPerDay * (input.tokensIn + input.tokensOut) * 60);

  const coreMsPerItem = computeGuardTime(input.textBytes);
  const guardCores = (items.peak * coreMsPerItem) / 1_000;
  const secondsPerDebate = (Math.ceil(input.callsPerDebate * chainShare) * input.latencyMs) / 1_000;
  const atOnce = debates.peak * secondsPerDebate;
  const debateCores = (calls.peak * constants.callCoreMs.value + debates.peak * constants.searchMs.value) / 1_000;
  // A process has one thread for its debates.
  const debateWorkers = Math.ceil(Math.max(atOnce / input.concurrency, debateCores));
  const guardWorkers = Math.ceil(guardCores / coresPerGuardWorker);

  const debateWrites = rate(debatesPerDay * constants.writesPerDebate.value);
  const storage = storageOf(input, debatesPerDay);
  const connections = (guardWorkers + debateWorkers) * constants.connectionsPerWorker.value;
  const dollars =
    input.price && (debatesPerDay * (input.tokensIn * input.price.input + input.tokensOut * input.price.output)) / 1e6;

  const bottlenecks = [
    limit(
      'items through queue and ledger',
      items.peak,
      constants.itemsPerSecond.value,
      'a second',
      'a server of more cores, and then a ledger with its queue for each shard, by the hash of the subject',
    ),
    limit('writes of debates', debateWrites.peak, constants.entriesPerSecond.value, 'a second', 'the same shards'),
    limit(
      'tokens of the provider',
      tokens.peak,
      input.tokensPerMinute,
      'a minute',
      "several accounts, regions and families, batch APIs for what can wait, models on one's own machines",
    ),
    limit(
      'requests to the provider',
      calls.peak * 60,
      input.requestsPerMinute,
      'a minute',
      'several accounts and regions, batch APIs, fewer calls a debate',
    ),
    limit(
      'connections to PostgreSQL',
      connections,
      constants.serverConnections.value,
      'connections',
      'PgBouncer in front of each server, guards that hand results on instead of writing them',
    ),
    limit(
      'bytes of the ledger',
      storage.atRetention,
      constants.serverBytes.value,
      'bytes',
      'transcripts and attachments to object storage after days, shorter retention for what the guard found safe',
    ),
    limit(
      'claims of shares in the limits',
      debateWorkers,
      constants.claimsPerSecond.value,
      'a second',
      'a limit of its own for each region, claimed less often, in larger shares',
    ),
    limit(
      'cores of a region',
      guardCores + debateCores,
      constants.regionCores.value,
      'cores',
      'fleets in several regions, each with its own ledger; the guard on GPUs, or a glance at longer texts',
    ),
  ].toSorted((a, b) => a.fullAt - b.fullAt);

  return {
    version: 1,
    input,
    items,
    debates,
    calls,
    tokens,
    guard: { coreMsPerItem, cores: guardCores },
    debaters: { secondsPerDebate, atOnce, cores: debateCores, workers: debateWorkers },
    cost: dollars === null ? null : { perDay: dollars, perThousandItems: (dollars / input.itemsPerDay) * 1_000 },
    debateWrites,
    storage,
    precedentsBytes: input.precedents * constants.precedentBytes.value,
    backlogBytes: items.mean * 3_600 * constants.waitingBytes.value,
    connections,
    bottlenecks,
    scales: scales.map((times, index) => ({
      times,
      itemsPerDay: input.itemsPerDay * times,
      servers: Math.ceil(
        times * (items.peak / constants.itemsPerSecond.value + debateWrites.peak / constants.entriesPerSecond.value),
      ),
      guardCores: Math.ceil(guardCores * times),
      debateWorkers: Math.ceil(Math.max(atOnce / input.concurrency, debateCores) * times),
      tokensPerMinute: tokens.peak * times,
      usdPerDay: dollars === null ? null : dollars * times,
      bytesAtRetention: storage.atRetention * times,
      reached: bottlenecks.filter(({ fullAt }) => fullAt < times && fullAt >= (scales[index - 1] ?? 0)),
    })),
  };
}

/**
 * Core time of the guard for an item, where texts have so many bytes on average: most are short and glanced at, and the
 * others so long that the average comes out.
 */
export function computeGuardTime(textBytes: number): number {
  const { shortBytes, shortShare, guardCoreMs, guardCoreMsPerByte, glanceCoreMs, glanceCoreMsPerByte } = constants;
  const short = Math.min(shortBytes.value, textBytes);
  const share = textBytes <= shortBytes.value ? 1 : shortShare.value;
  const long = share === 1 ? 0 : (textBytes - share * short) / (1 - share);
  return (
    share * (glanceCoreMs.value + glanceCoreMsPerByte.value * short) +
    (1 - share) * (guardCoreMs.value + guardCoreMsPerByte.value * long)
  );
}

function limit(what: string, need: number, capacity: number, unit: string, change: string): Bottleneck {
  return { what, need, capacity, unit, fullAt: capacity / need, change };
}

function storageOf(input: PlanInput, debatesPerDay: number): CapacityPlan['storage'] {
  const counts = { guard: input.itemsPerDay - debatesPerDay, debate: debatesPerDay };
  const perDay = new Map([['run_items', input.itemsPerDay * constants.itemBytes.value]]);
  for (const kind of ['guard', 'debate'] as const) {
    for (const [table, { fixed, perByte }] of Object.entries(caseBytes[kind]))
      perDay.set(table, (perDay.get(table) ?? 0) + counts[kind] * (fixed + perByte * input.textBytes));
  }
  const byTable = [...perDay]
    .map(([table, bytes]) => ({ table, perDay: bytes, atRetention: bytes * input.retentionDays }))
    .toSorted((a, b) => b.perDay - a.perDay);
  const sum = byTable.reduce((total, row) => total + row.perDay, 0);
  return { perDay: sum, atRetention: sum * input.retentionDays, byTable };
}
