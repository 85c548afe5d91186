import { keepTrying, type TryOptions } from '../keep-trying.ts';
import type { Sink } from '../stream.ts';
import { describeTopic, type KafkaAddress } from './kafka-address.ts';
import { clientOptions, loadKafka, nameKafkaError } from './kafka-client.ts';

/**
 * Sends results to a topic, each under the key of its item: those of one key are in one partition, in order. They are
 * there when every replica that is in sync has them.
 */
export async function openTopicSink(address: KafkaAddress, options: TryOptions): Promise<Sink> {
  const { Producer, stringSerializers } = await loadKafka();
  const { topic } = address;
  const producer = new Producer<string, string, string, string>({
    ...clientOptions(address),
    serializers: stringSerializers,
    acks: -1,
  });
  // Whoever waits for it hears of it too; an event that nobody hears would end the process.
  producer.on('error', () => undefined);
  try {
    await producer.metadata({ topics: [topic], autocreateTopics: false });
  } catch (error) {
    await producer.close().catch(() => undefined);
    throw nameKafkaError(error, address);
  }

  return {
    name: describeTopic(address),
    async write(results) {
      const messages = results.map((result) => ({ topic, key: result.key, value: JSON.stringify(result) }));
      await keepTrying(
        () =>
          producer.send({ messages }).catch((error: unknown) => {
            throw nameKafkaError(error, address);
          }),
        options,
      );
    },
    flush: async () => undefined,
    close: () => producer.close().catch(() => undefined),
  };
}
