import { parentPort } from 'node:worker_threads';
import { AgonError } from '../errors.ts';
import type { ReadingAnswer, ReadingOrder } from './document-reader.ts';
import { readDossier } from './read-files.ts';

/* Reads dossiers in a thread of its own, one after the other. */

parentPort!.on('message', ({ files, ...options }: ReadingOrder) => {
  void (async (): Promise<ReadingAnswer> => {
    try {
      return { dossier: await readDossier(files, options) };
    } catch (error) {
      if (!AgonError.is(error)) throw error;
      return { error: { code: error.code, message: error.message, hint: error.hint } };
    }
  })().then((answer) => parentPort!.postMessage(answer, []));
});
