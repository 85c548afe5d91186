import { has } from './cells.ts';
import type { DataFormat } from './format.ts';

export const diasafety: DataFormat = {
  name: 'diasafety',
  jobs: ['evaluation'],
  description: 'DiaSafety: replies that are unsafe in their context, in five categories.',
  source: 'DiaSafety_dataset/test.json of the DiaSafety repository',
  columns: 'context, response, category, label (Safe, Unsafe)',
  recognises: (row) => has(row, 'context', 'response', 'category') && /^(un)?safe$/i.test(String(row['label']).trim()),
  read: (row) => [
    {
      id: row['id'],
      prompt: row['context'],
      response: row['response'],
      label: row['label'],
      category: row['category'],
    },
  ],
};
