import { readPagePolicy } from './auth/security-headers.ts';

const pieceLength = 64 * 1024;

/** Lines in pieces that are worth sending. */
async function* joinReplyLines(
  lines: AsyncIterable<string>,
  made: (piece: string) => string = (piece) => piece,
): AsyncGenerator<string, void, void> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < pieceLength) continue;
    yield made(piece);
    piece = '';
  }
  if (piece !== '') yield made(piece);
}

/** One event of a stream. Ids are stable: they are the same from the record as they were live. */
export interface SentEvent {
  id: string;
  type: string;
  data: object;
}

export type EventSource = (options: { after: string | null; signal: AbortSignal }) => AsyncIterable<SentEvent>;

/** A file of which only what is asked for is read: from `start` up to, and without, `end`. */
export interface SentFile {
  bytes: number;
  read(start: number, end: number): Promise<Uint8Array>;
}

/** An answer that is more than a JSON value. */
export class Reply {
  readonly content:
    | { json: unknown }
    | { events: EventSource }
    | { file: SentFile; type: string }
    | { body: Uint8Array | string | AsyncIterable<Uint8Array | string>; type: string };
  readonly headers: Record<string, string>;
  readonly status: number | undefined;

  constructor(
    content: Reply['content'],
    { headers = {}, status }: { headers?: Record<string, string>; status?: number } = {},
  ) {
    this.content = content;
    this.headers = headers;
    this.status = status;
  }
}

/** A value with where it can be asked for again: what an `Idempotency-Key` is answered with the second time. */
export function replyWithLocation(json: unknown, location: string, status?: number): Reply {
  return new Reply({ json }, { headers: { location }, ...(status ? { status } : {}) });
}

/** A stream of events. `location` is where it can be heard again. */
export function replyWithEvents(source: EventSource, location?: string): Reply {
  return new Reply({ events: source }, location === undefined ? {} : { headers: { location } });
}

/** Bytes or text of another media type; a name makes it a file to be saved. */
export function replyWithMedia(
  body: Uint8Array | string | AsyncIterable<Uint8Array | string>,
  type: string,
  name?: string,
): Reply {
  const saved: Record<string, string> =
    name === undefined ? {} : { 'content-disposition': `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"` };
  const allowed: Record<string, string> =
    type.startsWith('text/html') && typeof body === 'string' ? { 'content-security-policy': readPagePolicy(body) } : {};
  return new Reply({ body, type }, { headers: { ...saved, ...allowed } });
}

/** An archive piece by piece. What is wrong with it is said while there is still a status to say it with. */
export async function replyWithArchive(pieces: AsyncGenerator<Uint8Array, void, void>, name: string): Promise<Reply> {
  const first = await pieces.next();
  async function* all() {
    if (first.value) yield first.value;
    yield* pieces;
  }
  return replyWithMedia(all(), 'application/zip', name);
}

/** Lines as a file of one of the two forms that lists are handed out in. */
export function replyWithLines(
  lines: AsyncIterable<string>,
  format: 'csv' | 'jsonl',
  name: string,
  made?: (piece: string) => string,
): Reply {
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl';
  return replyWithMedia(joinReplyLines(lines, made), type, `${name}.${format}`);
}

/** Types of content that somebody brought, as they are handed out: nothing that a browser would run. */
const displayedTypes = new RegExp(
  String.raw`^(?:application/pdf|image/(?:png|jpeg|gif|webp|avif|bmp|tiff)|` +
    String.raw`audio/(?:wav|mpeg|mp4|x-m4a|ogg|opus|flac|aac|webm)|video/(?:mp4|quicktime|webm|ogg|x-m4v|x-matroska))$`,
);

/**
 * A file that somebody brought, whole or in ranges. What is neither an image, nor a recording, nor a PDF is only to be
 * saved.
 */
export function replyWithFile(file: SentFile & { mediaType: string }): Reply {
  const { mediaType } = file;
  const isShown = displayedTypes.test(mediaType);
  const isPlayed = isShown && /^(?:audio|video)\//.test(mediaType);
  return new Reply(
    { file, type: isShown ? mediaType : 'application/octet-stream' },
    {
      headers: {
        // Whoever opens a recording by its address sees a page of the browser's, which plays it and runs no script.
        'content-security-policy': isPlayed
          ? "default-src 'none'; media-src 'self'; frame-ancestors 'none'; sandbox allow-same-origin"
          : "default-src 'none'; frame-ancestors 'none'; sandbox",
        ...(isShown ? {} : { 'content-disposition': 'attachment' }),
      },
    },
  );
}
