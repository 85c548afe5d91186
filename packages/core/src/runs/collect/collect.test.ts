import { existsSync } from 'node:fs';
import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { JournalEntry } from '@agonhq/engine/debate';
import { openSteps } from './collect.ts';

const entry = (key: string): JournalEntry => ({
  kind: 'computed',
  key,
  inputHash: 'h',
  name: key,
  round: null,
  value: 'x'.repeat(5000),
});
const place = async () => path.join(await mkdtemp(path.join(tmpdir(), 'agon-steps-')), 'out.jsonl.steps');

test('what a run that was cut had paid for is there for the next one, and is not made again', async () => {
  const file = await place();
  const first = await openSteps(file, new Set());
  await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => first.journal.insert('debate', entry(`turn-${index}`))),
    first.once(
      'target',
      async () => 'Hello!',
      () => true,
    ),
    first.once(
      'away',
      async () => 'nobody',
      () => false,
    ),
  ]);
  await first.close();
  await appendFile(file, '{"line":0,"key":"cut'); // As a kill leaves it.

  const second = await openSteps(file, new Set());
  for (let index = 0; index < 20; index++)
    expect(await second.journal.find('debate', `turn-${index}`, 'h')).toEqual(entry(`turn-${index}`));
  expect(await second.journal.find('debate', 'turn-0', 'another input')).toBeUndefined();
  expect(
    await second.once(
      'target',
      async () => 'again',
      () => true,
    ),
  ).toBe('Hello!');
  expect(
    await second.once(
      'away',
      async () => 'here now',
      () => true,
    ),
  ).toBe('here now');
  await second.remove();
  expect(existsSync(file)).toBe(false);
});

test('the turns of a debate that has its verdict are forgotten', async () => {
  const file = await place();
  const first = await openSteps(file, new Set());
  await first.journal.insert('done', entry('turn'));
  await first.journal.insert('open', entry('turn'));
  await first.close();
  const second = await openSteps(file, new Set(['done']));
  expect(await second.journal.find('done', 'turn', 'h')).toBeUndefined();
  expect(await second.journal.find('open', 'turn', 'h')).toBeDefined();
  await second.close();
});
