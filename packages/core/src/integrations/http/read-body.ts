import { isUtf8 } from 'node:buffer';
import { AgonError } from '@agonhq/engine/agon-error';
import type { GuardedPrompt } from '../../guard/index.ts';
import { selectTexts, type Fields } from './http-options.ts';

/** A body with its type, as it came in, or as somebody parsed it already. */
export type Body =
  | { type: string; encoding?: string | null | undefined; bytes: Uint8Array<ArrayBuffer> }
  | { parsed: unknown; unread?: readonly string[] };

/** What of a body is judged, and what of it nobody here can read. */
interface ReadBody extends GuardedPrompt {
  images: { data: Uint8Array<ArrayBuffer> }[];
  unread: readonly string[];
}

/** All that whoever reads a body could take from it, also against its type: the sender chooses that. */
export async function readBody(body: Body, fields: Fields): Promise<ReadBody> {
  if ('parsed' in body) return toPrompt(chooseTexts(body.parsed, fields), { unread: body.unread ?? [] });
  const { bytes, encoding } = body;
  if (bytes.length === 0) return toPrompt([]);
  if (!/^(?:identity)?$/i.test(encoding ?? '')) return toPrompt([], { unread: [encoding!] });
  const type = mediaTypeOf(body.type);
  if (type === 'multipart/form-data') return readParts(bytes, body.type);
  const text = decode(bytes);
  if (isJson(type)) {
    const value = parseJsonBody(bytes);
    return toPrompt(repeatsName(text, value) ? listWritten(text) : chooseTexts(value, fields));
  }
  if (tryJson(text) !== undefined) return toPrompt(listWritten(text));
  if (type.startsWith('image/')) return toPrompt([], { images: [{ data: bytes }] });
  if (!isText(type)) return toPrompt(isUtf8(bytes) ? [text] : [], { unread: [type] });
  // One reader goes by the charset that is named, another by UTF-8.
  const named = isUtf8Named(body.type) ? text : decodeBody(bytes, body.type);
  const texts = new Set([text, named ?? text]);
  return toPrompt([...texts].flatMap(type === formType ? listFormTexts : listTextAndForm), {
    unread: named === null ? [body.type] : [],
  });
}

const formType = 'application/x-www-form-urlencoded';

function toPrompt(texts: readonly string[], rest: Partial<Pick<ReadBody, 'images' | 'unread'>> = {}): ReadBody {
  const { images = [], unread = [] } = rest;
  return { text: texts.filter((text) => text !== '').join('\n'), images, unread };
}

/** The texts that are named, or all of them where none of these is there: then the handler takes something else. */
function chooseTexts(value: unknown, fields: Fields): string[] {
  const chosen = fields === undefined ? [] : selectTexts(value, fields);
  if (chosen.length > 0) return chosen;
  return [...selectTexts(value, undefined), ...listNames(value).filter(isNoName)];
}

/** Of members of one name some readers take the first, others the last: then fewer strings are read than written. */
function repeatsName(json: string, value: unknown): boolean {
  return selectTexts(value, undefined).length + listNames(value).length < listWritten(json).length;
}

function listNames(value: unknown, names: string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return names;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) names.push(name);
    listNames(member, names);
  }
  return names;
}

/** Every string that is written in JSON, the names of members too. */
function listWritten(json: string): string[] {
  return Array.from(json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g), ([one]) => JSON.parse(one) as string);
}

/** A name that is read as a text: words, or more than anybody calls a field. */
function isNoName(name: string): boolean {
  return name !== '' && !/^[\w.[\]:/-]{1,60}$/.test(name);
}

/** All values of a form, and names that are none. */
function listFormTexts(form: string): string[] {
  return [...new URLSearchParams(form)].flatMap(([name, value]) => [...[name].filter(isNoName), ...listValue(value)]);
}

function listTextAndForm(text: string): string[] {
  return text.includes('=') && /[+%]/.test(text) ? [text, ...listFormTexts(text)] : [text];
}

function listValue(text: string): string[] {
  return tryJson(text) === undefined ? [text] : listWritten(text);
}

/** The parts of a form. What its readers would not agree on is refused: another boundary, text around, packed parts. */
async function readParts(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<ReadBody> {
  const written = Buffer.from(bytes).toString('latin1').trimEnd();
  const [head, quoted, plain, ...rest] = type.split(/;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i);
  const mark = `--${quoted ?? plain}`;
  const isClear =
    rest.length === 1 &&
    !/boundary/i.test(head! + rest[0]!) &&
    written.startsWith(mark) &&
    written.indexOf(`${mark}--`) === written.length - mark.length - 2 &&
    !/^content-transfer-encoding:\s*(?:base64|quoted-printable)/im.test(written);
  const form = isClear
    ? await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => null)
    : null;
  if (!form)
    throw new AgonError('bad-upload', 'The form cannot be read in one way only.', 'Send it as FormData would be sent.');
  const parts = await Promise.all(
    Array.from(form, async ([name, value]): Promise<ReadBody> => {
      if (typeof value === 'string') return toPrompt([...[name].filter(isNoName), ...listValue(value)]);
      const read = await readBody({ type: value.type, bytes: new Uint8Array(await value.arrayBuffer()) }, undefined);
      return toPrompt([...[name, value.name].filter(isNoName), read.text], read);
    }),
  );
  return toPrompt(
    parts.map(({ text }) => text),
    { images: parts.flatMap(({ images }) => images), unread: parts.flatMap(({ unread }) => unread) },
  );
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

export function parseJsonBody(bytes: Uint8Array): unknown {
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
export function decodeBody(bytes: Uint8Array, contentType: string | null): string | null {
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
