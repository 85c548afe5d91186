import { createHash } from 'node:crypto';
import { AgonError } from '@agonhq/engine/agon-error';
import { createZipWriter, encodeText, type ZipEntry } from '@agonhq/engine/container';

/** A file of an archive, as its manifest names it. */
export interface ArchivedFile {
  name: string;
  bytes: number;
  sha256: string;
  /** Of a file with lines. */
  lines?: number;
}

/** Writes an archive piece by piece, and remembers what is in it. */
export interface ArchiveWriter {
  readonly files: readonly ArchivedFile[];
  add(entry: ZipEntry & { lines?: number }): Uint8Array[];
  /** Lines in files of a few megabytes: `cases-0001.jsonl`, `cases-0002.jsonl`, … */
  addLines(name: string, values: AsyncIterable<object>): AsyncGenerator<Uint8Array, void, void>;
  end(): Uint8Array[];
}

/** Of the lines of one file, about so many characters. */
const fileLength = 8_000_000;

export function createArchive(): ArchiveWriter {
  const zip = createZipWriter();
  const files: ArchivedFile[] = [];
  const add: ArchiveWriter['add'] = ({ name, bytes, lines }) => {
    try {
      const pieces = zip.add({ name, bytes });
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      files.push({ name, bytes: bytes.length, sha256, ...(lines === undefined ? {} : { lines }) });
      return pieces;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new AgonError(
        'archive-too-large',
        'What is on record of this author does not fit into one archive of 4 GiB.',
        {
          library: 'Leave out the files.',
          cli: 'Leave out the files: --without-files.',
          api: 'Ask for it with files=false.',
        },
        { cause: error },
      );
    }
  };
  return {
    files,
    add,
    async *addLines(name, values) {
      let [text, lines, number] = ['', 0, 0];
      const flush = () => {
        number += 1;
        const bytes = encodeText(text);
        const entry = { name: `${name}-${String(number).padStart(4, '0')}.jsonl`, bytes, lines };
        [text, lines] = ['', 0];
        return add(entry);
      };
      for await (const value of values) {
        text += `${JSON.stringify(value)}\n`;
        lines += 1;
        if (text.length >= fileLength) yield* flush();
      }
      if (lines > 0) yield* flush();
    },
    end: () => zip.end(),
  };
}
