import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawPicture } from '@agonhq/test/support/draw-picture.ts';
import { mediaFile } from '@agonhq/test/support/media.ts';
import { testWithPrograms } from '@agonhq/test/support/programs.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { inspectImage } from '@agonhq/models/senses';
import { openKeys } from './auth/keys.ts';

/* A known image over HTTP: what the caller gets, what is kept, and who may see the queue. */

let folder: string;
let server: ServerUnderTest;
let listed: Uint8Array;
const keys: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-known-'));
  const original = await drawPicture(1).png().toBuffer();
  const { pdq } = (await inspectImage(original, 'a')).fingerprint;
  const list = path.join(folder, 'stop.csv');
  await writeFile(list, `hash,label,source\n${pdq},a secret label,a hotline\n`);
  listed = await sharp(original).resize(300).jpeg({ quality: 60 }).toBuffer();
  const moderation = { ocr: false, observations: 'never' as const };
  server = await runningServer({ server: { auth: 'required' }, knownImages: [list], moderation });
  const { create } = await openKeys({ ledger: server.ledger, environment: {} });
  for (const scope of ['read', 'judge', 'review', 'care', 'admin'] as const)
    keys[scope] = (await create({ name: scope, scopes: [scope] })).key;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const ask = (where: string, scope: string, body?: unknown) =>
  server.call(where, {
    headers: { authorization: `Bearer ${keys[scope]}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

describe('an image on a list', () => {
  test('is unsafe by the list, and nothing of it is kept', async () => {
    const response = await ask('/api/jobs/moderation/cases', 'judge', {
      id: 'post-7',
      images: [{ data: base64(listed) }],
    });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as { id: string; subject: { images: { hash: string }[] } };
    expect(answer).toMatchObject({
      verdict: { label: 'unsafe', escalate: false, rule: { id: 'known-image' } },
      subject: { images: [{ withheld: true }] },
      usage: { inputTokens: 0 },
    });
    expect(JSON.stringify(answer)).not.toContain('a secret label');
    const hash = answer.subject.images[0]!.hash;
    expect(await server.ledger.attachments.findAttachment(hash)).toBeUndefined();
    expect(await server.ledger.cases.listAttachments(answer.id)).toEqual([]);
    expect(await server.ledger.pictures.findPictures(answer.id)).toEqual([]);
    const report = await (await ask(`/api/cases/${answer.id}/report?format=html`, 'read')).text();
    expect(report).toContain('withheld');
    expect(report).not.toContain('data:image/');
    const again = await ask(`/api/cases/${answer.id}/replays`, 'judge', {});
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([410, 'withheld-case']);
    const queued = (await (await ask('/api/queue', 'review')).json()) as { rows: unknown[] };
    expect(queued.rows).toEqual([]);
  });

  testWithPrograms('is found among the frames of a film, of which nothing is kept either', async () => {
    const film = await readFile(mediaFile('discs.mp4'));
    const response = await ask('/api/jobs/moderation/cases', 'judge', { video: [{ data: base64(film) }] });
    const answer = (await response.json()) as { id: string };
    expect(answer).toMatchObject({ verdict: { label: 'unsafe', rule: { id: 'known-image' } } });
    expect(await server.ledger.cases.listAttachments(answer.id)).toEqual([]);
  });

  test('is flagged at the endpoint of OpenAI', async () => {
    const image = { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${base64(listed)}` } };
    const response = await ask('/v1/moderations', 'judge', { input: [image] });
    const { results } = (await response.json()) as { results: { flagged: boolean; agon: { rule: { id: string } } }[] };
    expect(results).toMatchObject([{ flagged: true, agon: { rule: { id: 'known-image' } } }]);
  });

  test('that was kept before it was listed goes as soon as it comes again', async () => {
    const bytes = await drawPicture(9).png().toBuffer();
    const sent = { images: [{ data: base64(bytes) }], method: 'guard' };
    const first = (await (await ask('/api/jobs/moderation/cases', 'judge', sent)).json()) as { id: string };
    const [kept] = await server.ledger.cases.listAttachments(first.id);
    expect(kept).toBeDefined();
    const { pdq } = (await inspectImage(bytes, 'b')).fingerprint;
    await writeFile(path.join(folder, 'stop.csv'), `hash\n${pdq}\n${pdq.replace(/^./, '0')}\n`);
    const second = await (await ask('/api/jobs/moderation/cases', 'judge', sent)).json();
    expect(second).toMatchObject({ verdict: { rule: { id: 'known-image' } } });
    expect(await server.ledger.attachments.findAttachment(kept!.hash)).toBeUndefined();
    expect(await server.ledger.cases.listAttachments(first.id)).toEqual([]);
  });
});

test.each([
  ['to label', '/api/annotations', 'review', { name: 'photos', labels: JSON.stringify(['safe', 'unsafe']) }],
  ['to measure', '/api/benches', 'judge', { job: 'moderation', systems: 'guard' }],
] as const)('what people would send %s is refused', async (_, where, scope, fields) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new Blob(['{"id":"1","image":"a.jpg","label":"safe"}\n']), 'items.jsonl');
  form.append('file', new Blob([new Uint8Array(await drawPicture(1).jpeg().toBuffer())]), 'a.jpg');
  await writeFile(path.join(folder, 'stop.csv'), `hash\n${(await inspectImage(listed, 'a')).fingerprint.pdq}\n`);
  const headers = { authorization: `Bearer ${keys[scope]}` };
  const response = await server.call(where, { method: 'POST', headers, body: form });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([422, 'known-image']);
});

test('a case with a copy of the picture is alike, whatever is said of it', async () => {
  const bytes = await drawPicture(20).png().toBuffer();
  const small = await sharp(bytes).resize(320).jpeg({ quality: 50 }).toBuffer();
  const ids = [];
  for (const data of [bytes, small]) {
    const sent = { images: [{ data: base64(data) }], method: 'guard' };
    ids.push(((await (await ask('/api/jobs/moderation/cases', 'judge', sent)).json()) as { id: string }).id);
  }
  const { rows } = (await (await ask(`/api/cases/${ids[0]}/similar`, 'read')).json()) as { rows: object[] };
  expect(rows[0]).toMatchObject({ id: ids[1], picture: { of: 256, mirrored: false } });
});

describe('the restricted queue', () => {
  test('is seen by its own scope alone', async () => {
    for (const scope of ['read', 'judge', 'review'])
      for (const where of ['/api/known-images', '/api/known-images/export'])
        expect((await ask(where, scope)).status, `${scope} ${where}`).toBe(403);
    const page = await (await ask('/api/known-images?list=stop', 'care')).json();
    const { rows } = page as { rows: { id: string }[] };
    expect(rows.at(-1)).toMatchObject({
      item: 'post-7',
      image: 'image-1',
      list: 'stop',
      entry: { label: 'a secret label', source: 'a hotline' },
      state: 'waiting',
    });
  });

  test('is exported as JSON and CSV, and settled', async () => {
    const json = (await (await ask('/api/known-images/export', 'care')).json()) as { rows: { id: string }[] };
    expect(json).toMatchObject({ version: 1, kind: 'known-images' });
    const { id } = json.rows.at(-1)!;
    const settled = await ask(`/api/known-images/${id}/settlement`, 'care', { state: 'reported', note: '=4711' });
    expect(await settled.json()).toMatchObject({ id, state: 'reported', settledBy: 'care' });
    const csv = await (await ask('/api/known-images/export?format=csv&state=reported', 'care')).text();
    expect(csv.split('\n')).toHaveLength(3);
    expect(csv).toContain("reported,'=4711,care");
    expect((await ask('/api/known-images/nothing/settlement', 'care', { state: 'reported' })).status).toBe(404);
  });
});
