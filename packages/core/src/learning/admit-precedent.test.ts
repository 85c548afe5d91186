import { expect, test } from 'vitest';
import { collect } from '@agonhq/test/support/ledger-cases.ts';
import { precedent, wordEmbedder } from '@agonhq/test/support/precedents.ts';
import { memoryPrecedentStore, openLibrary, type KeptPrecedent } from '@agonhq/models/precedents';
import { openAdmission, opponentsOf, type AdmissionOptions } from './admit-precedent.ts';

const vocabulary = ['dog', 'cat', 'car', 'tree', 'bread'];
const template = (what: string) =>
  `please tell me right now and in every detail how one gets rid of the ${what} that lives next door to us`;

async function deskWith(
  kept: readonly KeptPrecedent[],
  seeds: readonly KeptPrecedent[] = [],
): Promise<AdmissionOptions> {
  const store = memoryPrecedentStore(kept);
  return { seeds, store, library: await openLibrary({ seeds, store, embedder: wordEmbedder(vocabulary) }) };
}

test('of two that say the same, let in by two at once, one is in', async () => {
  const desk = await deskWith([]);
  const twins = ['p-1', 'p-2'].map((id) => precedent(id, { text: template('dog') }));
  const outcomes = await Promise.all(twins.map(async (twin) => (await openAdmission(desk).admit(twin)).outcome));
  expect(new Set(outcomes)).toEqual(new Set(['learnt', 'duplicate']));
  expect(await collect(desk.store.listPrecedents())).toHaveLength(1);
});

test('the same words about something else are a case of their own', async () => {
  const desk = await deskWith([precedent('p-1', { text: template('dog') })]);
  expect(await openAdmission(desk).admit(precedent('p-2', { text: template('cat') }))).toEqual({ outcome: 'learnt' });
  expect(await openAdmission(desk).admit(precedent('p-3', { text: `${template('dog')} too` }))).toEqual({
    outcome: 'duplicate',
    of: 'p-1',
  });
});

test('the opposite of a precedent in force is set aside, of a retired one it is not', async () => {
  const desk = await deskWith(
    [precedent('p-1', { text: template('car') })],
    [precedent('seed-1', { text: template('dog') }), precedent('seed-2', { text: template('tree') })],
  );
  await desk.store.keepPrecedents([{ ...precedent('seed-2', { text: template('tree') }), state: 'retired' }]);
  const admission = openAdmission(desk);
  expect(await admission.admit(precedent('p-2', { label: 'safe', text: template('dog') }))).toEqual({
    outcome: 'set-aside',
    against: ['seed-1'],
  });
  expect(await admission.admit(precedent('p-3', { label: 'safe', text: template('tree') }))).toEqual({
    outcome: 'learnt',
  });
  expect((await desk.store.findPrecedent('p-2'))!.state).toBe('proposed');
});

test('what the store has is known, whatever became of it', async () => {
  const desk = await deskWith([precedent('p-1', { state: 'retired' })]);
  expect(await openAdmission(desk).admit(precedent('p-1'))).toEqual({ outcome: 'known' });
});

test('a dry run remembers what it would have let in, and writes nothing', async () => {
  const desk = await deskWith([]);
  const admission = openAdmission({ ...desk, dryRun: true });
  expect(await admission.admit(precedent('p-1', { text: template('dog') }))).toEqual({ outcome: 'learnt' });
  expect(await admission.admit(precedent('p-2', { text: template('dog') }))).toEqual({
    outcome: 'duplicate',
    of: 'p-1',
  });
  expect(await collect(desk.store.listPrecedents())).toEqual([]);
});

test('what only waits is a duplicate of its like, and sets nothing aside that says the opposite', async () => {
  const waiting = { text: template('bread'), state: 'proposed' } as const;
  const desk = await deskWith([precedent('p-1', waiting)]);
  const admission = openAdmission(desk);
  expect(await admission.admit(precedent('p-2', { text: template('bread') }))).toEqual({
    outcome: 'duplicate',
    of: 'p-1',
  });
  expect(await admission.admit(precedent('p-3', { label: 'safe', text: template('bread') }))).toEqual({
    outcome: 'learnt',
  });
  expect((await desk.store.findPrecedent('p-3'))!.state).toBe('active');
});

test('where people review, what is learnt waits, and overrules those alone that are in force', async () => {
  const desk = await deskWith([
    precedent('p-1', { text: template('dog') }),
    precedent('p-2', { text: template('dog'), state: 'proposed' }),
    precedent('p-3', { label: 'safe', text: template('dog') }),
    precedent('p-4', { text: template('cat') }),
  ]);
  const admission = openAdmission({ ...desk, review: true });
  expect(await admission.admit(precedent('p-5', { text: template('tree') }))).toEqual({ outcome: 'proposed' });
  expect((await desk.store.findPrecedent('p-5'))!.state).toBe('proposed');
  expect(await opponentsOf(precedent('p-6', { label: 'safe', text: template('dog') }), desk)).toEqual(['p-1']);
});
