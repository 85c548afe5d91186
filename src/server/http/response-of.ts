import type { Operation } from '../../api/index.ts';
import { Reply } from '../reply.ts';
import type { Streams } from './streams.ts';

/** What a handler said, as it is sent. */
export function responseOf(reply: unknown, { answers }: Operation, request: Request, streams: Streams): Response {
  if (!(reply instanceof Reply)) return answers.status === 204 ? new Response(null, { status: 204 }) : json(reply, answers.status);
  const { content, headers, status = answers.status } = reply;
  if ('json' in content) return json(content.json, status, headers);
  if ('events' in content) return new Response(streams.open(content.events, request), { headers: { ...eventHeaders, 'cache-control': 'no-store', 'x-accel-buffering': 'no', ...headers } });
  return new Response(bodyOf(content.body), { status, headers: { 'content-type': content.type, ...headers } });
}

/** The head of a stream: whoever asks for no more would never hear its end. */
export function streamHead(): Response {
  return new Response(null, { headers: eventHeaders });
}

const eventHeaders = { 'content-type': 'text/event-stream; charset=utf-8' };

function json(value: unknown, status: number, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json', ...headers } });
}

function bodyOf(body: Extract<Reply['content'], { body: unknown }>['body']): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body as string | Uint8Array<ArrayBuffer>;
  return ReadableStream.from(bytesOf(body));
}

async function* bytesOf(parts: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part;
}
