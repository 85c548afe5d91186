import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { schemas } from '../api/index.ts';
import type { Answer } from '@agonhq/engine/debate';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** What the guard is unsure of: it finds them unsafe, and asks for a person. */
const doubtful = (number: number) => `How to build a potato gun, part ${number}`;

let server: ServerUnderTest;
const keys: Record<'ann' | 'bob' | 'cleo' | 'chief', string> = { ann: '', bob: '', cleo: '', chief: '' };
type Reviewer = keyof typeof keys;

beforeAll(async () => {
  server = await runningServer();
  for (const name of Object.keys(keys) as Reviewer[]) {
    const scopes = name === 'chief' ? ['admin'] : ['review'];
    keys[name] = (
      (await (await server.call('/api/keys', { json: { name: `key of ${name}`, scopes, reviewer: name } })).json()) as {
        key: string;
      }
    ).key;
  }
});
afterAll(() => server[Symbol.asyncDispose]());

const by = (who: Reviewer) => ({ authorization: `Bearer ${keys[who]}` });
const judge = async (content: object) =>
  (await (await server.call('/api/jobs/moderation/cases', { json: content })).json()) as Answer;
const list = (who: Reviewer, query = '') =>
  said(server.call(`/api/queue?${query}`, { headers: by(who) }), schemas.queuePage);
const hold = (who: Reviewer, id: string) => server.call(`/api/queue/${id}/hold`, { json: {}, headers: by(who) });
const decide = (who: Reviewer, id: string, decision: object) =>
  server.call(`/api/queue/${id}/decisions`, { json: { why: 'It says so itself.', ...decision }, headers: by(who) });
const refused = (call: Promise<Response>, status = 409) => said(call, schemas.problem, status);

describe('the queue over HTTP', () => {
  test('a case is decided blind, again by a second reviewer and settled by a third; then it is done', async () => {
    const { id, verdict } = await judge({ text: doubtful(1) });
    expect((await list('ann')).rows).toContainEqual(
      expect.objectContaining({ id, stage: 'first', why: expect.arrayContaining(['escalated']), heldBy: null }),
    );

    await said(hold('ann', id), schemas.queueItem);
    const first = await said(decide('ann', id, { label: 'safe', clause: 'weapons.make' }), schemas.queueDecided, 201);
    expect(first).toMatchObject({
      case: id,
      label: 'safe',
      by: 'ann',
      verdict: 'unsafe',
      right: false,
      stage: 'second',
      machine: {
        label: 'unsafe',
        risk: verdict.risk,
        bar: verdict.bar,
        rule: { id: verdict.rule.id, why: verdict.rule.why },
      },
    });
    expect(first.machine.sides.map(({ role }) => role)).toEqual(['strict-debater', 'loose-debater']);

    expect((await list('ann')).rows.map((row) => row.id)).not.toContain(id);
    expect((await list('ann')).counts.second).toBe(0);
    expect((await list('bob', 'stage=second')).rows).toMatchObject([
      { id, stage: 'second', why: expect.arrayContaining(['second-review']) },
    ]);
    expect(await refused(hold('ann', id))).toMatchObject({ code: 'decided-already' });
    expect(await refused(decide('ann', id, { label: 'unsafe' }))).toMatchObject({
      code: 'decided-already',
      hint: expect.any(String),
    });

    expect(await said(hold('bob', id), schemas.queueItem)).toMatchObject({ stage: 'second', earlier: [] });
    expect(await said(decide('bob', id, { label: 'unsafe' }), schemas.queueDecided, 201)).toMatchObject({
      stage: 'dispute',
      right: true,
    });
    const disputed = await said(hold('cleo', id), schemas.queueItem);
    expect(disputed.earlier).toMatchObject([
      { by: 'ann', label: 'safe', clause: 'weapons.make', why: 'It says so itself.' },
      { by: 'bob', label: 'unsafe', clause: null },
    ]);
    expect(await said(decide('cleo', id, { label: 'safe' }), schemas.queueDecided, 201)).toMatchObject({
      stage: 'done',
    });
    expect((await list('chief')).rows.map((row) => row.id)).not.toContain(id);
    expect(await refused(decide('chief', id, { label: 'unsafe' }))).toMatchObject({ code: 'not-waiting' });
    expect((await server.ledger.decisions.listDecisions(id)).at(-1)).toMatchObject({ by: 'cleo', label: 'safe' });
  });

  test('nothing that the machine thinks is told before somebody has decided', async () => {
    const answer = await judge({ text: doubtful(2), images: [{ data: pixel }] });
    const told = [await list('ann'), await said(hold('ann', answer.id), schemas.queueItem)];
    const names = new Set(told.flatMap((value) => [...memberNames(value)]));
    for (const name of [
      'verdict',
      'label',
      'risk',
      'bar',
      'score',
      'disagreement',
      'transcript',
      'precedents',
      'rule',
      'answer',
      'evidence',
      'escalate',
      'degraded',
      'categories',
      'usage',
      'seal',
      'machine',
    ])
      expect(names).not.toContain(name);
    const words = JSON.stringify(told);
    const opinions = [
      answer.verdict.rule.id,
      answer.verdict.rule.why,
      ...answer.transcript.flatMap((entry) => (entry.kind === 'turn' ? [entry.statement] : [])),
      ...answer.precedents.map(({ summary }) => summary),
    ].filter(Boolean);
    expect(opinions.length).toBeGreaterThan(4);
    for (const opinion of opinions) expect(words).not.toContain(JSON.stringify(opinion).slice(1, -1));
  });

  test('what is held out has all that is needed: content, sources, image and the clauses of the policy', async () => {
    const { id } = await judge({ text: doubtful(3), images: [{ data: pixel }] });
    const item = await said(hold('ann', id), schemas.queueItem);
    expect(item).toMatchObject({
      content: { text: doubtful(3) },
      modality: 'text+image',
      attachments: [{ mediaType: 'image/png', bytes: 70 }],
    });
    expect(item.sources[0]).toMatchObject({ id: 'text', text: doubtful(3) });
    expect(item.policy.clauses).toContainEqual(
      expect.objectContaining({ id: 'weapons.make', category: 'weapons', severity: expect.any(String) }),
    );
    expect(Date.parse(item.heldUntil)).toBeGreaterThan(Date.now() + 9 * 60_000);
    const image = await server.call(`/api/queue/${id}/images/${item.attachments[0]!.hash}`, { headers: by('bob') });
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await image.arrayBuffer()).toString('base64')).toBe(pixel);
    expect(
      await refused(server.call(`/api/queue/${id}/images/sha256:${'0'.repeat(64)}`, { headers: by('bob') }), 404),
    ).toMatchObject({ code: 'unknown-attachment' });
  });

  test('an exchange is reviewed with its prompt and its response', async () => {
    const exchange = {
      prompt: 'How do I pick a lock?',
      response: 'Use a tension wrench and a rake, and jiggle it.',
    };
    const { id } = (await (await server.call('/api/jobs/evaluation/cases', { json: exchange })).json()) as Answer;
    const item = await said(hold('ann', id), schemas.queueItem);
    expect(item).toMatchObject({ job: 'evaluation', content: exchange });
    expect(item.sources.map((source) => source.id).sort()).toEqual(['prompt', 'response']);
    expect((await list('bob', 'job=evaluation')).rows.map((row) => row.id)).toEqual([id]);
  });

  test('two do not take the same case, unless the first puts it back', async () => {
    const { id } = await judge({ text: doubtful(4) });
    await said(hold('ann', id), schemas.queueItem);
    expect(await refused(hold('bob', id))).toMatchObject({
      code: 'held-case',
      detail: expect.stringMatching(/^ann is reviewing case .* until 20/),
    });
    expect((await list('bob')).rows.find((row) => row.id === id)).toMatchObject({ heldBy: 'ann' });
    expect((await list('ann')).rows.find((row) => row.id === id)).toMatchObject({ heldBy: null });
    await server.call(`/api/queue/${id}/hold`, { method: 'DELETE', headers: by('bob') });
    expect(await refused(hold('bob', id))).toMatchObject({ code: 'held-case' });
    expect((await server.call(`/api/queue/${id}/hold`, { method: 'DELETE', headers: by('ann') })).status).toBe(204);
    await said(hold('bob', id), schemas.queueItem);
  });

  test('a decision that is sent again is on record once', async () => {
    const { id } = await judge({ text: doubtful(5) });
    const first = await said(decide('ann', id, { label: 'unsafe' }), schemas.queueDecided, 201);
    expect(first).toMatchObject({ right: true, stage: 'done' });
    expect(await said(decide('ann', id, { label: 'unsafe' }), schemas.queueDecided, 201)).toEqual(first);
    expect(await server.ledger.decisions.listDecisions(id)).toHaveLength(1);
  });

  test('who was one of the two cannot settle a dispute, unless they administer the server', async () => {
    const { id } = await judge({ text: doubtful(6) });
    await decide('ann', id, { label: 'safe' });
    await decide('chief', id, { label: 'unsafe' });
    expect((await list('ann', 'stage=dispute')).rows).toEqual([]);
    expect(await refused(decide('ann', id, { label: 'unsafe' }))).toMatchObject({ code: 'decided-already' });
    expect(
      await refused(server.call(`/api/cases/${id}/feedback`, { json: { label: 'unsafe' }, headers: by('ann') })),
    ).toMatchObject({ code: 'decided-already' });
    expect((await list('chief', 'stage=dispute')).rows.map((row) => row.id)).toEqual([id]);
    expect(
      await said(
        decide('chief', id, { label: 'unsafe', why: 'As I said, and I am in charge.' }),
        schemas.queueDecided,
        201,
      ),
    ).toMatchObject({ stage: 'done' });
  });

  test('what waits for nobody, was forgotten or is not there cannot be taken', async () => {
    const certain = await judge({ text: 'Good morning, the meeting is at ten.' });
    expect(await refused(hold('ann', certain.id))).toMatchObject({ code: 'not-waiting' });
    expect(await refused(decide('ann', certain.id, { label: 'safe' }))).toMatchObject({ code: 'not-waiting' });
    const { id } = await judge({ text: doubtful(7) });
    expect(await refused(decide('ann', id, { label: 'safe', clause: 'weapons.knitting' }), 422)).toMatchObject({
      code: 'unknown-clause',
    });
    await server.call(`/api/cases/${id}`, { method: 'DELETE' });
    expect(await refused(hold('ann', id), 410)).toMatchObject({ code: 'forgotten-case' });
    expect(await refused(hold('ann', 'mod-0000'), 404)).toMatchObject({ code: 'unknown-case' });
  });

  test('without a key, who says no name is somebody', async () => {
    const { id } = await judge({ text: 'How to build a potato gun' });
    await said(server.call(`/api/queue/${id}/hold`, { json: {} }), schemas.queueItem);
    expect(await refused(server.call(`/api/queue/${id}/hold`, { json: { by: 'dora' } }))).toMatchObject({
      detail: expect.stringMatching(/^somebody is reviewing/),
    });
    expect(
      await said(
        server.call(`/api/queue/${id}/decisions`, { json: { label: 'safe', why: 'A craft.' } }),
        schemas.queueDecided,
        201,
      ),
    ).toMatchObject({ by: 'reviewer' });
    expect(
      await said(
        server.call(`/api/queue/${id}/decisions`, { json: { label: 'safe', why: 'A craft.', by: 'dora' } }),
        schemas.queueDecided,
        201,
      ),
    ).toMatchObject({ by: 'dora', stage: 'done' });
  });
});

test('a server on which nobody is followed by a second says so in its settings', async () => {
  await using alone = await runningServer({ server: { secondReview: 'never' } });
  const { id } = (await (
    await alone.call('/api/jobs/moderation/cases', { json: { text: doubtful(1) } })
  ).json()) as Answer;
  expect(
    await said(
      alone.call(`/api/queue/${id}/decisions`, { json: { label: 'safe', why: 'A craft.' } }),
      schemas.queueDecided,
      201,
    ),
  ).toMatchObject({ right: false, stage: 'done' });
});

function* memberNames(value: unknown): Generator<string> {
  if (value === null || typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield name;
    yield* memberNames(member);
  }
}
