import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as, formOf, jsonLines } from '@agonhq/test/support/server-runs.ts';
import { moderationBench, readDataset } from '@agonhq/bench';
import { settleFinding } from './settle-finding.ts';

/* Tags, severity, and marks in texts and images, over HTTP. */

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const text = 'Meet me at nine 🙂 and I will burn your house down.';
const tags = ['violence.plan', 'harassment.target'];

let server: ServerUnderTest;
let folder: string;

beforeAll(async () => {
  server = await runningServer();
  folder = await mkdtemp(path.join(tmpdir(), 'agon-marks-'));
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

let made = 0;
const open = async (marking: object | undefined, rows: readonly object[] = [{ id: 'a', text }]) =>
  as(
    'annotations.create',
    await server.call('/api/annotations', {
      method: 'POST',
      body: formOf({ name: `marks ${(made += 1)}`, ...(marking ? { marking: JSON.stringify(marking) } : {}) }, [
        { name: 'data.jsonl', content: jsonLines([...rows]) },
        { name: 'x.png', content: pixel },
      ]),
    }),
  );
const put = (id: string, position: number, finding: object | undefined, by: string, label = 'unsafe') =>
  server.call(`/api/annotations/${id}/items/${position}/vote`, {
    method: 'PUT',
    json: { by, label, viewed: ['text', 'image', 'prompt', 'response'], ...(finding ? { finding } : {}) },
  });
const vote = async (...[id, position, finding, by, label]: Parameters<typeof put>) =>
  as('annotations.vote', await put(id, position, finding, by, label));
const problem = async (response: Response) => {
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  return [response.status, code, detail];
};
const spanOf = (quote: string, tag = tags[0]!, of = text) => {
  const start = of.indexOf(quote);
  return { kind: 'span', part: 'text', start, end: start + quote.length, quote, tag };
};
const exported = async (id: string, query = '') => (await server.call(`/api/annotations/${id}/export${query}`)).text();

describe('a project with marks', () => {
  test('asks for the clauses and severities of the policy in force, or for those it is given', async () => {
    const policy = (await (await server.call('/api/policies/active')).json()) as {
      name: string;
      categories: { clauses: { id: string; text: string }[] }[];
    };
    const clauses = policy.categories.flatMap((category) => category.clauses);
    const whole = await open({});
    expect(whole.marking).toMatchObject({
      tags: clauses.map(({ id, text: title }) => ({ id, title })),
      severities: ['low', 'medium', 'high', 'critical'],
      policy: { name: policy.name },
    });
    expect((await open({ tags: ['rude', 'wrong'], severities: [] })).marking).toEqual({
      tags: [
        { id: 'rude', title: null },
        { id: 'wrong', title: null },
      ],
      severities: [],
      policy: null,
    });
    expect((await open({ tags: [clauses[0]!.id] })).marking).toMatchObject({
      tags: [{ id: clauses[0]!.id, title: clauses[0]!.text }],
      policy: { name: policy.name },
    });
    const plain = await open(undefined);
    expect([plain.marking, plain.markAgreement]).toEqual([null, null]);
    expect(await problem(await put(plain.id, 0, { tags: [] }, 'ada'))).toEqual([
      422,
      'no-marking',
      'The project asks for a label alone.',
    ]);
    expect((await vote(plain.id, 0, undefined, 'ada')).yours!.finding).toBeNull();
  });

  test('takes marks whose words stand where they say, several and overlapping, and shows them again', async () => {
    const { id } = await open({ tags });
    const marks = [spanOf('burn your house'), spanOf('house down', tags[1]), spanOf('🙂')];
    const { yours } = await vote(id, 0, { tags, severity: 'high', marks }, 'ada');
    expect(yours!.finding).toEqual({ tags, severity: 'high', marks });
    const again = await as('annotations.item', await server.call(`/api/annotations/${id}/items/0?by=ada`));
    expect([again.yours!.finding!.marks, again.finding]).toEqual([marks, null]);
    const asBen = await (await server.call(`/api/annotations/${id}/items/0?by=ben`)).text();
    expect(asBen).not.toContain('high');
    const one = spanOf('nine');
    for (const [finding, code] of [
      [{ tags, marks: [{ ...one, quote: 'ten' }] }, 'bad-mark'],
      [{ tags, marks: [{ ...one, end: 4000 }] }, 'bad-mark'],
      [{ tags, marks: [{ ...one, part: 'response' }] }, 'bad-mark'],
      [{ tags: [tags[1]], marks: [one] }, 'bad-mark'],
      [{ tags: ['made.up'] }, 'unknown-label'],
      [{ tags, severity: 'awful' }, 'unknown-severity'],
      [{ tags, marks: [{ ...one, start: one.end }] }, 'bad-request'],
      [
        {
          tags,
          marks: [{ kind: 'region', image: `sha256:${'0'.repeat(64)}`, x: 0, y: 0, width: 1, height: 1, tag: tags[0] }],
        },
        'bad-mark',
      ],
      [
        {
          tags,
          marks: [
            { kind: 'region', image: `sha256:${'0'.repeat(64)}`, x: 0.6, y: 0, width: 0.5, height: 1, tag: tags[0] },
          ],
        },
        'bad-request',
      ],
    ] as const)
      expect((await problem(await put(id, 0, finding, 'cleo')))[1], JSON.stringify(finding)).toBe(code);
  });

  test('measures agreement on tags and severity, and how far spans and regions overlap', async () => {
    const { id } = await open({ tags }, [
      { id: 'a', text, image: 'x.png' },
      { id: 'b', text: 'Nice weather.' },
    ]);
    const { images } = await as('annotations.item', await server.call(`/api/annotations/${id}/items/0`));
    const region = (x: number) => ({
      kind: 'region',
      image: images[0]!.hash,
      x,
      y: 0.25,
      width: 0.5,
      height: 0.5,
      tag: tags[0],
    });
    const found = (quote: string, x: number) => ({
      tags: [tags[0]],
      severity: 'high',
      marks: [spanOf(quote), region(x)],
    });
    // 9 and 15 characters, 9 of them in common; rectangles of 0.5 moved by 0.1.
    await vote(id, 0, found('burn your house', 0.2), 'ada');
    await vote(id, 0, found('burn your', 0.3), 'ben');
    await vote(id, 1, { tags: [] }, 'ada', 'safe');
    await vote(id, 1, { tags: [] }, 'ben', 'safe');
    const { markAgreement } = await as('annotations.get', await server.call(`/api/annotations/${id}`));
    expect(markAgreement).toMatchObject({
      tags: [{ tag: tags[0], given: 2, percent: 1, kappa: 1, alpha: 1 }],
      severity: { items: 2, percent: 1, kappa: 1 },
      spans: { items: 1, mean: expect.closeTo(18 / 24, 9) as number },
      regions: { items: 1, mean: expect.closeTo(0.4 / 0.6, 9) as number },
    });
    const { finding, state } = await as('annotations.item', await server.call(`/api/annotations/${id}/items/0`));
    expect([state, finding]).toEqual([
      'agreed',
      {
        tags: [tags[0]],
        severity: 'high',
        marks: [spanOf('burn your'), { ...region(0.25), x: expect.closeTo(0.25, 9) as number }],
      },
    ]);
  });
});

test('of three, marks count that two of them made', () => {
  const mark = (start: number, end: number) => ({ kind: 'span' as const, part: 'text' as const, start, end, tag: 'a' });
  const region = (x: number) => ({ kind: 'region' as const, image: 'i', x, y: 0, width: 0.4, height: 0.4, tag: 'a' });
  const by = (name: string, ...marks: (ReturnType<typeof mark> | ReturnType<typeof region>)[]) => ({
    by: name,
    label: 'unsafe',
    why: null,
    viewed: [],
    tookMs: null,
    at: new Date(0),
    finding: { tags: ['a'], severity: null, marks },
  });
  const votes = [by('ada', mark(0, 5), region(0)), by('ben', mark(3, 9)), by('cleo', mark(20, 22), region(0.1))];
  const settled = settleFinding({ state: 'agreed', votes, adjudication: null })!;
  expect(settled.marks).toEqual([mark(3, 5), { ...region(0.05) }]);
});

describe('a dispute about tags or severity', () => {
  test('is settled with marks of its own, and the export is a dataset of the bench, as lines and table', async () => {
    const formula = '=cmd, then burn it';
    const { id } = await open({ tags }, [
      { id: 'a', text, image: 'x.png' },
      { id: 'b', text: formula },
      { id: 'c', text: 'Nice weather.' },
    ]);
    const { images } = await as('annotations.item', await server.call(`/api/annotations/${id}/items/0`));
    const region = { kind: 'region', image: images[0]!.hash, x: 0.1, y: 0.2, width: 0.3, height: 0.4, tag: tags[0] };
    await vote(id, 0, { tags: [tags[0]], severity: 'high', marks: [spanOf('burn')] }, 'ada');
    const disputed = await vote(id, 0, { tags, severity: 'critical', marks: [spanOf('house')] }, 'ben');
    expect([disputed.state, disputed.finding, disputed.votes!.map(({ finding }) => finding!.marks.length)]).toEqual([
      'disputed',
      null,
      [1, 1],
    ]);
    const settled = { tags: [tags[0]], severity: 'critical', marks: [spanOf('burn your house down'), region] };
    const json = { by: 'cleo', label: 'unsafe', why: 'A plan.', finding: settled };
    const adjudicated = await as(
      'annotations.adjudicate',
      await server.call(`/api/annotations/${id}/items/0/adjudication`, { method: 'PUT', json }),
    );
    expect([adjudicated.state, adjudicated.finding]).toEqual(['adjudicated', settled]);
    for (const by of ['ada', 'ben']) {
      await vote(id, 1, { tags: [tags[0]], marks: [spanOf('burn it', tags[0], formula)] }, by);
      await vote(id, 2, { tags: [] }, by, 'safe');
    }
    const [first] = (await exported(id)).split('\n').map((line) => (line === '' ? {} : JSON.parse(line)) as object);
    const { kind: _, ...span } = settled.marks[0] as ReturnType<typeof spanOf>;
    expect(first).toMatchObject({
      label: 'unsafe',
      tags: [tags[0]],
      clauses: [tags[0]],
      severity: 'critical',
      spans: [span],
      regions: [{ image: 'x.png', x: 0.1, y: 0.2, width: 0.3, height: 0.4, tag: tags[0] }],
      annotation: { votes: [{ finding: { severity: 'high' } }, { finding: { severity: 'critical' } }] },
    });
    await writeFile(path.join(folder, 'x.png'), pixel);
    for (const format of ['jsonl', 'csv']) {
      const file = path.join(folder, `marked.${format}`);
      await writeFile(file, await exported(id, `?format=${format}&only=settled`));
      const { lines } = await readDataset(moderationBench, file, { root: folder });
      expect(lines.map((line) => ('item' in line ? line.item.expected : line.error.message))).toMatchObject([
        { clauses: [tags[0]], severity: 'critical', spans: [{ quote: 'burn your house down' }] },
        { clauses: [tags[0]], severity: null, spans: [{ quote: 'burn it', start: format === 'csv' ? 12 : 11 }] },
        { clauses: [], severity: null, spans: [] },
      ]);
    }
  });
});
