import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemUsage, Ledger, RunItem, RunRow } from '@agonhq/ledger';
import { readItemPages } from '../results/export-results.ts';
import { mcnemarExact } from '@agonhq/engine/statistics';

/** An item that two runs judged differently. */
export interface Flip {
  key: string;
  before: FlipSide;
  after: FlipSide;
  /** The label that the input gives it, if any. */
  expected: string | null;
  /** How it begins; null when it was forgotten. */
  excerpt: string | null;
}

interface FlipSide {
  case: string;
  label: string;
  risk: number | null;
}

/** Two runs over the same items, held against each other. */
export interface RunDifference {
  version: 1;
  before: RunSide;
  after: RunSide;
  /** Items that both have judged. */
  compared: number;
  same: number;
  /** `safe → unsafe`: how many, the most frequent first. */
  flips: Record<string, number>;
  /** Items that are in one of the two runs only. */
  onlyBefore: number;
  onlyAfter: number;
  /** The same key with another content: not compared. */
  otherContent: number;
  /** In both, and without a verdict in one of them: failed, or not judged yet. */
  failed: { before: number; after: number };
  unfinished: number;
  /** Mean of the risk after less the risk before, where both have one. */
  riskChange: number | null;
  /** Mean milliseconds of an item, over those that were compared. */
  latencyMs: { before: number | null; after: number | null };
  /**
   * How likely so lopsided flips are by chance: McNemar's exact test over the most frequent pair of labels and its
   * reverse.
   */
  flipTest: { from: string; to: string; forth: number; back: number; p: number } | null;
  /** On items that came with a label. */
  labelled: {
    items: number;
    rightBefore: number;
    rightAfter: number;
    putRight: number;
    putWrong: number;
    p: number;
  } | null;
}

interface RunSide {
  id: string;
  name: string | null;
  configuration: string;
  done: number;
  failed: number;
  usage: ItemUsage;
}

export interface DiffOptions {
  /** At most so many flips are yielded; all are counted. */
  limit?: number;
  signal?: AbortSignal;
}

/**
 * Holds two runs against each other, item by item: by key where the content is the same, else by content. Yields
 * flips in the order of the first run's input and returns the figures; a few pages of either run are in memory.
 *
 * @example const { flips } = await resultOf(diffRuns(ledger, monday, tuesday))
 */
export async function* diffRuns(
  ledger: Ledger,
  before: RunRow,
  after: RunRow,
  { limit = Infinity, signal }: DiffOptions = {},
): AsyncGenerator<Flip, RunDifference, void> {
  if (before.job !== after.job)
    throw new AgonError(
      'other-job',
      `Run ${before.id} is about ${before.job}, run ${after.id} about ${after.job}.`,
      'Compare two runs of one job.',
    );
  const tally = newTally();
  let yielded = 0;
  for await (const page of readItemPages(ledger, before.id)) {
    signal?.throwIfAborted();
    const partnerOf = await partners(ledger, after.id, page);
    for (const item of page) {
      const flipped = tally.add(item, partnerOf(item));
      if (!flipped || yielded >= limit) continue;
      yielded += 1;
      yield { ...flipped, excerpt: (await ledger.cases.findCase(flipped.after.case))?.excerpt ?? null };
    }
  }
  for await (const page of readItemPages(ledger, after.id)) {
    signal?.throwIfAborted();
    const partnerOf = await partners(ledger, before.id, page);
    tally.counts.onlyAfter += page.filter((item) => partnerOf(item) === undefined).length;
  }
  return { version: 1, before: await sideOf(ledger, before), after: await sideOf(ledger, after), ...tally.report() };
}

/** Who stands for an item in the other run: null when its key is there with another content. */
type PartnerOf = (item: RunItem) => RunItem | null | undefined;

async function partners(ledger: Ledger, other: string, page: readonly RunItem[]): Promise<PartnerOf> {
  const byKey = await ledger.runs.findItemsByKey(
    other,
    page.map(({ key }) => key),
  );
  const strangers = page.filter(({ key, hash }) => byKey.get(key)?.hash !== hash).map(({ hash }) => hash);
  const byHash =
    strangers.length > 0
      ? await ledger.runs.findItemsByHash(other, [...new Set(strangers)])
      : new Map<string, RunItem>();
  return ({ key, hash }) => {
    const namesake = byKey.get(key);
    return namesake?.hash === hash ? namesake : (byHash.get(hash) ?? (namesake ? null : undefined));
  };
}

function newTally() {
  const counts = {
    compared: 0,
    same: 0,
    onlyBefore: 0,
    onlyAfter: 0,
    otherContent: 0,
    failedBefore: 0,
    failedAfter: 0,
    unfinished: 0,
  };
  const flips = new Map<string, number>();
  const risks = newMean();
  const latency = { before: newMean(), after: newMean() };
  const labelled = { items: 0, rightBefore: 0, rightAfter: 0, putRight: 0, putWrong: 0 };

  return {
    counts,
    /** Counts a pair, and says what flipped. */
    add(first: RunItem, second: RunItem | null | undefined): Omit<Flip, 'excerpt'> | null {
      if (second === undefined) counts.onlyBefore += 1;
      if (second === null) counts.otherContent += 1;
      if (!second) return null;
      if (first.error) counts.failedBefore += 1;
      if (second.error) counts.failedAfter += 1;
      const [before, after] = [first.result, second.result];
      if (!before || !after) {
        if (!first.error && !second.error) counts.unfinished += 1;
        return null;
      }
      counts.compared += 1;
      if (before.risk !== null && after.risk !== null) risks.add(after.risk - before.risk);
      latency.before.add(before.usage.latencyMs);
      latency.after.add(after.usage.latencyMs);
      const expected = first.expected ?? second.expected;
      if (expected !== null) note(before.label === expected, after.label === expected);
      if (before.label === after.label) {
        counts.same += 1;
        return null;
      }
      const pair = pairName(before.label, after.label);
      flips.set(pair, (flips.get(pair) ?? 0) + 1);
      const side = ({ case: id, label, risk }: typeof before): FlipSide => ({ case: id, label, risk });
      return { key: first.key, before: side(before), after: side(after), expected };
    },
    report(): Omit<RunDifference, 'version' | 'before' | 'after'> {
      const { failedBefore, failedAfter, ...rest } = counts;
      const byFrequency = [...flips].toSorted(([, a], [, b]) => b - a);
      return {
        ...rest,
        failed: { before: failedBefore, after: failedAfter },
        flips: Object.fromEntries(byFrequency),
        riskChange: risks.value(),
        latencyMs: { before: latency.before.value(), after: latency.after.value() },
        flipTest: flipTestOf(flips, byFrequency[0]?.[0]),
        labelled: labelled.items === 0 ? null : { ...labelled, p: mcnemarExact(labelled.putRight, labelled.putWrong) },
      };
    },
  };

  function note(rightBefore: boolean, rightAfter: boolean): void {
    labelled.items += 1;
    if (rightBefore) labelled.rightBefore += 1;
    if (rightAfter) labelled.rightAfter += 1;
    if (rightAfter && !rightBefore) labelled.putRight += 1;
    if (rightBefore && !rightAfter) labelled.putWrong += 1;
  }
}

const arrow = ' → ';

function pairName(from: string, to: string): string {
  return `${from}${arrow}${to}`;
}

function flipTestOf(flips: ReadonlyMap<string, number>, pair: string | undefined): RunDifference['flipTest'] {
  if (pair === undefined) return null;
  const [from, to] = pair.split(arrow) as [string, string];
  const [forth, back] = [flips.get(pair)!, flips.get(pairName(to, from)) ?? 0];
  return { from, to, forth, back, p: mcnemarExact(forth, back) };
}

function newMean() {
  let [sum, number] = [0, 0];
  return {
    add(value: number) {
      sum += value;
      number += 1;
    },
    value: () => (number === 0 ? null : sum / number),
  };
}

async function sideOf(ledger: Ledger, { id, name, configuration }: RunRow): Promise<RunSide> {
  const { done, failed, usage } = await ledger.runs.countItems(id);
  return { id, name, configuration, done, failed, usage };
}
