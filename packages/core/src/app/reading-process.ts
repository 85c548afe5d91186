import { once } from 'node:events';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { AgonError } from '@agonhq/engine/agon-error';
import { checkNumbers } from '@agonhq/documents';
import { addNamedRows } from '@agonhq/documents/ingest';
import type { NamedBytes } from '@agonhq/judges/job';
import { closeImageModels, readImageText } from '@agonhq/models/senses';
import { bytesFd, type ReaderAdmission, type ReadingAnswer, type ReadingOrder } from './document-reader.ts';
import { readFiles, type ReadFilesOptions } from './read-files.ts';

/* Reads dossiers in a process of its own, one after the other: `reading-process.ts MEBIBYTES`. */

/** Beside the thread that reads, which a file may keep busy. */
new Worker(new URL(import.meta.url.endsWith('.ts') ? './reading-watch.ts' : './reading-watch.js', import.meta.url), {
  workerData: { bytes: Number(process.argv[2]) * 2 ** 20, parent: process.ppid },
  execArgv: [],
}).unref();

const pipe = new Socket({ fd: bytesFd, readable: true, writable: false });
let waiting: PromiseWithResolvers<ReaderAdmission> | null = null;

const answer = (said: ReadingAnswer) => process.send!(said);

/** Asks the process that gave the order whether these pictures may be read. */
const admit: ReadFilesOptions['admit'] = async (pictures) => {
  waiting = Promise.withResolvers();
  answer({ pictures });
  const { admitted } = await waiting.promise;
  waiting = null;
  if (!admitted) throw new AgonError('known-image', 'The files are refused.', 'Nothing of them was read.');
};

process.on('disconnect', () => process.exit());
process.on('message', (message: ReadingOrder | ReaderAdmission) => {
  if ('admitted' in message) waiting?.resolve(message);
  else void read(message).then(answer);
});

async function read({ files, asksFirst, mayLook, ...options }: ReadingOrder): Promise<ReadingAnswer> {
  let hasToLook = false;
  const refuseToLook: typeof readImageText = async () => {
    hasToLook = true;
    throw new AgonError('ocr-failed', 'There is no room for it here.', 'Read it elsewhere.');
  };
  try {
    const named: (string | NamedBytes)[] = [];
    for (const file of files)
      named.push(typeof file === 'string' ? file : { name: file.name, bytes: await receiveBytes(file.length) });
    const look = mayLook ? readImageText : refuseToLook;
    const dossier = await readFiles(named, { ...options, ...(asksFirst ? { admit } : {}) }, look);
    if (hasToLook) return { hasToLook };
    const { checkFor } = options;
    const numbers = checkFor && checkNumbers(addNamedRows(dossier, checkFor));
    return { dossier: { ...dossier, ...(numbers ? { numbers } : {}) } };
  } catch (error) {
    if (hasToLook) return { hasToLook };
    if (!AgonError.is(error)) return { failure: error instanceof Error ? error.message : String(error) };
    return { error: { code: error.code, message: error.message, hint: error.hint } };
  } finally {
    await closeImageModels();
  }
}

async function receiveBytes(length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const piece = pipe.read() as Buffer | null;
    if (piece === null) {
      await once(pipe, 'readable');
      continue;
    }
    const own = piece.subarray(0, length - at);
    if (own.length < piece.length) pipe.unshift(piece.subarray(own.length));
    bytes.set(own, at);
    at += own.length;
  }
  return bytes;
}
