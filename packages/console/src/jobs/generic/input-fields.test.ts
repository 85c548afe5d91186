import { expect, test } from 'vitest';
import { listFormFields, readInput } from './input-fields.ts';

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string', description: 'As on the list.' },
    risk: { enum: ['low', 'high'] },
    lines: { type: 'integer' },
    isDraft: { type: 'boolean', default: false },
    labels: { type: 'array', items: { type: 'string' } },
  },
  required: ['title', 'risk', 'isDraft'],
};

test('an input has a field for each member of its schema', () => {
  expect(listFormFields(schema).map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
    ['title', 'text', true],
    ['risk', 'choice', true],
    ['lines', 'number', false],
    ['isDraft', 'flag', false],
    ['labels', 'json', false],
  ]);
});

test('what is missing or is not JSON is said, and what is there is read by its kind', () => {
  const fields = listFormFields(schema);
  expect(readInput(fields, {})).toEqual({ problem: 'Enter title.' });
  expect(readInput(fields, { title: 'A', risk: 'low', labels: '[' })).toEqual({ problem: 'Labels must be JSON.' });
  expect(readInput(fields, { title: 'A', risk: 'low', lines: '3', isDraft: 'true', labels: '["x"]' })).toEqual({
    input: { title: 'A', risk: 'low', lines: 3, isDraft: true, labels: ['x'] },
  });
});

test('an input without a schema is asked for as a JSON object', () => {
  const fields = listFormFields(null);
  expect(readInput(fields, { input: '{"a":1}' })).toEqual({ input: { a: 1 } });
  expect(readInput(fields, { input: 'Merge it?' })).toEqual({ problem: 'Input must be a JSON object.' });
});
