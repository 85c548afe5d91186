import { constants } from 'node:fs';
import { open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import { cannotWriteError, readLines, type NumberedLine } from '@agonhq/engine/items';
import { lockOutput } from './output-lock.ts';

/** What a run writes for an item: its result, or why there is none. */
export interface ResultRecord {
  line: number;
  key: string;
  result?: unknown;
  error?: { code: string; message: string; hint: string };
}

export interface ResultFile {
  /** Keys of the items that already have a result. */
  done: ReadonlySet<string>;
  write(record: ResultRecord): Promise<void>;
  close(): Promise<void>;
}

/** Results are JSON Lines: whoever opens a file by the name of another format would find it broken. */
export function assertNamedForLines(file: string): void {
  const [ending] = /\.(?:csv|tsv|xlsx?|ods|html?|md|pdf|docx?|xml|sarif)$/i.exec(file) ?? [];
  if (ending === undefined) return;
  throw new AgonError('unknown-report-format', `${file} is named as ${ending}, and results are JSON Lines.`, {
    library: 'End the name in .jsonl.',
    cli: 'End the name in .jsonl; `agon runs export RUN` writes .csv, .xml (JUnit) and .sarif too.',
  });
}

/**
 * Opens the output of a run. What an earlier run wrote is kept: its results are `done`; its errors, and a last line
 * that a crash cut short, are dropped so that those items are tried again. One process at a time; a file that holds
 * anything but results is refused. `onKept` sees each result that is kept, and may refuse the file by throwing.
 */
export async function openResultFile(
  place: string,
  onKept: (record: ResultRecord) => void = () => {},
): Promise<ResultFile> {
  const { kept, ...output } = await openRecords(place, 'a', (file) => keepResults(file, onKept));
  return { done: kept ?? new Set(), ...output };
}

/** Where the results of a run are written while it goes on. */
export type RunOutput = Omit<ResultFile, 'done'>;

/**
 * Opens the output of a run, empty: what is in it comes from the ledger, anew each time. One process at a time. A file
 * that holds anything but results is refused; so are results, unless the run is one that goes on.
 */
export async function openRunOutput(place: string, { resumed }: { resumed: boolean }): Promise<RunOutput> {
  const { write, close } = await openRecords(place, 'w', (file) => assertReplaceable(file, resumed));
  return { write, close };
}

/** Locks a file, has a look at what is in it, and opens it for records. */
async function openRecords<Kept>(
  place: string,
  flag: 'a' | 'w',
  prepare: (file: string) => Promise<Kept>,
): Promise<RunOutput & { kept: Kept | null }> {
  assertNamedForLines(place);
  try {
    const file = await realpath(place).catch(() => place);
    // A device or a pipe holds nothing to go on from, and needs no lock.
    const special = await stat(file).then(
      (found) => !found.isFile(),
      () => false,
    );
    const release = special ? async () => {} : await lockOutput(file);
    try {
      const kept = special ? null : await prepare(file);
      return { kept, ...writeTo(await open(file, special ? constants.O_WRONLY : flag), file, release) };
    } catch (error) {
      await release();
      throw error;
    }
  } catch (error) {
    throw AgonError.is(error) ? error : cannotWriteError(place, error);
  }
}

function writeTo(handle: FileHandle, file: string, release: () => Promise<void>): RunOutput {
  return {
    async write(record) {
      await handle.appendFile(`${JSON.stringify(record)}\n`).catch((error: unknown) => {
        throw cannotWriteError(file, error);
      });
    },
    async close() {
      await handle.close();
      await release();
    },
  };
}

async function openExisting(file: string): Promise<FileHandle | null> {
  return open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function assertReplaceable(file: string, resumed: boolean): Promise<void> {
  const first = await readFirstLine(file);
  if (first === undefined) return;
  // Whatever a crash left of a record is one, too.
  if (!recordOf(first.text) && (first.ended || first.text === null || !isBegunRecord(first.text)))
    throw new AgonError(
      'not-results',
      `${file} is not a file of results.`,
      'Nothing was changed. Give another --out, or remove the file.',
    );
  if (!resumed)
    throw new AgonError(
      'output-exists',
      `${file} holds the results of another run.`,
      'Nothing was changed. Give another --out, or remove the file; `agon runs resume RUN --out FILE` goes on ' +
        'with a run.',
    );
}

async function readFirstLine(file: string): Promise<NumberedLine | undefined> {
  const existing = await openExisting(file);
  for await (const line of existing ? readLines(existing.createReadStream()) : []) return line;
  return undefined;
}

async function keepResults(file: string, onKept: (record: ResultRecord) => void): Promise<Set<string>> {
  const existing = await openExisting(file);
  if (!existing) return new Set();

  const kept = `${file}.resume-${process.pid}`;
  const copy = await open(kept, 'w', (await existing.stat()).mode);
  try {
    const { done, changed } = await copyResults(existing, copy, file, onKept);
    await copy.sync();
    if (changed) await rename(kept, file);
    return done;
  } finally {
    await copy.close();
    await rm(kept, { force: true });
  }
}

async function copyResults(
  existing: FileHandle,
  copy: FileHandle,
  file: string,
  onKept: (record: ResultRecord) => void,
): Promise<{ done: Set<string>; changed: boolean }> {
  const done = new Set<string>();
  let changed = false;
  let number = 0;
  for await (const { text, ended } of readLines(existing.createReadStream())) {
    number += 1;
    const record = recordOf(text);
    if (!record && text !== '' && (ended || !isBegunRecord(text))) throw notResults(file, number);
    const keep = record?.result !== undefined && !done.has(record.key);
    changed ||= !keep || !ended;
    if (!keep) continue;
    done.add(record.key);
    onKept(record);
    await copy.appendFile(`${text}\n`);
  }
  return { done, changed };
}

/** The records of a file that a run wrote, one at a time. */
export async function* readResults(path: string): AsyncGenerator<ResultRecord, void, void> {
  const file = await open(path, 'r');
  for await (const { text } of readLines(file.createReadStream())) {
    const record = recordOf(text);
    if (record) yield record;
  }
}

function recordOf(text: string | null): ResultRecord | null {
  try {
    const record = JSON.parse(text ?? '') as Partial<ResultRecord> | null;
    const known =
      typeof record?.key === 'string' && typeof record.line === 'number' && ('result' in record || 'error' in record);
    return known ? (record as ResultRecord) : null;
  } catch {
    return null;
  }
}

/** Whether a text may be the beginning of a record, as a crash leaves it (in the middle of a character, too: null). */
function isBegunRecord(text: string | null): boolean {
  const opening = '{"line":';
  return text === null || text.startsWith(opening) || opening.startsWith(text);
}

function notResults(file: string, line: number): AgonError {
  return new AgonError(
    'not-results',
    `${file} is not a file of results: its line ${line} is something else.`,
    'Nothing was changed. Give another --out, or remove the file.',
  );
}
