import { hintFor, type AgonError, type Surface } from '@agonhq/engine/agon-error';
import { untilAborted } from '../async-items.ts';
import type { Sink, StreamSource, StreamRecord, StreamResult } from './stream.ts';

export interface StreamCounts {
  judged: number;
  failed: number;
  /** Had a result already. */
  skipped: number;
  /** Taken from the source and not yet with the sink. */
  inFlight: number;
}

/** A record that can be read. */
export type TextRecord = StreamRecord & { content: { text: string } };

/** What the item of a record is called, and what came of it or why nothing did. */
export type JudgedRecord = { key: string } & ({ outcome: object } | { error: AgonError });

export interface RunStreamOptions {
  /** What the stream is called in its results. */
  stream: string;
  source: StreamSource;
  sink: Sink;
  /** Where records go, as they came, that could not be judged; beside their results, which go to the sink. */
  deadLetters?: Sink | null;
  /** What comes of a record. Whatever it throws ends the stream, and nothing is lost. */
  judge(record: TextRecord, signal: AbortSignal): Promise<JudgedRecord>;
  /** Records judged at once. */
  concurrency: number;
  onProgress?(counts: StreamCounts): void;
  /** In whose words hints are. */
  surface?: Surface;
  /** Takes nothing more; what is being judged is broken off, and comes again. */
  signal: AbortSignal;
  /** Takes nothing more; what is being judged comes to its end. */
  drain?: AbortSignal;
}

/** Records in memory, however few are judged at once: an early one that takes long holds up those behind it. */
const leastInFlight = 256;
const inFlightPerJudge = 4;
/** The same in bytes. */
const mostBytes = 32 * 2 ** 20;

/** Results are written as they come; that they are kept is waited for so often. */
const commitMs = 50;

interface Slot {
  record: StreamRecord;
  /** Undefined while it is judged; null where it has a result already. */
  result?: StreamResult | null;
}

/**
 * The one loop between a source and a sink. A record is taken while there is room, judged, and its result written in
 * the order of its partition; the source is told so only when the sink has it. Whatever ends the process, each record
 * has a result at least once.
 */
export async function runStream(options: RunStreamOptions): Promise<StreamCounts> {
  const { stream, source, sink, deadLetters = null, concurrency, surface = 'library' } = options;
  const room = Math.max(leastInFlight, inFlightPerJudge * concurrency);
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const taking = options.drain ? AbortSignal.any([signal, options.drain]) : signal;
  const counts: StreamCounts = { judged: 0, failed: 0, skipped: 0, inFlight: 0 };
  const lanes = new Map<string, Slot[]>();
  const judging = new Set<Promise<void>>();
  let ready: Slot[] = [];
  let bytes = 0;
  let fatal: { error: unknown } | undefined;
  let change = Promise.withResolvers<void>();
  let isDelivering = false;
  let delivered = Promise.resolve();
  let sinkFailed = false;
  /** The last of each partition that is written, and not yet committed. */
  const uncommitted = new Map<string, StreamRecord>();
  let committedAt = performance.now();
  let committing: NodeJS.Timeout | undefined;

  try {
    for await (const record of untilAborted(source.records(taking), taking)) {
      take(record);
      while (isFull() && !taking.aborted) await change.promise;
    }
  } catch (error) {
    fail(error);
  }
  await Promise.all(judging);
  // oxlint-disable-next-line no-unmodified-loop-condition -- what is waited for changes it
  while (isDelivering) await delivered;
  clearTimeout(committing);
  if (!sinkFailed) await commit().catch(fail);
  if (fatal) throw fatal.error;
  return { ...counts, inFlight: 0 };

  function isFull(): boolean {
    return judging.size >= concurrency || counts.inFlight >= room || bytes >= mostBytes;
  }

  function take(record: StreamRecord): void {
    const slot: Slot = { record };
    let lane = lanes.get(record.partition);
    if (!lane) lanes.set(record.partition, (lane = []));
    lane.push(slot);
    counts.inFlight += 1;
    bytes += record.bytes;
    if (sink.has?.(stream, record)) return settle(slot, null);
    const work = judge(slot).finally(() => {
      judging.delete(work);
      changed();
    });
    judging.add(work);
  }

  /** Never rejects. What was broken off has no result, and holds back those behind it. */
  async function judge(slot: Slot): Promise<void> {
    try {
      const judged = await judgeRecord(slot.record);
      // What is cancelled with the stream is not wrong with the record.
      if (!('error' in judged) || !signal.aborted) settle(slot, describeResult(slot.record, judged));
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  async function judgeRecord(record: StreamRecord): Promise<JudgedRecord> {
    if (isText(record)) return options.judge(record, signal);
    const { key, partition, offset, content } = record;
    return { key: key ?? `${partition}/${offset}`, ...(content as { error: AgonError }) };
  }

  function describeResult({ partition, offset }: StreamRecord, { key, ...judged }: JudgedRecord): StreamResult {
    const place = { stream, partition, offset, key };
    if (!('error' in judged)) return { ...place, ...judged.outcome };
    const { error } = judged;
    return { ...place, error: { code: error.code, message: error.message, hint: hintFor(error, surface) } };
  }

  function settle(slot: Slot, result: StreamResult | null): void {
    slot.result = result;
    const { partition } = slot.record;
    const lane = lanes.get(partition)!;
    const open = lane.findIndex((each) => each.result === undefined);
    ready.push(...lane.splice(0, open === -1 ? lane.length : open));
    if (lane.length === 0) lanes.delete(partition);
    if (ready.length > 0) startDelivering();
  }

  function startDelivering(): void {
    if (isDelivering) return;
    isDelivering = true;
    delivered = deliver();
  }

  /** Hands over what is ready, as much at once as there is by then. Never rejects. */
  async function deliver(): Promise<void> {
    try {
      while (ready.length > 0) {
        // Whatever is settled in this moment goes along.
        await Promise.resolve();
        const batch = ready;
        ready = [];
        await write(batch);
        for (const { record, result } of batch) {
          uncommitted.set(record.partition, record);
          counts.inFlight -= 1;
          bytes -= record.bytes;
          counts[result === null ? 'skipped' : 'error' in result! ? 'failed' : 'judged'] += 1;
        }
        options.onProgress?.({ ...counts });
        changed();
        // While this is waited for, more may become ready.
        if (counts.inFlight === 0 || performance.now() - committedAt >= commitMs) await commit();
      }
      if (uncommitted.size > 0 && performance.now() - committedAt >= commitMs) await commit();
    } catch (error) {
      sinkFailed = true;
      fail(error);
    } finally {
      isDelivering = false;
      if (sinkFailed) clearTimeout(committing);
      else if (ready.length > 0) startDelivering();
      else if (uncommitted.size > 0) committing ??= setTimeout(startDelivering, commitMs);
    }
  }

  async function write(batch: readonly Slot[]): Promise<void> {
    const results = batch.flatMap(({ result }) => (result ? [result] : []));
    if (results.length > 0) await sink.write(results);
    const dead = deadLetters ? batch.flatMap(describeDeadLetter) : [];
    if (dead.length > 0) await deadLetters!.write(dead);
  }

  /** Only what the sink keeps need not come again. */
  async function commit(): Promise<void> {
    clearTimeout(committing);
    committing = undefined;
    committedAt = performance.now();
    if (uncommitted.size === 0) return;
    const last = [...uncommitted.values()];
    uncommitted.clear();
    await sink.flush();
    await deadLetters?.flush();
    await source.commit(last);
  }

  function fail(error: unknown): void {
    fatal ??= { error };
    stop.abort(error);
    changed();
  }

  function changed(): void {
    change.resolve();
    change = Promise.withResolvers();
  }
}

function isText(record: StreamRecord): record is TextRecord {
  return 'text' in record.content;
}

function describeDeadLetter({ record: { content }, result }: Slot): StreamResult[] {
  if (!result || !('error' in result)) return [];
  return [{ ...result, ...('text' in content ? { record: content.text } : {}) }];
}
