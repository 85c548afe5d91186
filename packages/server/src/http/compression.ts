import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** How an answer may be packed, the best first. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/**
 * The coding that a client wants most of those that it takes (`Accept-Encoding`), the better one where it does not
 * mind; null for none.
 */
export function chooseCoding(accepted: string | null, offered: readonly Coding[] = codings): Coding | null {
  if (!accepted) return null;
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name, weight] = part.split(';').map((text) => text.trim());
        return [name!, weight === undefined ? 1 : Number(/^q=([\d.]+)$/.exec(weight)?.[1] ?? 0)] as const;
      }),
  );
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0;
  const best = offered.toSorted((one, other) => weightOf(other) - weightOf(one))[0];
  return best !== undefined && weightOf(best) > 0 ? best : null;
}

type Bytes = Uint8Array<ArrayBuffer>;

const packBrotli = promisify(brotliCompress);
const packGzip = promisify(gzip);

/** Off the main thread. Brotli at its best would take seconds of somebody who waits. */
export async function compress(bytes: string | Uint8Array, coding: Coding): Promise<Bytes> {
  return coding === 'br' ? packBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) : packGzip(bytes);
}

/** What is sent again and again: packed when somebody first asks for it so, and kept. */
export interface Compressible {
  for(acceptEncoding: string | null): Promise<{ body: Bytes; coding: Coding | null }>;
}

/** `ready` is what was packed before. */
export function createCompressible(bytes: Bytes, ready: Partial<Record<Coding, Bytes>> = {}): Compressible {
  const kept = new Map<Coding, Promise<Bytes>>(
    Object.entries(ready).map(([coding, body]) => [coding as Coding, Promise.resolve(body)]),
  );

  function inCoding(coding: Coding): Promise<Bytes> {
    const known = kept.get(coding);
    if (known) return known;
    const made = compress(bytes, coding);
    kept.set(coding, made);
    return made;
  }

  return {
    async for(acceptEncoding) {
      const coding = chooseCoding(acceptEncoding);
      const body = coding === null ? bytes : await inCoding(coding);
      return coding === null || body.length >= bytes.length ? { body: bytes, coding: null } : { body, coding };
    },
  };
}
