import type { FailureReason } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { toOneLine } from '@agonhq/engine/text';
import type { Redact } from '../providers/redact.ts';
import type { Provider } from '../providers/resolve-provider.ts';

/** What is to be done about a call that failed. */
export type Failure =
  /** Worth another attempt. */
  | {
      kind: 'passing';
      reason: 'unavailable' | 'timeout';
      detail: string;
      retryAfterMs?: number;
      maybeBilled: boolean;
      unreachable?: boolean;
    }
  /** The same call would fail the same way again; `said` is what there is of the answer. */
  | { kind: 'final'; reason: FailureReason; detail: string; said?: string }
  /** The model lacks something that the call asked for. */
  | { kind: 'unsupported'; feature: 'structured-output' | 'temperature' | 'max-tokens'; detail: string }
  /** Only the user can put it right. */
  | { kind: 'mistake'; error: AgonError };

interface Context {
  provider: Provider;
  model: string;
  redact: Redact;
}

interface HttpError {
  name: string;
  message: string;
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
  cause?: unknown;
}

/** Sorts an error of the SDK. An error that is not the provider's is thrown on. */
export function classifyError(thrown: unknown, context: Context): Failure {
  const error = findRoot(thrown);
  // A model in this process says itself what only the user can put right.
  if (AgonError.is(error)) return { kind: 'mistake', error };
  const { statusCode: status, responseHeaders, responseBody = '' } = error;
  const message = toOneLine(context.redact(error.message)).slice(0, 300);
  if (status === undefined || status < 400) return classifyWithoutStatus(error, message, context);

  const detail = `HTTP ${status}: ${message}`;
  const said = `${error.message} ${responseBody}`;
  if (status === 401 || status === 403 || /api[_ ]key[_ ](not[_ ]valid|invalid)/i.test(said)) {
    return { kind: 'mistake', error: makeKeyError(detail, context) };
  }
  if (status === 404) return { kind: 'mistake', error: makeModelError(detail, context) };
  if (status === 429 && /insufficient_quota|billing/i.test(said))
    return { kind: 'final', reason: 'unavailable', detail };
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) {
    const wait = readRetryAfter(responseHeaders, Date.now());
    return { kind: 'passing', reason: 'unavailable', detail, retryAfterMs: wait, maybeBilled: false };
  }
  if (/content[_ ]?(filter|management)|content_policy|ResponsibleAIPolicy/i.test(said)) {
    return { kind: 'final', reason: 'content-filter', detail };
  }
  const feature = findUnsupportedFeature(said);
  return feature ? { kind: 'unsupported', feature, detail } : { kind: 'final', reason: 'unavailable', detail };
}

/** What a finished answer's finish reason says, or null when it is to be read. */
export function classifyFinish(finish: string, rawFinish: string | undefined, text: string): Failure | null {
  if (finish === 'content-filter') {
    // The SDK maps refusals here too: OpenAI's come with a plain `stop`, Anthropic's are called so.
    const refused = rawFinish === 'stop' || rawFinish === 'refusal';
    if (!refused) {
      const detail = `The provider filtered the answer (${rawFinish ?? finish}).`;
      return { kind: 'final', reason: 'content-filter', detail, said: text };
    }
    const detail = text.trim().slice(0, 300) || 'The model refused to answer.';
    return { kind: 'final', reason: 'refused', detail, said: text };
  }
  if (finish === 'interrupted' || finish === 'error') {
    return { kind: 'passing', reason: 'unavailable', detail: 'The answer broke off.', maybeBilled: true };
  }
  return null;
}

function findUnsupportedFeature(said: string) {
  if (/max_completion_tokens/i.test(said)) return 'max-tokens';
  if (/temperature/i.test(said)) return 'temperature';
  const schema = /response_format|json_schema|output_config|output_format|response_?schema|structured.?output/i;
  return schema.test(said) ? 'structured-output' : null;
}

const unreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

function classifyWithoutStatus(error: HttpError, message: string, context: Context): Failure {
  const codes = listCauses(error).map((cause) => (cause as NodeJS.ErrnoException).code);
  if (codes.some((code) => code !== undefined && unreachable.test(code))) {
    const detail = `${context.provider.name} cannot be reached at ${context.provider.baseUrl} (${message}).`;
    return { kind: 'passing', reason: 'unavailable', detail, maybeBilled: false, unreachable: true };
  }
  const ofProvider = error.name.startsWith('AI_') || codes.some((code) => code !== undefined);
  if (!ofProvider) throw error as Error;
  return { kind: 'passing', reason: 'unavailable', detail: `The answer broke off: ${message}`, maybeBilled: true };
}

/** The SDK wraps a stream's error into one that says only that there was no output. */
function findRoot(thrown: unknown): HttpError {
  if (!(thrown instanceof Error)) return { name: 'AI_StreamError', message: JSON.stringify(thrown) ?? 'unknown error' };
  return thrown.name === 'AI_NoOutputGeneratedError' && thrown.cause instanceof Error ? thrown.cause : thrown;
}

function listCauses(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let cause = error; cause instanceof Error && chain.length < 8; cause = cause.cause) {
    chain.push(cause);
    if (cause instanceof AggregateError) chain.push(...cause.errors);
  }
  return chain;
}

function makeKeyError(detail: string, { provider: { name, variables } }: Context): AgonError {
  return new AgonError(
    'wrong-key',
    `${name} does not accept the API key (${detail})`,
    `Check the environment variable ${variables.key}, or providers.${name}.apiKey in the configuration.`,
  );
}

function makeModelError(detail: string, { provider: { name, variables, baseUrl }, model }: Context): AgonError {
  const get = name === 'ollama' ? `Download it with "ollama pull ${model}", or check` : 'Check';
  return new AgonError(
    'unknown-model',
    `${name} has no model "${model}" (${detail})`,
    `${get} the model's name in the configuration, and that ${baseUrl} is right (providers.${name}.baseUrl or ` +
      `${variables.baseUrl}).`,
  );
}

/** Milliseconds that a provider asks to wait: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date. */
export function readRetryAfter(headers: Record<string, string> | undefined, now: number): number | undefined {
  const exact = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (exact >= 0) return exact;
  const value = headers?.['retry-after']?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Exponential back-off with jitter in its upper half: callers that failed together do not return together. */
export function computeBackoff(
  attempt: number,
  firstMs: number,
  longestMs: number,
  random: () => number = Math.random,
): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** attempt);
  return ceiling / 2 + (random() * ceiling) / 2;
}

/** Waits; an abort ends it at once with the signal's reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort, { once: true });
  });
}
