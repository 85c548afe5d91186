import { expect, test } from 'vitest';
import { memoryJournal, type Computed, type Journal } from '@agonhq/engine/debate';
import type { ItemQueue } from '@agonhq/ledger';
import { createPooledJournal, catchMistakes } from './pooled-journal.ts';

const entry = (key: string, value = 'said'): Computed =>
  ({ kind: 'computed', key, inputHash: 'hash', name: key, value }) as Computed;

/** A journal that gives a debate's entries at once, and counts how often it is asked. */
function counting(): Journal & { asked: string[]; entries: Computed[] } {
  const asked: string[] = [];
  const entries: Computed[] = [];
  const memory = memoryJournal();
  return {
    asked,
    entries,
    async find(debate, key, inputHash) {
      asked.push('find');
      return memory.find(debate, key, inputHash);
    },
    async of() {
      asked.push('of');
      return [...entries];
    },
    async insert(debate, made) {
      entries.push(made as Computed);
      return memory.insert(debate, made);
    },
  };
}

const certain = { certain: async () => undefined };

test('what was said before is asked for once, and recalled', async () => {
  const journal = counting();
  journal.entries.push(entry('round-1/strict'));
  const desk = createPooledJournal(journal, certain);
  expect(await desk.find('debate', 'round-1/strict', 'hash')).toMatchObject({ value: 'said' });
  expect(await desk.find('debate', 'round-1/loose', 'hash')).toBeUndefined();
  expect(await desk.find('debate', 'arbiter', 'hash')).toBeUndefined();
  expect(journal.asked).toEqual(['of']);
});

test('what was said here is found again', async () => {
  const journal = counting();
  const desk = createPooledJournal(journal, certain);
  expect(await desk.find('debate', 'arbiter', 'hash')).toBeUndefined();
  await desk.insert('debate', entry('arbiter'));
  expect(await desk.find('debate', 'arbiter', 'hash')).toMatchObject({ value: 'said' });
});

test.each(['failItem', 'giveBackItems', 'renewItems'] as const)(
  'after an item left without a result (%s), it is asked anew',
  async (way) => {
    const journal = counting();
    const desk = createPooledJournal(journal, certain);
    await desk.find('debate', 'arbiter', 'hash');
    const queue = catchMistakes(
      {
        renewItems: async (items: readonly unknown[]) => items,
        failItem: async () => 'waiting',
        giveBackItems: async () => undefined,
      } as unknown as ItemQueue,
      desk,
    );
    if (way === 'failItem') await queue.failItem({} as never, {} as never, { retry: true });
    else await queue[way]([{}] as never);
    journal.entries.push(entry('arbiter', 'said elsewhere'));
    expect(await desk.find('debate', 'arbiter', 'hash')).toMatchObject({ value: 'said elsewhere' });
  },
);
