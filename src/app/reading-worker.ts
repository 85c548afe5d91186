import { parentPort } from 'node:worker_threads';
import { AgonError } from '../errors.ts';
import type { Admission, ReadingAnswer, ReadingOrder } from './document-reader.ts';
import { readDossier, type ReadOptions } from './read-files.ts';

/* Reads dossiers in a thread of its own, one after the other. */

let waiting: PromiseWithResolvers<Admission> | null = null;

const answer = (said: ReadingAnswer) => parentPort!.postMessage(said, []);

/** Asks the thread that gave the order whether these pictures may be read. */
const admit: ReadOptions['admit'] = async (pictures) => {
  waiting = Promise.withResolvers();
  answer({ pictures });
  const { admitted } = await waiting.promise;
  waiting = null;
  if (!admitted) throw new AgonError('known-image', 'The files are refused.', 'Nothing of them was read.');
};

parentPort!.on('message', (message: ReadingOrder | Admission) => {
  if ('admitted' in message) waiting?.resolve(message);
  else void read(message).then(answer);
});

async function read({ files, asksFirst, ...options }: ReadingOrder): Promise<ReadingAnswer> {
  try {
    return { dossier: await readDossier(files, { ...options, ...(asksFirst ? { admit } : {}) }) };
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return { error: { code: error.code, message: error.message, hint: error.hint } };
  }
}
