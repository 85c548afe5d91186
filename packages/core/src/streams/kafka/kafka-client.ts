import type { BaseOptions } from '@platformatic/kafka';
import { AgonError } from '@agonhq/engine/agon-error';
import { needPart } from '@agonhq/engine/parts';
import { describeTopic, type KafkaAddress } from './kafka-address.ts';

/** How brokers are reached. What fails is tried again by whoever asks, who can say so. */
export function clientOptions({ brokers, isSecure, login }: KafkaAddress): BaseOptions {
  return {
    clientId: 'agon',
    bootstrapBrokers: brokers,
    connectTimeout: 5_000,
    requestTimeout: 30_000,
    retries: 2,
    retryDelay: 200,
    autocreateTopics: false,
    ...(isSecure ? { tls: {} } : {}),
    ...(login ? { sasl: login } : {}),
  };
}

export async function loadKafka() {
  needPart('kafka');
  return import('@platformatic/kafka');
}

interface KafkaFailure {
  code?: string;
  apiId?: string;
  message?: string;
  errors?: readonly KafkaFailure[];
  cause?: KafkaFailure;
}

const noRights = /AUTHORIZATION_FAILED$|^SASL_AUTHENTICATION_FAILED$/;
const refusals = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_TOPIC_EXCEPTION',
  'INVALID_REQUIRED_ACKS',
  'UNSUPPORTED_VERSION',
  'INVALID_GROUP_ID',
  'POLICY_VIOLATION',
]);

/** What brokers said, or that they said nothing, in our words. What they may take back is `broker-unreachable`. */
export function nameKafkaError(error: unknown, address: KafkaAddress): AgonError {
  if (AgonError.is(error)) return error;
  const failures = flatten(error as KafkaFailure);
  const said = failures.find(({ apiId }) => apiId !== undefined);
  const place = describeTopic(address);
  if (
    failures.some(
      ({ apiId, message }) => apiId === 'UNKNOWN_TOPIC_OR_PARTITION' || message?.startsWith('Unknown topic'),
    )
  )
    return new AgonError(
      'unknown-topic',
      `There is no topic ${address.topic} at ${address.brokers.join(', ')}.`,
      'Correct its name, or make it first: Agon makes no topics.',
      { cause: error },
    );
  if (failures.some(({ apiId, code }) => noRights.test(apiId ?? '') || code === 'PLT_KFK_AUTHENTICATION'))
    return new AgonError(
      'no-stream-rights',
      `Access to ${place} is refused (${said?.apiId ?? 'the login failed'}).`,
      'Give the user rights to read the topic and its group, or to write; AGON_KAFKA_USER and ' +
        'AGON_KAFKA_PASSWORD log in.',
      { cause: error },
    );
  const refusal = failures.find(({ apiId }) => refusals.has(apiId ?? ''));
  if (refusal)
    return new AgonError(
      'broker-refused',
      `The brokers of ${place} refuse it: ${refusal.apiId}.`,
      'What they allow is a matter of their configuration.',
      { cause: error },
    );
  const why = said?.apiId ?? failures.at(-1)?.code ?? failures[0]?.message ?? 'no answer';
  return new AgonError('broker-unreachable', `The brokers of ${place} cannot be reached (${why}).`, hint, {
    cause: error,
  });
}

const hint = 'See that they run, and that their addresses and ports are right.';

/** The failure with those that it is made of, however deep. */
function flatten(failure: KafkaFailure | undefined): KafkaFailure[] {
  if (!failure) return [];
  return [failure, ...(failure.errors ?? []).flatMap(flatten), ...flatten(failure.cause)];
}
