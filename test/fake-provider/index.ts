import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dialectOf, type Dialect, type Spoken } from './dialects.ts';
import { json, type FakeReply } from './replies.ts';
import { sampleOf } from './sample.ts';

export {
  contentFilter,
  cutStream,
  deltas,
  hang,
  json,
  malformedJson,
  promptFiltered,
  refusal,
  status,
  text,
  truncatedJson,
  type FakeReply,
  type FakeToken,
} from './replies.ts';

/** A request as the fake provider saw it; the last three fields fill in when it ends. */
export interface FakeRequest {
  /** 0-based, in order of arrival. */
  index: number;
  api: Dialect['api'] | 'embeddings';
  path: string;
  /** `?api-version=…`, or empty. */
  query: string;
  model: string;
  stream: boolean;
  /** The JSON schema that the answer must follow, if one was sent. */
  schema: any;
  /** All text of the prompt, the system message included. */
  prompt: string;
  images: number;
  body: any;
  headers: Record<string, string | string[] | undefined>;
  startedAt: number;
  endedAt: number | null;
  /** The client went away before the answer was complete. */
  aborted: boolean;
}

export type FakeScript = (request: FakeRequest) => FakeReply | Promise<FakeReply>;

export interface FakeProvider {
  /** The root: OpenAI, Anthropic and compatible clients use `${url}/v1`, Google `${url}/v1beta`. */
  url: string;
  port: number;
  requests: FakeRequest[];
  /** The most requests that were being answered at once. */
  maxInFlight: number;
  inFlight: number;
  script: FakeScript;
  close(): Promise<void>;
}

interface FakeOptions {
  /** Waited before each reply that sets no latency of its own. */
  latencyMs?: number;
  /** Keeps no requests: for benchmarks. */
  forget?: boolean;
}

/**
 * A model provider on localhost that says what a script tells it to, in the words of the OpenAI chat completions
 * (and embeddings), Anthropic messages and Google generateContent APIs, streaming or not; and in those of OpenAI's
 * completions and moderations and of Azure Content Safety.
 *
 * @example
 * const provider = await startFakeProvider((request) => request.index === 0 ? status(429, { retryAfter: 1 }) : json({
 * score: 1 }));
 */
export async function startFakeProvider(script: FakeScript = plain, options: FakeOptions = {}): Promise<FakeProvider> {
  let received = 0;
  const server = createServer((request, response) => void serve(request, response));
  // Clients keep connections alive; a benchmark must not lose them between two calls.
  server.keepAliveTimeout = 60_000;

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request = readRequest(received++, incoming, Buffer.concat(chunks).toString('utf8'));
    if (!options.forget) provider.requests.push(request);
    provider.inFlight += 1;
    provider.maxInFlight = Math.max(provider.maxInFlight, provider.inFlight);
    outgoing.on('close', () => {
      provider.inFlight -= 1;
      request.endedAt = performance.now();
      request.aborted = !outgoing.writableFinished;
    });
    const reply = request.api === 'embeddings' ? null : await provider.script(request);
    const latencyMs = (reply !== null && 'latencyMs' in reply ? reply.latencyMs : undefined) ?? options.latencyMs ?? 0;
    const respond = () => (reply === null ? embed(request, outgoing) : write(reply, request, outgoing));
    if (latencyMs > 0) setTimeout(respond, latencyMs);
    else respond();
  }

  const provider: FakeProvider = {
    url: '',
    port: 0,
    requests: [],
    maxInFlight: 0,
    inFlight: 0,
    script,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.port = (server.address() as AddressInfo).port;
  provider.url = `http://127.0.0.1:${provider.port}`;
  return provider;
}

function plain(request: FakeRequest): FakeReply {
  return json(request.schema === undefined ? {} : sampleOf(request.schema));
}

function readRequest(index: number, incoming: IncomingMessage, text: string): FakeRequest {
  const { pathname: path, search: query } = new URL(incoming.url ?? '/', 'http://fake');
  const body = text === '' ? null : JSON.parse(text);
  const dialect = dialectOf(path);
  const { texts, ...read } = dialect?.read(path, body) ?? {
    model: body?.model ?? '',
    stream: false,
    schema: undefined,
    texts: [body?.input ?? ''].flat(),
    images: 0,
  };
  return {
    index,
    api: dialect?.api ?? 'embeddings',
    path,
    query,
    ...read,
    prompt: texts.join('\n'),
    body,
    headers: incoming.headers,
    startedAt: performance.now(),
    endedAt: null,
    aborted: false,
  };
}

function write(reply: FakeReply, request: FakeRequest, outgoing: ServerResponse): void {
  const dialect = dialectOf(request.path)!;
  switch (reply.kind) {
    case 'hang':
      return;
    case 'status':
      outgoing.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers }).end(reply.body);
      return;
    case 'deltas':
      return void writeDeltas(reply, request, outgoing);
    case 'cut':
      return writeCut(reply, dialect, request, outgoing);
    case 'answer': {
      const answer = spoken(reply, request);
      if (request.stream) {
        outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of dialect.events(answer)) outgoing.write(serverSentEvent(event));
        outgoing.end();
      } else outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(dialect.whole(answer)));
    }
  }
}

async function writeDeltas(
  reply: Extract<FakeReply, { kind: 'deltas' }>,
  request: FakeRequest,
  outgoing: ServerResponse,
): Promise<void> {
  const chunk = (choice: object) =>
    serverSentEvent({
      data: { id: 'fake', object: 'chat.completion.chunk', created: 0, model: request.model, choices: [choice] },
    });
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  outgoing.flushHeaders();
  for await (const delta of reply.deltas) {
    if (outgoing.destroyed) return;
    outgoing.write(chunk({ index: 0, delta, finish_reason: null }));
  }
  outgoing.end(chunk({ index: 0, delta: {}, finish_reason: reply.finish }) + serverSentEvent({ data: '[DONE]' }));
}

function writeCut(
  reply: Extract<FakeReply, { kind: 'cut' }>,
  dialect: Dialect,
  request: FakeRequest,
  outgoing: ServerResponse,
): void {
  const answer: Spoken = { model: request.model, text: reply.text, finish: 'cut', usage: null };
  if (!request.stream) {
    const whole = JSON.stringify(dialect.whole(answer));
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
    outgoing.write(whole.slice(0, whole.length / 2), () => outgoing.destroy());
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = dialect.events(answer).map(serverSentEvent).join('');
  if (reply.clean) outgoing.end(events);
  // A moment later, so that the client has read the beginning when the socket dies.
  else outgoing.write(events, () => setTimeout(() => outgoing.destroy(), 5));
}

function spoken(reply: Extract<FakeReply, { kind: 'answer' }>, request: FakeRequest): Spoken {
  const usage = reply.usage?.missing
    ? null
    : {
        inputTokens: reply.usage?.inputTokens ?? Math.ceil(Buffer.byteLength(request.prompt) / 4),
        outputTokens: reply.usage?.outputTokens ?? Math.ceil(Buffer.byteLength(reply.text) / 4),
        cachedTokens: reply.usage?.cachedTokens ?? 0,
      };
  const { logprobs } = request.body;
  return {
    model: request.model,
    text: reply.text,
    finish: reply.finish,
    usage,
    ...(logprobs !== undefined && logprobs !== false && reply.logprobs ? { logprobs: reply.logprobs } : {}),
  };
}

function serverSentEvent({ event, data }: { event?: string; data: unknown }): string {
  const payload = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event ? `event: ${event}\n` : ''}data: ${payload}\n\n`;
}

/** Small unit vectors that depend on the text alone. */
function embed(request: FakeRequest, outgoing: ServerResponse): void {
  if (!request.path.endsWith('/embeddings')) {
    outgoing.writeHead(404, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ error: { message: `No such endpoint: ${request.path}` } }));
    return;
  }
  const inputs: string[] = [request.body.input].flat();
  const data = inputs.map((input, index) => {
    const vector = Array.from(
      { length: 8 },
      (_, i) => 1 + ((input.charCodeAt(i % Math.max(1, input.length)) || 0) % 7),
    );
    const length = Math.hypot(...vector);
    return { object: 'embedding', index, embedding: vector.map((value) => value / length) };
  });
  const tokens = Math.ceil(Buffer.byteLength(inputs.join('')) / 4);
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.end(
    JSON.stringify({
      object: 'list',
      model: request.model,
      data,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }),
  );
}
