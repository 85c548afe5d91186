import { AgonError } from '../../errors.ts';
import type { GuardedPrompt } from '../../guard/index.ts';
import { selectTexts, type Fields } from './http-options.ts';

/** A body with its type, as it came in or as somebody parsed it already. */
export type Body = { type: string; bytes: Uint8Array<ArrayBuffer> } | { parsed: unknown };

/** What of a body is judged; what cannot be read is named. */
export function readBody(body: Body, fields: Fields): GuardedPrompt {
  if ('parsed' in body) return { text: selectTexts(body.parsed, fields).join('\n') };
  const { bytes } = body;
  const type = mediaTypeOf(body.type);
  if (bytes.length === 0) return { text: '' };
  if (type.startsWith('image/')) return { text: '', images: [{ data: bytes }] };
  if (isJson(type)) return { text: selectTexts(parseJson(bytes), fields).join('\n') };
  if (type === 'application/x-www-form-urlencoded') {
    const values = Object.fromEntries(new URLSearchParams(decode(bytes)));
    return { text: selectTexts(values, fields).join('\n') };
  }
  if (type.startsWith('text/') || type === '') return { text: decode(bytes) };
  return { text: '', skipped: [type] };
}

export function mediaTypeOf(header: string | null | undefined): string {
  return (header ?? '').split(';')[0]!.trim().toLowerCase();
}

/** Types that are read as text, and that which nobody named. */
export function isText(type: string): boolean {
  return type === '' || type.startsWith('text/') || textTypes.test(type);
}

const textTypes =
  /^application\/(?:(?:.*\+)?xml|(?:x-)?(?:ndjson|jsonl|jsonlines|json-seq|javascript|yaml)|x-www-form-urlencoded)$/;

export function isJson(type: string): boolean {
  return type === 'application/json' || type.endsWith('+json');
}

export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decode(bytes));
  } catch (error) {
    throw new AgonError('bad-json', 'The body is not JSON.', 'Send JSON in UTF-8, or another content type.', {
      cause: error,
    });
  }
}

/** The value, or undefined where it is no JSON. */
export function tryJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a content type names UTF-8, or nothing else. */
export function isUtf8Named(contentType: string | null): boolean {
  return /^(?:utf-?8|us-ascii)$/.test(charsetOf(contentType));
}

function charsetOf(contentType: string | null): string {
  return /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
}

/** The words of a body in the charset that its type names; null where they are not in it, or nobody knows it. */
export function decodeText(bytes: Uint8Array, contentType: string | null): string | null {
  try {
    return new TextDecoder(charsetOf(contentType), { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const formats: Readonly<Record<string, ConstructorParameters<typeof DecompressionStream>[0]>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
};

/** A body without its content encodings; null where one of them is unknown. */
export function inflate(
  body: ReadableStream<Uint8Array>,
  encoding: string | null | undefined,
): ReadableStream<Uint8Array> | null {
  const named = (encoding ?? '').split(',').map((one) => one.trim().toLowerCase());
  const packed = named.filter((one) => one !== '' && one !== 'identity').toReversed();
  if (!packed.every((one) => Object.hasOwn(formats, one))) return null;
  return packed.reduce((stream, one) => stream.pipeThrough(new DecompressionStream(formats[one]!)), body);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** All bytes of a body, up to a limit. */
export async function readBytes(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxBytes)
      throw new AgonError(
        'body-too-large',
        `The body has more than ${maxBytes.toLocaleString('en')} bytes.`,
        'Send less, or raise maxBytes of the guard.',
      );
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
