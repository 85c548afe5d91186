import { Worker } from 'node:worker_threads';
import type { Dossier } from '../jobs/documents/index.ts';
import { AgonError, reviveError, type StoredError } from '../errors.ts';
import type { DocumentPicture, NamedBytes } from '../jobs/index.ts';
import type { ReadOptions } from './read-files.ts';

/** What the thread is given: the caller's limits, not its signal, and whether it is to ask before it reads. */
export interface ReadingOrder extends Omit<ReadOptions, 'signal' | 'admit'> {
  files: readonly (string | NamedBytes)[];
  asksFirst: boolean;
}

/** What the thread says: what it read, why it did not, or what it is to ask first. */
export type ReadingAnswer = { dossier: Dossier } | { error: StoredError } | { pictures: readonly DocumentPicture[] };

/** What a thread that asked is told. */
export interface Admission {
  admitted: boolean;
}

/** Reads files as `readDossier` does, in a thread of its own, one dossier after the other. */
export interface DocumentReader {
  read(files: readonly (string | NamedBytes)[], options?: ReadOptions): Promise<Dossier>;
  /** False after an abort or a failure, which end the thread. */
  readonly usable: boolean;
  close(): Promise<void>;
}

/** The bundler gives the worker's file another place. */
const workerFile = new URL(
  import.meta.url.endsWith('.ts') ? './reading-worker.ts' : './reading-worker.js',
  import.meta.url,
);

/**
 * Starts a thread that reads: whatever a file does to its reader, whoever waits for it goes on. An abort ends the
 * thread at once, and so does a file that takes more than `memory` MiB. It keeps the process alive only while it
 * reads.
 *
 * @example const dossier = await openReaderApart().read([{ name: 'report.pdf', bytes }])
 */
export function openDocumentReader({ memory = 1_024 }: { memory?: number } = {}): DocumentReader {
  const worker = new Worker(workerFile, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memory } });
  let waiting: PromiseWithResolvers<ReadingAnswer> | null = null;
  let ended: AgonError | null = null;
  const end = (error: unknown) => {
    ended ??= failed(error, memory);
    waiting?.reject(ended);
  };
  worker.on('message', (answer: ReadingAnswer) => waiting?.resolve(answer));
  worker.on('error', end);
  worker.on('exit', (code) => end(new Error(`its thread ended with code ${code}`)));
  worker.unref();

  return {
    get usable() {
      return ended === null;
    },
    async read(files, { signal, admit, ...options } = {}) {
      signal?.throwIfAborted();
      if (ended) throw ended;
      waiting = Promise.withResolvers();
      const onAbort = () => {
        waiting!.reject(signal!.reason);
        end(new Error('it was told to stop'));
        void worker.terminate();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      worker.ref();
      try {
        worker.postMessage({ files, ...options, asksFirst: admit !== undefined } satisfies ReadingOrder, []);
        let answer = await waiting.promise;
        if ('pictures' in answer) {
          const refused = await admit!(answer.pictures).then(
            () => null,
            (error: unknown) => ({ error }),
          );
          waiting = Promise.withResolvers();
          worker.postMessage({ admitted: refused === null } satisfies Admission, []);
          answer = await waiting.promise;
          if (refused) throw refused.error;
        }
        if ('dossier' in answer) return answer.dossier;
        if ('error' in answer) throw reviveError(answer.error);
        throw new Error('The thread asked twice.');
      } finally {
        signal?.removeEventListener('abort', onAbort);
        waiting = null;
        worker.unref();
      }
    },
    async close() {
      await worker.terminate();
    },
  };
}

function failed(error: unknown, memory: number): AgonError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new AgonError(
      'document-too-large',
      `Reading the files takes more than ${memory.toLocaleString('en')} MiB of memory.`,
      'Pass the part of them that is to be judged.',
      { cause: error },
    );
  return new AgonError(
    'unreadable-document',
    `The files cannot be read: ${message.split('\n')[0]!}.`,
    'Check that they open elsewhere.',
    { cause: error },
  );
}
