import { AgonError } from '@agonhq/engine/agon-error';

/** What no request of ours comes near, and a parser could be kept busy with for seconds. */
const mostDepth = 64;
const mostMembers = 100_000;

const letter = (text: string) => text.charCodeAt(0);
const [quote, backslash, comma, colon, space] = [letter('"'), letter('\\'), letter(','), letter(':'), letter(' ')];
const [openBrace, openBracket, closeBrace, closeBracket] = [letter('{'), letter('['), letter('}'), letter(']')];

/**
 * Throws when JSON is nested deeper, or has more members, than anything that is asked here, or a member twice, of which
 * parsers take one or the other: before it is parsed.
 */
export function assertModest(bytes: Uint8Array): void {
  /** The members of the objects that are open, null for lists. */
  const open: (Set<string> | null)[] = [];
  let members = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      const start = at;
      at = findEndOfString(bytes, at);
      const names = open.at(-1);
      if (names && isFollowedByColon(bytes, at)) addName(names, bytes.subarray(start, at + 1));
    } else if (byte === openBrace) open.push(new Set());
    else if (byte === openBracket) open.push(null);
    else if (byte === closeBrace || byte === closeBracket) open.pop();
    else if (byte === comma) members += 1;
    if (open.length > mostDepth) throw tooComplex(`nested more than ${mostDepth} deep`);
    if (members > mostMembers) throw tooComplex(`of more than ${mostMembers.toLocaleString('en')} members`);
  }
}

function isFollowedByColon(bytes: Uint8Array, end: number): boolean {
  let at = end + 1;
  while (bytes[at]! <= space) at += 1;
  return bytes[at] === colon;
}

function addName(names: Set<string>, written: Uint8Array): void {
  const text = Buffer.from(written).toString('utf8');
  const name = written.includes(backslash) ? readEscaped(text) : text.slice(1, -1);
  if (names.has(name))
    throw new AgonError(
      'bad-json',
      `The body has a member ${JSON.stringify(name.slice(0, 60))} twice.`,
      'Send each member once.',
    );
  names.add(name);
}

/** What is no text is told by the parser. */
function readEscaped(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Texts are skipped quote by quote: an image in base64 is one of them. */
function findEndOfString(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return bytes.length;
}

function tooComplex(how: string): AgonError {
  return new AgonError('bad-json', `The body is JSON ${how}.`, 'GET /docs shows what this operation takes.');
}

/** The JSON of a request, of so many bytes at most. */
export async function readJson(request: Request, mostBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, mostBytes);
  if (bytes.length === 0) throw new AgonError('bad-json', 'The request has no body.', 'Send a JSON object.');
  assertModest(bytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AgonError('bad-json', 'The body is not UTF-8.', 'Send JSON in UTF-8.', { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AgonError(
      'bad-json',
      'The body is not JSON.',
      'Send one JSON value, with Content-Type: application/json.',
      { cause: error },
    );
  }
}

async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new AgonError(
      'body-too-large',
      `The body is larger than ${mostBytes.toLocaleString('en')} bytes.`,
      'Send less at once; server.bodyBytes sets the limit.',
    );
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > mostBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (AgonError.is(error)) throw error;
    throw new AgonError('cancelled', 'The body ended too early.', 'Send it again.', { cause: error });
  }
  return Buffer.concat(chunks, size);
}
