import type { Consumer, Message } from '@platformatic/kafka';
import { isAway, pauseBefore } from '../keep-trying.ts';
import { readLineContent } from '../files/split-lines.ts';
import type { OnNote, StreamSource, StreamRecord } from '../stream.ts';
import { describeTopic, type KafkaAddress } from './kafka-address.ts';
import { clientOptions, loadKafka, nameKafkaError } from './kafka-client.ts';

type Read = Consumer;
type ReadMessage = Message;

/** How far this process is in a partition. */
interface Held {
  /** Behind the last record that was taken. */
  taken: number;
  /** Behind the last whose result is with the sink. */
  done: number;
}

interface FollowTopicOptions {
  onNote: OnNote;
  /** A member that says nothing for so long is taken for dead, and its partitions go to others. */
  sessionMs?: number;
}

/**
 * The records of a topic, shared with whoever else is of the group. Where a group stands is kept by the brokers, and
 * moves on only behind records whose results are with the sink: what a dead member had in hand comes again to another.
 */
export async function followTopic(
  address: KafkaAddress,
  { onNote, sessionMs = 10_000 }: FollowTopicOptions,
): Promise<StreamSource> {
  const { Consumer } = await loadKafka();
  const held = new Map<number, Held>();
  const open = (): Read => {
    const opened: Read = new Consumer({ ...clientOptions(address), groupId: address.group });
    // Whoever waits for it hears of it too; an event that nobody hears would end the process.
    opened.on('error', () => undefined);
    opened.on('consumer:group:join', () => {
      const own = listAssigned(opened, address);
      for (const partition of held.keys()) if (!own.has(partition)) held.delete(partition);
    });
    return opened;
  };
  let consumer = open();
  const ended = new AbortController();
  await assertReachable(consumer, address);

  function readMessage({ partition, offset, key, value }: ReadMessage): StreamRecord | null {
    // What was read ahead of a partition that is another's by now is theirs.
    if (!listAssigned(consumer, address).has(partition)) return null;
    const place = Number(offset);
    const state = held.get(partition) ?? { taken: place, done: place };
    // After a change in the group it is read again from where it was committed: what is in hand need not come twice.
    if (place >= state.done && place < state.taken) return null;
    held.set(partition, { ...state, taken: place + 1, done: Math.min(state.done, place) });
    return {
      partition: String(partition),
      offset: place,
      next: place + 1,
      key: key?.toString() ?? null,
      content: readLineContent(value ?? Buffer.alloc(0)),
      bytes: value?.length ?? 0,
    };
  }

  async function* readOnce(): AsyncGenerator<StreamRecord, void, void> {
    const messages = await consumer.consume({
      topics: [address.topic],
      autocommit: false,
      mode: 'committed',
      fallbackMode: address.from,
      sessionTimeout: sessionMs,
      heartbeatInterval: sessionMs / 5,
      maxWaitTime: 500,
      maxBytes: 4 * 2 ** 20,
      highWaterMark: 256,
    });
    for await (const message of messages) {
      const record = readMessage(message);
      if (record) yield record;
    }
  }

  async function reopen(): Promise<void> {
    await leave(consumer);
    consumer = open();
  }

  return {
    name: describeTopic(address),
    async *records(signal) {
      for (let attempt = 0; !signal.aborted && !ended.signal.aborted; attempt += 1) {
        try {
          for await (const record of readOnce()) {
            if (attempt > 0) onNote(`${describeTopic(address)} is read again.`);
            attempt = 0;
            yield record;
          }
        } catch (error) {
          const named = nameKafkaError(error, address);
          if (!isAway(named)) throw named;
          if (attempt === 0 && !ended.signal.aborted) onNote(`${named.message} Waiting for them.`);
        }
        if (signal.aborted || ended.signal.aborted) return;
        await pauseBefore(attempt, signal);
        await reopen();
      }
    },
    async commit(last) {
      for (const { partition, next } of last) {
        const state = held.get(Number(partition));
        if (state) state.done = Math.max(state.done, next);
      }
      const assigned = listAssigned(consumer, address);
      const offsets = [...held]
        .filter(([partition]) => assigned.has(partition))
        .map(([partition, { done }]) => ({ topic: address.topic, partition, offset: BigInt(done), leaderEpoch: -1 }));
      if (offsets.length === 0) return;
      // What cannot be committed now goes along the next time; in the worst case it comes again.
      await consumer.commit({ offsets }).catch((error: unknown) => {
        const named = nameKafkaError(error, address);
        if (!isAway(named)) throw named;
      });
    },
    async close() {
      ended.abort();
      await leave(consumer);
    },
  };
}

/** The partitions that are this member's now. */
function listAssigned({ assignments }: Read, { topic }: KafkaAddress): ReadonlySet<number> {
  return new Set(assignments?.flatMap((each) => (each.topic === topic ? each.partitions : [])));
}

/** Refuses what will not come right by waiting: a wrong name, no rights, nobody there when the stream begins. */
async function assertReachable(consumer: Read, address: KafkaAddress): Promise<void> {
  try {
    await consumer.metadata({ topics: [address.topic], autocreateTopics: false });
  } catch (error) {
    await leave(consumer);
    throw nameKafkaError(error, address);
  }
}

const farewellMs = 3_000;

/** Leaves the group, so that others need not wait for it; brokers that are gone are not waited for. */
async function leave(consumer: Read): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, farewellMs)));
  await Promise.race([consumer.close(true).catch(() => undefined), patience]);
  clearTimeout(timer);
}
