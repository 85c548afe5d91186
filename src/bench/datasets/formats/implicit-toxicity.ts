import { flagIn, has, safetyIn } from './cells.ts';
import type { DataFormat } from './format.ts';

export const implicitToxicity: DataFormat = {
  name: 'implicit-toxicity',
  jobs: ['evaluation'],
  description:
    'Implicit Toxicity (Wen et al. 2023): answers that are toxic without a toxic word, or harmless; the toxic ' +
    'ones are implicit risks.',
  source: 'test/test.json and train/aug-train.json of the Implicit-Toxicity data set',
  columns: 'context, response, label (1: toxic)',
  recognises: (row, file) =>
    has(row, 'context', 'response', 'label') &&
    flagIn(row, 'label') !== undefined &&
    (!has(row, 'category') || /implicit/i.test(file)),
  read: (row) => [
    {
      id: row['id'],
      prompt: row['context'],
      response: row['response'],
      label: safetyIn(row, 'label'),
      category: row['category'],
      ...(flagIn(row, 'label') ? { risk: 'implicit' } : {}),
    },
  ],
};
