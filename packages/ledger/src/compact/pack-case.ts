import { randomFillSync } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { AgonError } from '@agonhq/engine/agon-error';

/*
 * What no column says of a case that is a single row is packed: a line of JSON each, letter by letter as it was,
 * compressed against the dictionary of its set-up (write-dictionary.ts), behind a salt.
 */

/** Each as JSON. */
export interface CaseParts {
  answer: string;
  content: string;
  /** `null` where there is none. */
  context: string;
  rule: string;
}

const saltBytes = 8;
const salts = Buffer.alloc(512 * saltBytes);
let used = salts.length;

/** JSON has no line breaks of its own. */
export const writeParts = ({ answer, content, context, rule }: CaseParts): string =>
  [answer, content, context, rule].join('\n');

export function compress(text: string, dictionary: Uint8Array): Uint8Array {
  return deflateRawSync(text, { dictionary });
}

/** Nothing leads from the hash of a row to what is packed in it once its salt is gone. */
export function addSalt(compressed: Uint8Array): Uint8Array {
  if (used === salts.length) {
    randomFillSync(salts);
    used = 0;
  }
  return Buffer.concat([salts.subarray(used, (used += saltBytes)), compressed]);
}

export function unpackCase(id: string, packed: Uint8Array, dictionary: Uint8Array): CaseParts {
  try {
    const text = inflateRawSync(packed.subarray(saltBytes), { dictionary }).toString('utf8');
    const [answer, content, context, rule] = text.split('\n') as [string, string, string, string];
    return { answer, content, context, rule };
  } catch (error) {
    throw new AgonError(
      'damaged-ledger',
      `The case ${id} cannot be unpacked.`,
      'Restore the ledger from an export or a backup.',
      { cause: error },
    );
  }
}
