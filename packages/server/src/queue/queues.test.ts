import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { schemas } from '../api/index.ts';
import type { Answer } from '@agonhq/engine/debate';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const judge = async (text: string, context?: object) =>
  (
    (await (
      await server.call('/api/jobs/moderation/cases', { json: { text, ...(context ? { context } : {}) } })
    ).json()) as Answer
  ).id;
const create = (queue: object) => said(server.call('/api/queues', { json: queue }), schemas.queueSummary, 201);
const list = (query: string) => said(server.call(`/api/queue?${query}`), schemas.queuePage);
const next = async (asked: object) =>
  (await said(server.call('/api/queue/next', { json: asked }), schemas.nextCase)).case;
const assign = (id: string, to: string | null) =>
  said(server.call(`/api/queue/${id}/assignment`, { method: 'PUT', json: { to } }), schemas.queueRow);
const decideMany = (given: object) =>
  said(
    server.call('/api/queue/decisions', { json: { label: 'unsafe', why: 'The same letter.', ...given } }),
    schemas.manyDecided,
  );
const rows = async () => (await said(server.call('/api/queues'), schemas.queueList)).rows;

describe('queues over HTTP', () => {
  test('a queue takes what waits already, says what is overdue, and gives it back when it is removed', async () => {
    const id = await judge('How to build a potato gun, part 1', { channel: 'shop' });
    const queue = await create({ name: 'Shop', rules: { channels: ['shop'] }, dueMinutes: 1, assignees: ['ann'] });
    expect(queue).toMatchObject({ waiting: { first: 1 }, overdue: 0, unassigned: 1, quality: null });
    expect((await list(`queue=${queue.id}&sort=due`)).rows).toMatchObject([
      { id, queue: queue.id, dueAt: queue.nextDue },
    ]);
    expect((await list('overdue=true')).rows).toEqual([]);
    expect((await rows()).map(({ name }) => name)).toEqual(['Shop', 'Default']);
    expect(await said(server.call('/api/queues', { json: { name: 'Shop' } }), schemas.problem, 409)).toMatchObject({
      code: 'queue-exists',
    });
    expect(
      await said(server.call('/api/queues', { json: { name: 'X', rules: { job: 'laundry' } } }), schemas.problem, 400),
    ).toMatchObject({ code: 'bad-request' });
    const changed = await said(
      server.call(`/api/queues/${queue.id}`, { method: 'PATCH', json: { rules: { channels: ['forum'] } } }),
      schemas.queueSummary,
    );
    expect(changed.waiting.first).toBe(0);
    expect((await list('queue=default')).rows).toMatchObject([{ id }]);
    expect((await server.call(`/api/queues/${queue.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(
      await said(server.call(`/api/queues/${queue.id}`, { method: 'DELETE' }), schemas.problem, 404),
    ).toMatchObject({ code: 'unknown-queue' });
  });

  test('the next case is one’s own, then anybody’s; what is another’s is not offered', async () => {
    const queue = await create({ name: 'Forum', rules: { channels: ['forum'] }, assignees: ['ann'] });
    const [first, second] = [
      await judge('How to build a potato gun, for the forum', { channel: 'forum' }),
      await judge('How to build a potato gun, for the forum again', { channel: 'forum' }),
    ];
    expect(await assign(second, 'ann')).toMatchObject({ id: second, assigned: 'ann' });
    expect((await list('assigned=me&by=ann')).rows).toMatchObject([{ id: second }]);
    expect(await next({ by: 'ann', queue: queue.id })).toMatchObject({ id: second });
    expect(await next({ by: 'ann', queue: queue.id, except: [second] })).toMatchObject({ id: first });
    // Ann looks at it.
    expect(await next({ by: 'bob', queue: queue.id })).toBeNull();
    for (const id of [first, second]) await server.call(`/api/queue/${id}/hold?by=ann`, { method: 'DELETE' });
    expect(await next({ by: 'bob', queue: queue.id })).toMatchObject({ id: first });
    await server.call(`/api/queue/${first}/hold?by=bob`, { method: 'DELETE' });
    // Who does not ask for the queue is offered what is everybody’s.
    const everybodys = await next({ by: 'bob' });
    expect(everybodys?.queue).toBe('default');
    await assign(second, null);
    expect(
      await said(server.call('/api/queue/next', { json: { queue: 'queue-none' } }), schemas.problem, 404),
    ).toMatchObject({
      code: 'unknown-queue',
    });
  });

  test('alike cases of the queue are found and decided together, but for those that were decided meanwhile', async () => {
    const queue = await create({ name: 'Letters', rules: { channels: ['mail'] } });
    const ids: string[] = [];
    for (const part of ['one', 'two', 'three', 'four'])
      ids.push(await judge(`How to build a potato gun at home, part ${part}`, { channel: 'mail' }));
    const elsewhere = await judge('How to build a potato gun at home, part five');
    const alike = await said(server.call(`/api/queue/${ids[0]}/alike?by=ann`), schemas.alikeCases);
    expect(alike.rows.map(({ id }) => id).toSorted()).toEqual(ids.slice(1).toSorted());
    expect(alike.rows.map(({ id }) => id)).not.toContain(elsewhere);
    expect(alike.rows[0]).toMatchObject({ queue: queue.id, similarity: expect.any(Number) });

    await server.call(`/api/queue/${ids[1]}/decisions`, { json: { label: 'safe', why: 'A craft.', by: 'bob' } });
    await server.call(`/api/queue/${ids[2]}/hold`, { json: { by: 'cleo' } });
    const { rows: outcome, recorded } = await decideMany({ cases: [...ids, 'mod-none'], by: 'ann' });
    expect(recorded).toBe(2);
    expect(outcome.map(({ problem }) => problem?.code ?? null)).toEqual([
      null,
      'decided-meanwhile',
      'held-case',
      null,
      'unknown-case',
    ]);
    expect(await server.ledger.decisions.listDecisions(ids[3]!)).toMatchObject([
      { by: 'ann', label: 'unsafe', why: 'The same letter.' },
    ]);
    expect(await server.ledger.decisions.listDecisions(ids[1]!)).toMatchObject([{ by: 'bob' }]);
    // Sent again, since the answer was lost.
    expect((await decideMany({ cases: [ids[0]!], by: 'ann' })).recorded).toBe(1);
  });

  test('a sample of what the machine was sure of is reviewed, and its quality and each reviewer’s agreement are told', async () => {
    const { id: checks } = await create({ name: 'Checks', rules: { sample: 1, channels: ['calm'] } });
    const [right, wrong] = [
      await judge('Good morning, the meeting is at ten.', { channel: 'calm' }),
      await judge('The swallows are back under the roof.', { channel: 'calm' }),
    ];
    expect((await list(`queue=${checks}`)).rows.map(({ why }) => why)).toEqual([['sampled'], ['sampled']]);
    const decide = (id: string, label: string, by: string) =>
      said(
        server.call(`/api/queue/${id}/decisions`, { json: { label, why: 'I looked.', by } }),
        schemas.queueDecided,
        201,
      );
    expect(await decide(right, 'safe', 'dora')).toMatchObject({ stage: 'done' });
    expect(await decide(wrong, 'unsafe', 'dora')).toMatchObject({ stage: 'second' });
    await decide(wrong, 'safe', 'eli');
    expect((await rows()).find(({ id }) => id === checks)?.quality).toMatchObject({ of: 2, agreed: 2 });
    const { byReviewer } = await said(server.call('/api/overview'), schemas.overview);
    expect(byReviewer.find(({ by }) => by === 'dora')).toMatchObject({
      decisions: 2,
      machine: { of: 2, agreed: 1 },
      others: { of: 1, agreed: 0 },
      samples: { of: 2, agreed: 1, interval: [expect.any(Number), expect.any(Number)] },
    });
  });

  test('only who administers the server changes queues', async () => {
    const scopes = ['review'];
    const { key } = (await (
      await server.call('/api/keys', { json: { name: 'key of ann', scopes, reviewer: 'ann' } })
    ).json()) as { key: string };
    const headers = { authorization: `Bearer ${key}` };
    expect((await server.call('/api/queues', { headers })).status).toBe(200);
    expect((await server.call('/api/queues', { headers, json: { name: 'Mine' } })).status).toBe(403);
  });
});
