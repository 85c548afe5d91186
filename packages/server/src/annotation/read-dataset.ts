import { readInputValues, type InputFormat } from '@agonhq/engine/items';
import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AgonError, type Issue } from '@agonhq/engine/agon-error';
import type { NewAnnotationItem } from '@agonhq/ledger';
import { cleanUploadName } from '../http/upload-storage.ts';
import type { UploadedFile } from '../http/read-upload.ts';
import { layout, readRow, type ReadRow } from './read-row.ts';

export interface DatasetReading {
  format?: InputFormat | undefined;
  map?: Readonly<Record<string, string>> | undefined;
  signal?: AbortSignal;
}

export interface UploadedDataset {
  /** The files that its items show, with what they are. */
  images: readonly (UploadedFile & { mediaType: string })[];
  /** Its items, read once more: they need not be in memory all at once. */
  items(): AsyncIterable<NewAnnotationItem>;
}

const mostItems = 50_000;
/** So many rows are read at a stretch: a file of short ones would hold up everybody else. */
const atOnce = 200;
/** More are not told: they are too many to be read. */
const mostIssues = 100;

/** What a browser shows. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/**
 * Reads a dataset whole: the first file, whose items name the others. Every row that cannot be used is told with its
 * line.
 */
export async function readUploadedDataset(
  [file, ...others]: readonly UploadedFile[],
  reading: DatasetReading,
): Promise<UploadedDataset> {
  assertFields(reading.map);
  const rows = () => readRows(file!, reading);
  const gallery = openImages(others);
  const issues: Issue[] = [];
  const lines = new Map<string, number>();
  const tell = (line: number, reason: string) => issues.length < mostIssues && issues.push({ line, column: 1, reason });
  let broken = 0;
  let items = 0;
  try {
    for await (const found of rows()) {
      items += 1;
      if (items > mostItems)
        throw new AgonError(
          'too-much-data',
          `${file!.name} has more than ${mostItems.toLocaleString('en')} items.`,
          'Split it into several projects.',
        );
      const reasons =
        'error' in found
          ? [found.error.message]
          : [...findIdProblem(found.row, found.line, lines), ...(await gallery.problemsWith(found.row.images))];
      if (reasons.length > 0) broken += 1;
      for (const reason of reasons) tell(found.line, reason);
    }
  } catch (error) {
    // A table that cannot be read on.
    if (AgonError.is(error) && error.code === 'broken-csv')
      throw new AgonError('broken-csv', error.message, 'Correct the file, and send it again.', {
        cause: error,
        ...(issues.length > 0 ? { issues } : {}),
      });
    throw error;
  }
  if (issues.length > 0) throw unusableDataset(file!.name, broken, issues);
  if (items === 0)
    throw new AgonError(
      'empty-dataset',
      `${file!.name} holds no items.`,
      `Each line is one item, for example ${layout.example}; a table has a header.`,
    );
  return { images: gallery.shown(), items: () => readItems(rows(), gallery) };
}

function assertFields(map: DatasetReading['map'] = {}): void {
  const unknown = Object.keys(map).find((field) => !layout.fields.includes(field));
  if (unknown !== undefined)
    throw new AgonError(
      'bad-request',
      `map: an item has no field ${JSON.stringify(unknown)}.`,
      `Fields are ${layout.fields.join(', ')}; what the dataset calls them is the value.`,
    );
}

type FoundRow = { line: number } & ({ row: ReadRow } | { error: AgonError });

async function* readRows(
  { path, name }: UploadedFile,
  { format, map, signal }: DatasetReading,
): AsyncGenerator<FoundRow, void, void> {
  let read = 0;
  for await (const found of readInputValues(path, layout, { name, format, map, signal })) {
    const { line } = found;
    if ((read += 1) % atOnce === 0) await nextTurn();
    if ('error' in found) {
      yield { line, error: found.error };
      continue;
    }
    try {
      yield { line, row: readRow(found.value) };
    } catch (error) {
      if (!AgonError.is(error)) throw error;
      yield { line, error };
    }
  }
}

/** Of items without an id, the line is one. */
function nameItem({ id }: ReadRow, line: number): string {
  return id ?? `line-${line}`;
}

function findIdProblem(row: ReadRow, line: number, lines: Map<string, number>): string[] {
  const id = nameItem(row, line);
  const first = lines.get(id);
  if (first === undefined) lines.set(id, line);
  return first === undefined ? [] : [`Its id ${JSON.stringify(id)} is that of line ${first}.`];
}

async function* readItems(
  rows: AsyncIterable<FoundRow>,
  gallery: UploadedImages,
): AsyncGenerator<NewAnnotationItem, void, void> {
  let position = 0;
  for await (const found of rows) {
    if ('error' in found) throw found.error;
    const { row, line } = found;
    yield {
      position,
      key: nameItem(row, line),
      content: row.content,
      images: row.images.map((name) => ({ name, hash: gallery.find(name)!.hash })),
    };
    position += 1;
  }
}

type UploadedImages = ReturnType<typeof openImages>;

/** The images that came with a dataset, by the last part of their names: an upload has no folders. */
function openImages(files: readonly UploadedFile[]) {
  const byName = new Map(files.map((file) => [file.name, file]));
  const types = new Map<string, string | null>();
  const paths = new Map<string, string>();
  const find = (name: string) => byName.get(cleanUploadName(name, ''));

  async function problemWith(name: string): Promise<string | null> {
    const file = find(name);
    if (!file) return `The image ${JSON.stringify(name)} is not among the files that were sent.`;
    const other = paths.get(file.name) ?? name;
    paths.set(file.name, other);
    if (other !== name)
      return (
        `The images ${JSON.stringify(other)} and ${JSON.stringify(name)} have the same file name: rename one ` +
        'of them.'
      );
    if (!types.has(file.name)) types.set(file.name, await detectImageType(file.path));
    return types.get(file.name) === null
      ? `${JSON.stringify(name)} is no image that a browser shows: PNG, JPEG, GIF, WebP, AVIF or BMP.`
      : null;
  }

  return {
    find,
    async problemsWith(names: readonly string[]): Promise<string[]> {
      const problems: string[] = [];
      for (const name of names) {
        const problem = await problemWith(name);
        if (problem !== null) problems.push(problem);
      }
      return problems;
    },
    shown: (): UploadedDataset['images'] =>
      [...types].flatMap(([name, mediaType]) => (mediaType === null ? [] : [{ ...byName.get(name)!, mediaType }])),
  };
}

/** What a file is by how it begins; null when it is none of ours. */
async function detectImageType(file: string): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type');
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(4100), 0, 4100, 0);
    const mime = (await fileTypeFromBuffer(buffer.subarray(0, bytesRead)))?.mime;
    const type = mime === 'image/apng' ? 'image/png' : mime;
    return type !== undefined && imageTypes.has(type) ? type : null;
  } finally {
    await handle.close();
  }
}

function unusableDataset(name: string, broken: number, issues: readonly Issue[]): AgonError {
  const [{ line, reason }] = issues as [Issue];
  const rows = broken === 1 ? 'A row' : `${broken.toLocaleString('en')} rows`;
  return new AgonError(
    'broken-dataset',
    `${rows} of ${name} cannot be used; line ${line}: ${reason}`,
    'Nothing was created. Correct the file, and send it again with the images that it names.',
    { issues },
  );
}
