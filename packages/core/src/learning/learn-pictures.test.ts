import { ownJobs } from '../own-jobs.ts';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openClassroom, type Classroom } from '@agonhq/test/support/classroom.ts';
import { drawPicture } from '@agonhq/test/support/draw-picture.ts';
import { collect } from '@agonhq/test/support/ledger-cases.ts';
import { inspectImage } from '@agonhq/models/senses';
import { giveFeedback } from './give-feedback.ts';
import { learn } from './learn.ts';

let room: Classroom;
beforeEach(async () => {
  room = await openClassroom({ curator: { excerpt: 'a bread knife' } }, { ocr: false });
});
afterEach(() => room.close());

const draw = async (seed: number) => new Uint8Array(await drawPicture(seed).png().toBuffer());
const judged = async (data: Uint8Array<ArrayBuffer>, label: 'safe' | 'unsafe') => {
  const id = await room.judge({ images: [{ data }] });
  await giveFeedback(ownJobs, room.ledger, { case: id, label, by: 'Ada' });
  return id;
};
const outcomes = async () => (await learn({ ...room.learning, all: true })).cases.map(({ outcome }) => outcome);

test('feedback on an image becomes a precedent that copies find by their pixels', async () => {
  const picture = await draw(1);
  const id = await judged(picture, 'unsafe');
  expect(await outcomes()).toEqual(['learnt']);
  const [kept] = await collect(room.ledger.precedents.listPrecedents());
  expect(kept).toMatchObject({
    modality: 'image',
    pictures: [{ pdq: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
  });
  expect(await room.ledger.pictures.findPictures(id)).toMatchObject([{ case: id, image: 'image-1' }]);

  await room.learning.library.refresh();
  const small = await sharp(picture).resize(300).jpeg({ quality: 50 }).toBuffer();
  const { fingerprint } = await inspectImage(small, 'copy.jpg');
  const query = { text: 'something else altogether', pictures: [fingerprint], limit: 3 };
  const { precedents } = await room.learning.library.search({ ...query, signal: new AbortController().signal });
  expect(precedents[0]).toMatchObject({ id: kept!.id, label: 'unsafe', picture: { of: 256, mirrored: false } });
  expect(precedents[0]!.picture!.distance).toBeLessThan(32);
});

test('two pictures of which the same is said are two cases; a copy with the other label is set aside', async () => {
  const [one, other] = [await draw(1), await draw(2)];
  await judged(one, 'unsafe');
  await judged(other, 'safe');
  expect(await outcomes()).toEqual(['learnt', 'learnt']);
  await judged(new Uint8Array(await sharp(one).jpeg({ quality: 60 }).toBuffer()), 'safe');
  expect(await outcomes()).toEqual(['set-aside']);
});

test('what stands for a picture is forgotten with it', async () => {
  const id = await judged(await draw(1), 'unsafe');
  await outcomes();
  const { subject } = (await room.ledger.cases.findCase(id))!;
  await room.ledger.cases.forgetSubject(subject);
  expect(await room.ledger.pictures.findPictures(id)).toEqual([]);
  const [kept] = await collect(room.ledger.precedents.listPrecedents());
  expect(kept).toMatchObject({ state: 'retired', pictures: [] });
});
