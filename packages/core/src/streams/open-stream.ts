import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import { followFile } from './files/follow-file.ts';
import { openFileSink } from './files/line-sinks.ts';
import type { PositionStore } from './files/position.ts';
import { followBytes } from './files/split-lines.ts';
import { followTopic } from './kafka/follow-topic.ts';
import { isKafka, parseKafkaAddress } from './kafka/kafka-address.ts';
import { openTopicSink } from './kafka/topic-sink.ts';
import type { TryOptions } from './keep-trying.ts';
import { followTable } from './postgres/follow-table.ts';
import { isPostgres, parseTableAddress } from './postgres/postgres-address.ts';
import { openTableSink } from './postgres/table-sink.ts';
import type { OnNote, Sink, StreamSource } from './stream.ts';

/** Whether results go to a file of this machine. */
export function isFile(address: string): boolean {
  return address !== '-' && !/^[a-z][a-z0-9+.-]+:\/\//i.test(address);
}

/** What a stream is called where nobody says it: by its topic, its table or its file. */
export function nameStream(address: string): string {
  if (isKafka(address)) return parseKafkaAddress(address).topic;
  if (isPostgres(address)) return new URL(address).searchParams.get('table') ?? 'table';
  return address === '-' ? 'standard input' : path.basename(address);
}

/** Opens what records come from: a file that grows, `-`, `kafka://…` or `postgres://…?table=…`. */
export async function openSource(
  address: string,
  options: { positions: PositionStore; onNote: OnNote },
): Promise<StreamSource> {
  if (isKafka(address)) return followTopic(parseKafkaAddress(address), options);
  if (isPostgres(address)) return followTable(parseTableAddress(address), options);
  // What comes by a pipe comes once: no other has its place.
  if (address === '-') return followBytes('standard input', new Date().toISOString(), process.stdin);
  return followFile(assertFile(address), options);
}

/** Opens where results go: a file, `kafka://…` or `postgres://…?table=…`. */
export async function openSink(address: string, options: TryOptions): Promise<Sink> {
  if (isKafka(address)) return openTopicSink(parseKafkaAddress(address), options);
  if (isPostgres(address)) return openTableSink(parseTableAddress(address), options);
  return openFileSink(assertFile(address));
}

function assertFile(address: string): string {
  if (isFile(address)) return path.resolve(address);
  throw new AgonError(
    'bad-stream',
    `${address.split('://')[0]}:// is no kind of stream.`,
    'Use a file, kafka://HOST:9092/TOPIC or postgres://HOST/DATABASE?table=TABLE.',
  );
}
