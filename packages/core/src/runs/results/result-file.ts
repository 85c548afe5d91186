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
  path: string,
  onKept: (record: ResultRecord) => void = () => {},
): Promise<ResultFile> {
  assertNamedForLines(path);
  try {
    const file = await realpath(path).catch(() => path);
    // A device or a pipe holds nothing to go on from, and needs no lock.
    const special = await stat(file).then(
      (found) => !found.isFile(),
      () => false,
    );
    const release = special ? async () => {} : await lockOutput(file);
    return await openLocked(file, special, release, onKept).catch(async (error: unknown) => {
      await release();
      throw error;
    });
  } catch (error) {
    throw AgonError.is(error) ? error : cannotWriteError(path, error);
  }
}

async function openLocked(
  file: string,
  special: boolean,
  release: () => Promise<void>,
  onKept: (record: ResultRecord) => void,
): Promise<ResultFile> {
  const done = special ? new Set<string>() : await keepResults(file, onKept);
  const handle = await open(file, special ? constants.O_WRONLY : 'a');
  return {
    done,
    write: async (record) => {
      await handle.appendFile(`${JSON.stringify(record)}\n`).catch((error: unknown) => {
        throw cannotWriteError(file, error);
      });
    },
    close: async () => {
      await handle.close();
      await release();
    },
  };
}

async function keepResults(file: string, onKept: (record: ResultRecord) => void): Promise<Set<string>> {
  const existing = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
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

/** Whether a line is a record, or as much of one as a crash leaves. */
export function isJsonRecord({ text, ended }: NumberedLine): boolean {
  return recordOf(text) !== null || (!ended && text !== null && isBegunRecord(text));
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
