import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { evaluationJob } from '@agonhq/judges/evaluation';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as, formOf, jsonLines } from '@agonhq/test/support/server-runs.ts';
import { moderationBench, readDataset } from '@agonhq/bench';
import { readRunItems } from '@agonhq/core/runs';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let server: ServerUnderTest;
let folder: string;

beforeAll(async () => {
  server = await runningServer();
  folder = await mkdtemp(path.join(tmpdir(), 'agon-annotation-'));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Sent {
  fields?: Record<string, string>;
  name?: string;
  content: string | Uint8Array<ArrayBuffer>;
  images?: readonly { name: string; content: string | Uint8Array<ArrayBuffer> }[];
}
let made = 0;
const send = ({ fields = {}, name = 'data.jsonl', content, images = [] }: Sent) =>
  server.call('/api/annotations', {
    method: 'POST',
    body: formOf({ name: `project ${(made += 1)}`, ...fields }, [{ name, content }, ...images]),
  });
const open = async (sent: Sent) => as('annotations.create', await send(sent));
const problemOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as {
    code: string;
    detail: string;
    hint: string;
    issues?: { line: number; reason: string }[];
  }),
});

const nextFor = async (id: string, by: string, more = '') =>
  as('annotations.next', await server.call(`/api/annotations/${id}/next?by=${by}${more}`));
const cast = (id: string, position: number, json: { by: string; label: string; viewed?: string[]; why?: string }) =>
  server.call(`/api/annotations/${id}/items/${position}/vote`, {
    method: 'PUT',
    json: { viewed: ['text', 'image', 'prompt', 'response'], ...json },
  });
const vote = async (id: string, position: number, by: string, label: string, why?: string) =>
  as('annotations.vote', await cast(id, position, { by, label, ...(why ? { why } : {}) }));
const settle = (id: string, position: number, json: object) =>
  server.call(`/api/annotations/${id}/items/${position}/adjudication`, { method: 'PUT', json });
const exported = async (id: string, query = '') => (await server.call(`/api/annotations/${id}/export${query}`)).text();
const project = async (id: string, by = 'ada') =>
  as('annotations.get', await server.call(`/api/annotations/${id}?by=${by}`));

const texts = (count: number) =>
  jsonLines(Array.from({ length: count }, (_, number) => ({ id: `t${number}`, text: `Text ${number}` })));

describe('a project', () => {
  test('is made of a dataset with its images, which come back as they were', async () => {
    const content = jsonLines([
      { id: 7, text: 'A sign', image: 'signs/sign.png', category: 'signs', label: 'unsafe' },
      { prompt: 'How?', response: 'So.' },
    ]);
    const one = await open({
      content,
      images: [{ name: 'sign.png', content: pixel }],
      fields: { guidelines: 'Look twice.', votes: '3', labels: '["fine","not fine"]' },
    });
    expect(one).toMatchObject({
      labels: ['fine', 'not fine'],
      votes: 3,
      guidelines: 'Look twice.',
      progress: { items: 2, open: 2, votes: 0 },
      yours: { voted: 0, waiting: 2 },
      agreement: { items: 0, percent: null },
    });
    const { rows } = await as('annotations.items', await server.call(`/api/annotations/${one.id}/items`));
    expect(rows.map(({ id, parts, text, prompt }) => [id, parts, text, prompt])).toEqual([
      ['7', ['image', 'text'], 'A sign', null],
      ['line-2', ['prompt', 'response'], null, 'How?'],
    ]);
    const image = await server.call(`/api/annotations/${one.id}/images/${rows[0]!.images[0]!.hash}`);
    expect([image.headers.get('content-type'), Buffer.from(await image.arrayBuffer()).equals(pixel)]).toEqual([
      'image/png',
      true,
    ]);
    expect((await as('annotations.list', await server.call('/api/annotations'))).rows.map(({ id }) => id)).toContain(
      one.id,
    );
  });

  test('comes from CSV and TSV too, whatever its columns are called', async () => {
    const table = await open({
      name: 'data.csv',
      content: 'Nr,Comment,picture\n1,"a, b",x.png\n2,c,\n',
      images: [{ name: 'x.png', content: pixel }],
      fields: { map: '{"id":"Nr","text":"Comment","image":"picture"}' },
    });
    const { rows } = await as('annotations.items', await server.call(`/api/annotations/${table.id}/items`));
    expect(rows.map(({ id, text, parts }) => [id, text, parts.length])).toEqual([
      ['1', 'a, b', 2],
      ['2', 'c', 1],
    ]);
    expect((await open({ name: 'data.tsv', content: 'text\none\ntwo\n' })).progress.items).toBe(2);
  });

  test('is refused with every row that is wrong, and nothing is made', async () => {
    const before = (await server.ledger.annotations.listProjects()).length;
    const content =
      '{"id":"a","text":"fine"}\n{"id":"a","text":"twice"}\nno ' +
      'json\n{"id":"b"}\n{"id":"c","text":5}\n{"id":"d","image":"lost.png"}\n{"id":"e","image":"text.png"}\n{"id":"f","image":["m/x.png"]}\n{"id":"g","image":"n/x.png"}\n';
    const { status, code, detail, issues } = await problemOf(
      await send({
        content,
        images: [
          { name: 'text.png', content: 'no image' },
          { name: 'x.png', content: pixel },
        ],
      }),
    );
    expect([status, code]).toEqual([422, 'broken-dataset']);
    expect(detail).toContain('7 rows of data.jsonl cannot be used; line 2:');
    expect(issues!.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      expect.stringMatching(/^2 Its id "a" is that of line 1/),
      expect.stringMatching(/^3 The line is not JSON/),
      expect.stringMatching(/^4 It has neither text, image/),
      expect.stringMatching(/^5 text /),
      expect.stringMatching(/^6 The image "lost.png" is not among/),
      expect.stringMatching(/^7 "text.png" is no image/),
      expect.stringMatching(/^9 The images "m\/x.png" and "n\/x.png" have the same/),
    ]);
    expect((await server.ledger.annotations.listProjects()).length).toBe(before);
  });

  test.each([
    ['that is empty', { content: '\n' }, 'empty-dataset'],
    ['without a column to look at', { name: 'a.csv', content: 'id,other\n1,2\n' }, 'unknown-column'],
    ['with a quote that is never closed', { name: 'a.csv', content: 'id,text\n1,"a\n' }, 'broken-csv'],
    ['whose labels are the same', { content: texts(1), fields: { labels: '["safe","Safe"]' } }, 'bad-request'],
    ['with a field that no item has', { content: texts(1), fields: { map: '{"txt":"a"}' } }, 'bad-request'],
  ] as const)('%s is refused', async (_, sent, code) => {
    expect((await problemOf(await send(sent))).code).toBe(code);
  });

  test('has a name of its own', async () => {
    await open({ content: texts(1), fields: { name: 'taken' } });
    expect(await problemOf(await send({ content: texts(1), fields: { name: 'taken' } }))).toMatchObject({
      status: 409,
      code: 'annotation-exists',
    });
  });
});

describe('votes', () => {
  test('are cast after looking at every part, for a label of the project, and stay hidden until all are in', async () => {
    const { id } = await open({
      content: jsonLines([{ text: 'A', image: 'x.png', label: 'of the dataset' }]),
      images: [{ name: 'x.png', content: pixel }],
    });
    expect(await problemOf(await cast(id, 0, { by: 'ada', label: 'safe', viewed: ['text'] }))).toMatchObject({
      status: 422,
      code: 'not-viewed',
      detail: 'The image of item 0 was not looked at.',
    });
    expect(await problemOf(await cast(id, 0, { by: 'ada', label: 'odd' }))).toMatchObject({
      status: 422,
      code: 'unknown-label',
    });
    expect(await problemOf(await cast(id, 9, { by: 'ada', label: 'safe' }))).toMatchObject({
      status: 404,
      code: 'unknown-item',
    });
    expect(await vote(id, 0, 'ada', 'safe', 'It is a cake.')).toMatchObject({
      state: 'open',
      voted: 1,
      votes: null,
      yours: { label: 'safe' },
    });
    const asBen = await (await server.call(`/api/annotations/${id}/items/0?by=ben`)).text();
    expect(asBen).not.toContain('cake');
    expect(JSON.parse(asBen)).toMatchObject({ votes: null, yours: null, label: null });
    for (const format of ['jsonl', 'csv'])
      expect(await exported(id, `?format=${format}`)).not.toMatch(/cake|of the dataset/);
    await vote(id, 0, 'ada', 'unsafe');
    expect(await vote(id, 0, 'ben', 'unsafe')).toMatchObject({
      state: 'agreed',
      label: 'unsafe',
      votes: [
        { by: 'ada', label: 'unsafe' },
        { by: 'ben', label: 'unsafe' },
      ],
    });
    for (const format of ['jsonl', 'csv']) expect(await exported(id, `?format=${format}`)).toContain('of the dataset');
    expect(await problemOf(await cast(id, 0, { by: 'ada', label: 'safe' }))).toMatchObject({
      status: 409,
      code: 'votes-are-in',
    });
    expect(await problemOf(await settle(id, 0, { by: 'cleo', label: 'safe', why: 'No.' }))).toMatchObject({
      status: 409,
      code: 'not-disputed',
    });
  });

  test('come to an agreement that can be computed by hand, and what is disputed is adjudicated with a reason', async () => {
    const { id } = await open({ content: texts(4) });
    for (const [position, label] of ['safe', 'safe', 'unsafe', 'safe'].entries())
      await vote(id, position, 'ada', label);
    expect((await project(id)).agreement).toMatchObject({ items: 0, percent: null, kappa: null, alpha: null });
    for (const [position, label] of ['safe', 'safe', 'unsafe', 'unsafe'].entries())
      await vote(id, position, 'ben', label);
    const { agreement, progress, annotators } = await project(id);
    // 3 of 4; by chance (3·2 + 1·2) / 16; of 8 labels 5 are safe and 3 unsafe.
    expect(agreement).toMatchObject({ items: 4, raters: ['ada', 'ben'], percent: 0.75, kappa: 0.5 });
    expect(agreement.alpha).toBeCloseTo(1 - 2 / 8 / (30 / 56), 12);
    expect([progress, annotators]).toEqual([
      { items: 4, open: 0, disputed: 1, agreed: 3, adjudicated: 0, votes: 8 },
      [
        { name: 'ada', votes: 4 },
        { name: 'ben', votes: 4 },
      ],
    ]);
    const disputed = await as('annotations.items', await server.call(`/api/annotations/${id}/items?state=disputed`));
    expect(disputed.rows.map(({ position, votes, label }) => [position, votes?.length, label])).toEqual([[3, 2, null]]);
    expect((await problemOf(await settle(id, 3, { by: 'ada', label: 'safe', why: ' ' }))).code).toBe('bad-request');
    expect(
      await as(
        'annotations.adjudicate',
        await settle(id, 3, { by: 'ada', label: 'safe', why: 'The sign names a film.' }),
      ),
    ).toMatchObject({
      state: 'adjudicated',
      label: 'safe',
      adjudication: { by: 'ada', why: 'The sign names a film.' },
    });
    expect(await problemOf(await settle(id, 3, { by: 'ben', label: 'unsafe', why: 'No.' }))).toMatchObject({
      status: 409,
      code: 'already-adjudicated',
    });
    expect((await project(id)).agreement.percent).toBe(0.75);
  });

  test('are handed out so that items complete early and no more people look than are needed', async () => {
    const { id } = await open({ content: texts(3) });
    const given = async (by: string, more?: string) => (await nextFor(id, by, more)).item?.position ?? null;
    expect([await given('ada'), await given('ben'), await given('cleo'), await given('ada')]).toEqual([0, 0, 1, 0]);
    expect(await given('ada', '&skip=0')).toBe(1);
    expect(await given('dan')).toBe(0);
    await vote(id, 1, 'ada', 'safe');
    expect(await given('ada')).toBe(2);
    expect([await given('eve'), await given('fay')]).toEqual([2, null]);
    expect((await nextFor(id, 'fay')).waiting).toBe(3);
  });

  test('of a server with keys are those of the key, whatever name is given', async () => {
    const { id } = await open({ content: texts(1) });
    const keyOf = async (name: string, scope: string) =>
      (
        (await (
          await server.call('/api/keys', {
            json: { name, scopes: [scope], ...(scope === 'review' ? { reviewer: name } : {}) },
          })
        ).json()) as { key: string }
      ).key;
    const ada = { authorization: `Bearer ${await keyOf('ada', 'review')}` };
    const put = { method: 'PUT', json: { label: 'safe', viewed: ['text'], by: 'somebody else' }, headers: ada };
    expect(await as('annotations.vote', await server.call(`/api/annotations/${id}/items/0/vote`, put))).toMatchObject({
      yours: { by: 'ada' },
    });
    expect((await server.call(`/api/annotations/${id}`, { method: 'DELETE', headers: ada })).status).toBe(403);
    const reader = { authorization: `Bearer ${await keyOf('reader', 'read')}` };
    expect((await server.call(`/api/annotations/${id}`, { headers: reader })).status).toBe(403);
  });
});

describe('an export', () => {
  test('is at once a dataset of benches and runs', async () => {
    const content = jsonLines([
      { id: 'a', text: 'One', image: 'x.png', category: 'signs', label: 'safe' },
      { id: 'b', text: 'Two' },
      { id: 'c', prompt: 'How?', response: 'So.' },
      { id: 'd', text: 'Open' },
    ]);
    const { id } = await open({ content, images: [{ name: 'x.png', content: pixel }] });
    for (const by of ['ada', 'ben']) for (const position of [0, 2]) await vote(id, position, by, 'unsafe');
    for (const [by, label] of [
      ['ada', 'safe'],
      ['ben', 'unsafe'],
    ] as const)
      await vote(id, 1, by, label, 'A reason.');
    const all = (await exported(id))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(all.map((row) => [row['id'], row['label'], row['raters']])).toEqual([
      ['a', 'unsafe', ['unsafe', 'unsafe']],
      ['b', undefined, undefined],
      ['c', 'unsafe', ['unsafe', 'unsafe']],
      ['d', undefined, undefined],
    ]);
    expect(all[0]).toMatchObject({
      text: 'One',
      image: 'x.png',
      category: 'signs',
      annotation: {
        state: 'agreed',
        agreement: 1,
        given: 'safe',
        votes: [{ by: 'ada', label: 'unsafe', why: null }, { by: 'ben' }],
        adjudication: null,
      },
    });
    expect([all[1]!['annotation'], all[3]!['annotation']]).toMatchObject([
      { state: 'disputed', agreement: 0, votes: [{ why: 'A reason.' }, {}] },
      { state: 'open', agreement: null, votes: null },
    ]);
    await as('annotations.adjudicate', await settle(id, 1, { by: 'cleo', label: 'safe', why: 'A film.' }));
    const file = path.join(folder, 'labelled.jsonl');
    await writeFile(file, await exported(id, '?only=settled'));
    await writeFile(path.join(folder, 'x.png'), pixel);
    const moderation = await readDataset(moderationBench, file, { root: folder });
    expect(moderation.lines.slice(0, 2)).toMatchObject([
      {
        key: 'a',
        item: {
          label: 'unsafe',
          category: 'signs',
          modality: 'text+image',
          raters: ['unsafe', 'unsafe'],
          subject: { images: [{ file: path.join(folder, 'x.png') }] },
        },
      },
      { key: 'b', item: { label: 'safe', subject: { text: 'Two' } } },
    ]);
    const runItems = [];
    for await (const item of readRunItems(file, evaluationJob, { format: 'jsonl' })) runItems.push(item);
    expect(runItems[2]).toMatchObject({ key: 'c', expected: 'unsafe', input: { prompt: 'How?', response: 'So.' } });
  });

  test('as CSV is no formula to a spreadsheet', async () => {
    const { id } = await open({ content: jsonLines([{ id: '=1+1', text: '@cmd, "quoted"' }]) });
    for (const by of ['+ada', 'ben']) await vote(id, 0, by, by === 'ben' ? 'safe' : 'unsafe', '-2+3');
    const [heading, row] = (await exported(id, '?format=csv')).split('\n');
    expect(heading).toBe(
      'id,label,state,agreement,votes,reasons,adjudicated_by,adjudication_reason,given_label,text,image,prompt,response',
    );
    expect(row).toContain("'=1+1,,disputed,0,'+ada: unsafe; ben: safe,");
    expect(await exported(id, '?format=csv')).toContain(`"'@cmd, ""quoted"""`);
  });
});

test('what is removed is gone with its votes and images, and asked for in vain', async () => {
  const content = Buffer.concat([pixel, Buffer.from('of its own')]);
  const { id } = await open({ content: jsonLines([{ image: 'x.png' }]), images: [{ name: 'x.png', content }] });
  const { item } = await nextFor(id, 'ada');
  const { hash } = item!.images[0]!;
  expect(await server.ledger.attachments.findAttachment(hash)).toBeDefined();
  expect((await server.call(`/api/annotations/${id}`, { method: 'DELETE' })).status).toBe(204);
  expect(await server.ledger.attachments.findAttachment(hash)).toBeUndefined();
  for (const rest of ['', '/next', '/items', '/items/0', '/export', `/images/${hash}`])
    expect(await problemOf(await server.call(`/api/annotations/${id}${rest}`))).toMatchObject({
      status: 404,
      code: 'unknown-annotation',
    });
});
