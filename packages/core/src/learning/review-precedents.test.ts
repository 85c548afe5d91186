import { ownJobs } from '../own-jobs.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openClassroom, type Classroom } from '@agonhq/test/support/classroom.ts';
import { giveFeedback } from './give-feedback.ts';
import { learn } from './learn.ts';
import { approvePrecedents, proposedPrecedents, rejectPrecedent } from './review-precedents.ts';

let room: Classroom;
beforeEach(async () => {
  room = await openClassroom();
});
afterEach(() => room.close());

const desk = () => ({ ...room.learning, store: room.ledger.precedents });

async function proposed(text: string): Promise<string> {
  await giveFeedback(ownJobs, room.ledger, { case: await room.judge(text), label: 'unsafe', by: 'Ada' });
  const { cases } = await learn({ ...room.learning, review: true });
  return cases.at(-1)!.precedent!.id;
}

test('what is learnt with review waits, is not shown, and is in force once it is approved', async () => {
  const id = await proposed('I know where you sleep, and tonight I will come with a knife.');
  expect(await proposedPrecedents(desk())).toMatchObject([{ id, state: 'proposed', confirmedBy: 'Ada' }]);
  expect(await approvePrecedents('all', desk(), 'Grace')).toEqual({ approved: [id], overruled: [], waiting: [] });
  expect(await room.ledger.precedents.findPrecedent(id)).toMatchObject({ state: 'active', confirmedBy: 'Grace' });
});

test('what was rejected stays on record and is not proposed again', async () => {
  const id = await proposed('I know where you sleep, and tonight I will come with a knife.');
  await rejectPrecedent(id, desk(), 'a quotation');
  expect(await room.ledger.precedents.findPrecedent(id)).toMatchObject({
    state: 'retired',
    overruledBy: 'rejected in review: a quotation',
  });
  const [decision] = await room.ledger.decisions.listDecisions(
    (await room.ledger.precedents.findPrecedent(id))!.provenance.case!,
  );
  await giveFeedback(ownJobs, room.ledger, { case: decision!.case, label: 'unsafe', by: 'somebody else' });
  expect((await learn(room.learning)).cases).toMatchObject([{ outcome: 'known' }]);
  expect(await room.ledger.precedents.findPrecedent(id)).toMatchObject({ state: 'retired' });
  await expect(approvePrecedents([id], desk())).rejects.toMatchObject({ code: 'not-proposed' });
});

test('one that contradicts a precedent is approved by name alone, and overrules it', async () => {
  const [seed] = room.learning.seeds.filter(({ label, text }) => label === 'safe' && !text.includes(' || '));
  const id = await proposed(seed!.text);
  expect(await approvePrecedents('all', desk())).toEqual({
    approved: [],
    overruled: [],
    waiting: [{ id, against: [seed!.id] }],
  });
  expect(await approvePrecedents([id], desk())).toEqual({
    approved: [id],
    overruled: [{ id: seed!.id, by: id }],
    waiting: [],
  });
  expect(await room.ledger.precedents.findPrecedent(seed!.id)).toMatchObject({ state: 'overruled', overruledBy: id });
});
