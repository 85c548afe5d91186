import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { codingFor, type Coding } from './content-coding.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const packBrotli = promisify(brotliCompress);
const packGzip = promisify(gzip);

/** Off the main thread. Brotli at its best would take seconds of somebody who waits. */
export async function packed(bytes: string | Uint8Array, coding: Coding): Promise<Bytes> {
  return coding === 'br' ? packBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) : packGzip(bytes);
}

/** What is sent again and again: packed when somebody first asks for it so, and kept. */
export interface Packable {
  for(acceptEncoding: string | null): Promise<{ body: Bytes; coding: Coding | null }>;
}

/** `ready` is what was packed before. */
export function packable(bytes: Bytes, ready: Partial<Record<Coding, Bytes>> = {}): Packable {
  const kept = new Map<Coding, Promise<Bytes>>(
    Object.entries(ready).map(([coding, body]) => [coding as Coding, Promise.resolve(body)]),
  );

  function inCoding(coding: Coding): Promise<Bytes> {
    const known = kept.get(coding);
    if (known) return known;
    const made = packed(bytes, coding);
    kept.set(coding, made);
    return made;
  }

  return {
    async for(acceptEncoding) {
      const coding = codingFor(acceptEncoding);
      const body = coding === null ? bytes : await inCoding(coding);
      return coding === null || body.length >= bytes.length ? { body: bytes, coding: null } : { body, coding };
    },
  };
}
