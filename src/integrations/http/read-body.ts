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
