import { AgonError } from '@agonhq/engine/agon-error';

/** A topic of Kafka, or of whatever speaks its protocol. */
export interface KafkaAddress {
  brokers: string[];
  topic: string;
  /** Consumers of one group share the partitions of a topic. */
  group: string;
  /** Where a group begins that has read nothing yet. */
  from: 'earliest' | 'latest';
  isSecure: boolean;
  login: { mechanism: (typeof mechanisms)[number]; username: string; password: string } | null;
}

const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

export function isKafka(address: string): boolean {
  return /^kafkas?:\/\//.test(address);
}

/**
 * Reads `kafka://HOST:9092,HOST2:9092/TOPIC?group=agon`; `kafkas://` speaks TLS. Who logs in is best told by the
 * environment: command lines can be seen by others.
 */
export function parseKafkaAddress(
  address: string,
  environment: Record<string, string | undefined> = process.env,
): KafkaAddress {
  const [, secure, login, brokers, topic, query] =
    /^kafka(s?):\/\/(?:([^@/]*)@)?([^/?]+)\/([^/?]+)(?:\?(.*))?$/.exec(address) ?? [];
  if (brokers === undefined || topic === undefined)
    throw badAddress('is no address of a topic', 'Write kafka://HOST:9092/TOPIC?group=GROUP.');
  const parameters = new URLSearchParams(query);
  const from = parameters.get('from') ?? 'earliest';
  const mechanism = (parameters.get('sasl') ?? 'PLAIN').toUpperCase() as (typeof mechanisms)[number];
  const unknown = [...parameters.keys()].find((name) => !['group', 'from', 'sasl'].includes(name));
  if (unknown !== undefined)
    throw badAddress(`has ${unknown}, which nothing is known of`, 'It may have group, from and sasl.');
  if (from !== 'earliest' && from !== 'latest')
    throw badAddress(`begins from ${from}`, 'A new group begins from=earliest or from=latest.');
  if (!mechanisms.includes(mechanism))
    throw badAddress(`logs in by ${mechanism}`, `sasl is ${mechanisms.join(', ').toLowerCase()}.`);
  const [name, password] = login?.split(':').map(decodeURIComponent) ?? [];
  const username = name ?? environment['AGON_KAFKA_USER'];
  return {
    brokers: brokers.split(',').map((broker) => (/:\d+$/.test(broker) ? broker : `${broker}:9092`)),
    topic: decodeURIComponent(topic),
    group: parameters.get('group') ?? 'agon',
    from,
    isSecure: secure === 's',
    login:
      username === undefined
        ? null
        : { mechanism, username, password: password ?? environment['AGON_KAFKA_PASSWORD'] ?? '' },
  };
}

/** The address is not repeated: it may hold a password. */
function badAddress(what: string, hint: string): AgonError {
  return new AgonError('bad-stream', `The address of the topic ${what}.`, hint);
}

/** In words, without secrets. */
export function describeTopic({ brokers, topic }: KafkaAddress): string {
  return `the topic ${topic} at ${brokers.join(', ')}`;
}
