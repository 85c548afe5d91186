import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { agon, oneLine } from '../support/run-agon.ts';

const documented = 'agon plan --items-per-day 100M --debated 3%';

test('the tables in docs/scale.md are what the command prints', async () => {
  const docs = await readFile(path.join(import.meta.dirname, '..', '..', 'docs', 'scale.md'), 'utf8');
  expect(docs).toContain(documented);
  const { code, stdout, stderr } = await agon(documented.split(' ').slice(1));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(docs).toContain(stdout.trim());
});

test('as JSON it carries the input, the plan, and the constants with their commands', async () => {
  const { code, stdout } = await agon([
    'plan',
    '--items-per-day',
    '86.4M',
    '--debated',
    '5%',
    '--price-in',
    '1',
    '--price-out',
    '5',
    '--tokens-in',
    '6k',
    '--tokens-out',
    '1k',
    '--peak',
    '2x',
    '--json',
  ]);
  expect(code).toBe(0);
  const plan = JSON.parse(stdout);
  expect(plan).toMatchObject({ version: 1, items: { mean: 1_000, peak: 2_000 }, calls: { mean: 300 } });
  expect(plan.cost.perDay).toBeCloseTo(47_520, 6);
  expect(plan.constants.callCoreMs.measuredBy).toBe('npm run bench:engine');
});

test('a model without a list price costs what is not known, and the rest is told', async () => {
  const { code, stdout } = await agon(['plan', '--items-per-day', '1M', '--model', 'ollama:llama3.1', '--constants']);
  expect(code).toBe(0);
  expect(stdout).toContain('price unknown');
  expect(stdout).toContain('`npm run bench:storage`');
});

test.each([
  [['plan'], 'items-per-day'],
  [['plan', '--items-per-day', 'many'], '--items-per-day many is not readable'],
  [['plan', '--items-per-day', '0'], 'must be above 0'],
  [['plan', '--items-per-day', '1M', '--debated', '300%'], '--debated 300%'],
  [['plan', '--items-per-day', '1M', '--model', 'gpt'], 'is not a model'],
  [['plan', '--items-per-day', '1M', '--price-in', '3'], '--price-in and --price-out'],
])('%j is refused in one line', async (args, words) => {
  const { code, stdout, stderr } = await agon(args);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(oneLine);
  expect(stderr).toContain(words);
});
