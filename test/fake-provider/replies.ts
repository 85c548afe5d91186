/** What the fake provider answers with, whichever API it was asked through. */
export type FakeReply =
  | {
      kind: 'answer';
      text: string;
      finish: 'stop' | 'length' | 'content-filter' | 'refusal';
      usage?: FakeUsage;
      latencyMs?: number;
      /** Sent to those who ask for probabilities. */
      logprobs?: readonly FakeToken[];
    }
  | { kind: 'status'; status: number; headers: Record<string, string>; body: string; latencyMs?: number }
  | { kind: 'hang' }
  | { kind: 'deltas'; deltas: AsyncIterable<object> | Iterable<object>; finish: string }
  | { kind: 'cut'; text: string; clean: boolean; latencyMs?: number };

/** A token that was said, and what could have been said in its place. */
export interface FakeToken {
  token: string;
  logprob: number;
  top?: Readonly<Record<string, number>>;
}

interface FakeUsage {
  inputTokens?: number;
  outputTokens?: number;
  cachedTokens?: number;
  /** Leaves usage out of the response, as some servers do. */
  missing?: boolean;
}

interface AnswerOptions {
  usage?: FakeUsage;
  logprobs?: readonly FakeToken[];
  latencyMs?: number;
}

/** A well-formed answer. */
export function json(value: unknown, options: AnswerOptions = {}): FakeReply {
  return text(JSON.stringify(value), options);
}

/** Any text, as the model might write it. */
export function text(content: string, options: AnswerOptions = {}): FakeReply {
  return { kind: 'answer', text: content, finish: 'stop', ...options };
}

/** The model declines: OpenAI's `refusal` field, Anthropic's refusal stop, Google's safety stop. */
export function refusal(content = 'I cannot help with that.', options: AnswerOptions = {}): FakeReply {
  return { kind: 'answer', text: content, finish: 'refusal', ...options };
}

/** The provider's filter stopped the answer. */
export function contentFilter(options: AnswerOptions = {}): FakeReply {
  return { kind: 'answer', text: '', finish: 'content-filter', ...options };
}

/** Azure's way: the filter rejects the prompt with a 400 before the model sees it. */
export function promptFiltered(): FakeReply {
  return status(400, {
    code: 'content_filter',
    message: 'The response was filtered by the content management policy.',
  });
}

interface StatusOptions {
  /** Seconds or an HTTP date, sent as `retry-after`. */
  retryAfter?: number | string;
  headers?: Record<string, string>;
  message?: string;
  code?: string;
  /** Replaces the whole body. */
  body?: string;
  latencyMs?: number;
}

/** An HTTP error in the shape that OpenAI, Anthropic and Google clients all read. */
export function status(code: number, options: StatusOptions = {}): FakeReply {
  const message = options.message ?? `The fake provider answers ${code}.`;
  const error = { code: options.code ?? code, message, status: 'ERROR', type: 'error', param: null };
  return {
    kind: 'status',
    status: code,
    headers: {
      ...(options.retryAfter === undefined ? {} : { 'retry-after': String(options.retryAfter) }),
      ...options.headers,
    },
    body: options.body ?? JSON.stringify({ type: 'error', error }),
    latencyMs: options.latencyMs,
  };
}

/** A stream of OpenAI's chat completions, delta by delta as they come: `{ content }`, `{ tool_calls }` … */
export function deltas(of: AsyncIterable<object> | Iterable<object>, finish = 'stop'): FakeReply {
  return { kind: 'deltas', deltas: of, finish };
}

/** Never answers; ends only when the client goes away. */
export function hang(): FakeReply {
  return { kind: 'hang' };
}

/** Breaks off in the middle: the socket dies, or (`clean`) the stream just ends without a finish. */
export function cutStream(content = '{"statement":"I was just about to', options: { clean?: boolean } = {}): FakeReply {
  return { kind: 'cut', text: content, clean: options.clean ?? false };
}

export function malformedJson(content = '{"statement" ] 0.5'): FakeReply {
  return text(content);
}

/** The answer ran into its token limit. */
export function truncatedJson(content = '{"statement":"This goes on and on and'): FakeReply {
  return { kind: 'answer', text: content, finish: 'length' };
}
