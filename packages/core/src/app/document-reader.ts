import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { AgonError, reviveError, type StoredError } from '@agonhq/engine/agon-error';
import type { ReadDossier } from '@agonhq/documents';
import type { DocumentPicture, NamedBytes } from '@agonhq/judges/job';
import type { ReadFilesOptions } from './read-files.ts';

/**
 * What the process is given: the caller's limits, not its signal, and whether it is to ask before it reads. The bytes
 * of files follow on a pipe of their own, in this order.
 */
export interface ReadingOrder extends Omit<ReadFilesOptions, 'signal' | 'admit'> {
  files: readonly (string | { name: string; length: number })[];
  asksFirst: boolean;
  /** Whether pictures of text may be looked at. */
  mayLook: boolean;
}

/** What the process says: what it read, why it did not, or what it is to ask first. */
export type ReadingAnswer =
  | { dossier: ReadDossier }
  | { error: StoredError }
  | { failure: string }
  | { pictures: readonly DocumentPicture[] }
  | { hasToLook: true };

/** What a process that asked is told. */
export interface ReaderAdmission {
  admitted: boolean;
}

/** Where the process finds the pipe. */
export const bytesFd = 4;

/** What a reader may use up. */
export interface ReaderLimits {
  /** MiB of the whole process. */
  memory: number;
  /** For one reading. */
  seconds: number;
}

export interface ReadApartOptions extends ReadFilesOptions {
  /**
   * False where there is no memory for the networks that read pictures of text: what has any is not read, and
   * `HasToLook` thrown.
   */
  mayLook?: boolean;
}

/** Some pages are pictures of text. */
export class HasToLook extends Error {}

/** Reads files as `readDossier` does, in a process of its own, one dossier after the other. */
export interface DocumentReader {
  read(files: readonly (string | NamedBytes)[], options?: ReadApartOptions): Promise<ReadDossier>;
  /** False after an abort or a failure, which end the process. */
  readonly usable: boolean;
  close(): Promise<void>;
}

/** The bundler gives the file another place. */
const processFile = new URL(
  import.meta.url.endsWith('.ts') ? './reading-process.ts' : './reading-process.js',
  import.meta.url,
);

/** Variables that a reader needs; keys and secrets are not for it. */
const passedOn = [
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SystemRoot',
  'TMPDIR',
  'TEMP',
  'HOME',
  'USERPROFILE',
  'AGON_HOME',
  'AGON_PARTS',
];

/**
 * Starts a process that reads: whatever a file does to its reader, whoever waits for it goes on, and gets its memory
 * back. It is killed at once by an abort, by a file that takes more memory than it may (buffers and networks too,
 * which a heap's limit does not count), and by one that takes too long. It keeps this process alive only while it
 * reads, and ends with it.
 *
 * @example const dossier = await openDocumentReader().read([{ name: 'report.pdf', bytes }])
 */
export function openDocumentReader({ memory = 1_024, seconds = 900 }: Partial<ReaderLimits> = {}): DocumentReader {
  const child = fork(processFile, [String(memory)], {
    // Of the heap less than of all: so garbage is collected before the process is killed for it.
    execArgv: [`--max-old-space-size=${Math.round(memory * 0.75)}`],
    env: Object.fromEntries(passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
  const bytes = child.stdio[bytesFd] as Duplex;
  let waiting: PromiseWithResolvers<ReadingAnswer> | null = null;
  let ended: Error | null = null;
  let read = 'the files';
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = (error: Error) => {
    ended ??= error;
    waiting?.reject(ended);
    child.kill('SIGKILL');
  };
  child.on('message', (answer: ReadingAnswer) => waiting?.resolve(answer));
  child.on('error', (error) => end(describeEnd(error.message)));
  child.on('exit', (code, signal) =>
    end(
      // By its own watch, by V8, or by a system that is out of memory.
      signal === 'SIGKILL' || signal === 'SIGABRT'
        ? describeTooLarge(read, memory)
        : describeEnd(`their reader ended with ${signal ?? `code ${code}`}`),
    ),
  );
  // Its end is told by the process's.
  bytes.on('error', () => undefined);
  letGo(child, bytes);

  async function ask(message: ReadingOrder | ReaderAdmission): Promise<ReadingAnswer> {
    waiting = Promise.withResolvers();
    if (ended) throw ended;
    child.send(message, (error) => {
      if (error) waiting?.reject(ended ?? describeEnd(error.message));
    });
    return waiting.promise;
  }

  async function readDossier(
    files: readonly (string | NamedBytes)[],
    { admit, mayLook = true, ...options }: Omit<ReadApartOptions, 'signal'>,
  ): Promise<ReadDossier> {
    const named = files.map((file) =>
      typeof file === 'string' ? file : { name: file.name, length: file.bytes.length },
    );
    const asked = ask({ files: named, ...options, asksFirst: admit !== undefined, mayLook });
    for (const file of files) if (typeof file !== 'string') bytes.write(file.bytes);
    let answer = await asked;
    if ('pictures' in answer) {
      const refused = await admit!(answer.pictures).then(
        () => null,
        (error: unknown) => ({ error }),
      );
      answer = await ask({ admitted: refused === null });
      if (refused) throw refused.error;
    }
    if ('dossier' in answer) return answer.dossier;
    if ('error' in answer) throw reviveError(answer.error);
    if ('hasToLook' in answer) throw new HasToLook();
    end(describeEnd('failure' in answer ? answer.failure : 'their reader asked twice'));
    throw ended!;
  }

  return {
    get usable() {
      return ended === null;
    },
    async read(files, { signal, ...options } = {}) {
      signal?.throwIfAborted();
      if (ended) throw ended;
      read = nameFiles(files);
      const onAbort = () => end(signal!.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
      const timer = setTimeout(() => end(describeTooSlow(read, seconds)), seconds * 1_000);
      hold(child, bytes);
      try {
        return await readDossier(files, options);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        waiting = null;
        letGo(child, bytes);
      }
    },
    async close() {
      end(describeEnd('their reader was closed'));
      child.ref();
      await exited;
    },
  };
}

/** The pipe is a socket, which Node's types do not say. */
type Held = { ref(): void; unref(): void };

function hold(child: ChildProcess, bytes: Duplex): void {
  child.ref();
  child.channel?.ref();
  (bytes as Duplex & Held).ref();
}

function letGo(child: ChildProcess, bytes: Duplex): void {
  child.unref();
  child.channel?.unref();
  (bytes as Duplex & Held).unref();
}

function nameFiles([first, ...others]: readonly (string | NamedBytes)[]): string {
  if (first === undefined || others.length > 0) return 'the files';
  return typeof first === 'string' ? path.basename(first) : first.name;
}

function describeTooLarge(read: string, memory: number): AgonError {
  return new AgonError(
    'document-too-large',
    `Reading ${read} takes more than ${memory.toLocaleString('en')} MiB of memory.`,
    'Pass the part that is to be judged.',
  );
}

function describeTooSlow(read: string, seconds: number): AgonError {
  return new AgonError(
    'document-too-slow',
    `Reading ${read} takes longer than ${seconds.toLocaleString('en')} seconds.`,
    'Pass the part that is to be judged.',
  );
}

function describeEnd(why: string): AgonError {
  return new AgonError(
    'unreadable-document',
    `The files cannot be read: ${why.split('\n')[0]!}.`,
    'Check that they open elsewhere.',
  );
}
