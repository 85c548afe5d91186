import { flagIn, has, isObject, safetyIn } from './cells.ts';
import type { DataFormat } from './format.ts';

export const beavertails: DataFormat = {
  name: 'beavertails',
  jobs: ['evaluation'],
  description: 'BeaverTails: question and answer, safe or not, with fourteen kinds of harm.',
  source: 'round0/*/test.jsonl.gz and the like of the BeaverTails data set',
  columns: 'prompt, response, category {…}, is_safe',
  recognises: (row) => has(row, 'prompt', 'response', 'is_safe'),
  read: (row) => [
    {
      id: row['id'],
      prompt: row['prompt'],
      response: row['response'],
      label: safetyIn(row, 'is_safe', false),
      category: harms(row['category']),
    },
  ],
};

function harms(category: unknown): unknown {
  return isObject(category) ? Object.keys(category).filter((name) => flagIn(category, name) === true) : category;
}
