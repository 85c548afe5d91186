import type { AgonError } from '@agonhq/engine/agon-error';

/** One thing to be judged, where it stands in its stream. */
export interface StreamRecord {
  /** Records of one partition have an order, and so have their results; those of two have none. */
  partition: string;
  /** Its place in the partition. */
  offset: number;
  /** Where the partition goes on after it. */
  next: number;
  /** What whoever sent it calls it; null where they call it nothing. */
  key: string | null;
  /** As it was written, or why that cannot be read. */
  content: { text: string } | { error: AgonError };
  /** How much memory it takes, about. */
  bytes: number;
}

/**
 * Where records come from. Nothing is read ahead beyond what one reading brings: a source from which no record is
 * asked for is paused.
 */
export interface StreamSource {
  /** In words, without secrets. */
  readonly name: string;
  /** Records as they come, in order within each partition, until the source ends or the signal aborts. */
  records(signal: AbortSignal): AsyncIterable<StreamRecord>;
  /**
   * The results of these, and of all that came before them in their partitions, are with the sink: they need not come
   * again. At most one of each partition.
   */
  commit(last: readonly StreamRecord[]): Promise<void>;
  close(): Promise<void>;
}

/** What came of a record. Stream, partition and offset tell it from every other. */
export type StreamResult = {
  stream: string;
  partition: string;
  offset: number;
  /** The id of the item, or what whoever sent it called it. */
  key: string;
} & (object | { error: { code: string; message: string; hint: string } });

/** Where results go. */
export interface Sink {
  readonly name: string;
  /** Resolves when the results are on their way and cannot be lost by this process alone. */
  write(results: readonly StreamResult[]): Promise<void>;
  /** Resolves when everything that was written is kept. */
  flush(): Promise<void>;
  /** Whether a result is there already, where the sink can tell: its record came again after a crash. */
  has?(stream: string, record: StreamRecord): boolean;
  close(): Promise<void>;
}

/** Told of what a source or a sink waits for, in one line. */
export type OnNote = (text: string) => void;
