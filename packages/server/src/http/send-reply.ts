import type { Operation } from '../api/index.ts';
import { Reply } from '../reply.ts';
import { chooseCoding, compress } from './compression.ts';
import type { OpenStreams } from './event-stream.ts';

/** What a handler said, as it is sent. */
export function sendReply(
  reply: unknown,
  { answers }: Operation,
  request: Request,
  streams: OpenStreams,
): Response | Promise<Response> {
  if (!(reply instanceof Reply)) return sendJson(reply, answers.status, request);
  const { content, headers, status = answers.status } = reply;
  if ('json' in content) return sendJson(content.json, status, request, headers);
  if ('events' in content)
    return new Response(streams.open(content.events, request), {
      headers: { ...eventHeaders, 'cache-control': 'no-store', 'x-accel-buffering': 'no', ...headers },
    });
  if ('file' in content) return sendFile(content, request, headers);
  return new Response(toBody(content.body), { status, headers: { 'content-type': content.type, ...headers } });
}

/** A file, or the range of it that was asked for, of which no more is read. */
async function sendFile(
  { file, type }: Extract<Reply['content'], { file: unknown }>,
  request: Request,
  others: Record<string, string>,
): Promise<Response> {
  const headers = { 'content-type': type, 'accept-ranges': 'bytes', ...others };
  const range = readByteRange(request, file.bytes);
  const { start, end } = range ?? { start: 0, end: file.bytes };
  const body = (await file.read(start, end)) as Uint8Array<ArrayBuffer>;
  if (!range) return new Response(body, { headers });
  return new Response(body, {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end - 1}/${file.bytes}` },
  });
}

/** The head of a stream: whoever asks for no more would never hear its end. */
export function sendStreamHead(): Response {
  return new Response(null, { headers: eventHeaders });
}

const eventHeaders = { 'content-type': 'text/event-stream; charset=utf-8' };

/** Smaller ones would come no sooner. */
const leastCompressed = 65_536;

function sendJson(
  value: unknown,
  status: number,
  request: Request,
  others: Record<string, string> = {},
): Response | Promise<Response> {
  if (status === 204) return new Response(null, { status, headers: others });
  const text = JSON.stringify(value);
  const headers = { 'content-type': 'application/json', ...others };
  const coding = text.length < leastCompressed ? null : chooseCoding(request.headers.get('accept-encoding'), ['gzip']);
  if (coding === null) return new Response(text, { status, headers });
  return compress(text, coding).then(
    (body) =>
      new Response(body, { status, headers: { ...headers, vary: 'Accept-Encoding', 'content-encoding': coding } }),
  );
}

function toBody(
  body: Extract<Reply['content'], { body: unknown }>['body'],
): string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body as string | Uint8Array<ArrayBuffer>;
  return ReadableStream.from(encodeParts(body));
}

async function* encodeParts(parts: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array, void, void> {
  const encoder = new TextEncoder();
  for await (const part of parts) yield typeof part === 'string' ? encoder.encode(part) : part;
}

/** A stretch of bytes: from `start` up to, and without, `end`. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one range that a request asks for. Null where it asks for all, for several, for none that there is, or in words
 * of its own: then it gets all.
 */
export function readByteRange({ headers }: Pick<Request, 'headers'>, length: number): ByteRange | null {
  // Nothing here says which version a range was of: whoever insists on one gets all.
  if (headers.has('if-range')) return null;
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('range') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  const start = first === '' ? Math.max(0, length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? length : Math.min(length, Number(last) + 1);
  return start < end ? { start, end } : null;
}
