import { flagIn, has, safety } from './cells.ts';
import type { DataFormat } from './format.ts';

export const implicitToxicity: DataFormat = {
  name: 'implicit-toxicity',
  jobs: ['evaluation'],
  description: 'Implicit Toxicity (Wen et al. 2023): answers that are toxic without a toxic word, or harmless; the toxic ones are implicit risks.',
  source: 'test/test.json and train/aug-train.json of the Implicit-Toxicity data set',
  columns: 'context, response, label (1: toxic)',
  recognises: (row, file) => has(row, 'context', 'response', 'label') && flagIn(row, 'label') !== undefined && (!has(row, 'category') || /implicit/i.test(file)),
  read(row) {
    const toxic = flagIn(row, 'label');
    return [{ id: row['id'], prompt: row['context'], response: row['response'], label: safety(toxic), category: row['category'], ...(toxic ? { risk: 'implicit' } : {}) }];
  },
};
