import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLearning } from './start-learning.ts';

let folder: string;
let [, script] = process.argv;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-learning-'));
  vi.stubEnv('AGON_HOME', folder);
  // In place of the command line: a program that says what it was started with.
  [, script] = process.argv;
  process.argv[1] = path.join(folder, 'program.mjs');
  await writeFile(process.argv[1], 'console.log(JSON.stringify(process.argv.slice(2)));');
});
afterEach(async () => {
  process.argv[1] = script!;
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test('learning starts in the background with the flags of its command, and only where that was asked for', async () => {
  const flags = {
    ledger: 'ledger.sqlite',
    model: 'openai:gpt-5',
    seat: ['arbiter=a:b', 'supporter=c:d'],
    budgetUsd: '2',
    runBudgetUsd: '5',
  };
  expect(await startLearning({}, flags as never)).toBeNull();
  expect(await startLearning({ learn: { auto: false } }, flags as never)).toBeNull();
  const log = path.join(folder, 'learn.log');
  expect(await startLearning({ learn: { auto: true } }, flags as never)).toContain(log);
  await vi.waitFor(async () => expect(await readFile(log, 'utf8')).toContain(']'), { timeout: 20_000 });
  const given = JSON.parse(await readFile(log, 'utf8')) as string[];
  expect(given[0]).toBe('learn');
  const pairs = given.slice(1).flatMap((name, index) => (index % 2 === 0 ? [`${name} ${given[index + 2]}`] : []));
  expect(pairs.toSorted()).toEqual([
    '--budget-usd 2',
    '--ledger ledger.sqlite',
    '--model openai:gpt-5',
    '--run-budget-usd 5',
    '--seat arbiter=a:b',
    '--seat supporter=c:d',
  ]);
});
