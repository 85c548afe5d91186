import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { webhookReceiver, type WebhookReceiver } from '@agonhq/test/support/webhook-receiver.ts';
import { schemas } from './api/index.ts';
import { verifyAnswer } from '@agonhq/judges/moderation/verify-answer';
import { parsePolicy } from '@agonhq/engine/policy';

const rules = `name: House rules
version: 1
actions:
  age-gate: Your post is shown to adults only.
categories:
  - id: house
    title: House
    clauses:
      - id: house.drinks
        text: adverts for drinks
        severity: medium
        action: age-gate
        violations: [ Cheap gin for everybody! ]
        exonerations: [ The history of gin. ]
      - id: house.threats
        text: threats
        severity: critical
        violations: [ I will find you. ]
        exonerations: [ They lived under threat. ]
`;

const advert = 'Cheap gin for everybody, come round tonight.';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('decisions that act, over HTTP', () => {
  let server: ServerUnderTest;
  let told: WebhookReceiver;
  let panel: Awaited<ReturnType<typeof startFakePanel>>;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agon-actions-'));
    await writeFile(path.join(folder, 'rules.yaml'), rules);
    panel = await startFakePanel({
      strict: [{ evidence: ['Cheap gin'], clauses: ['house.drinks'], score: 0.8 }],
      arbiter: {
        risk: { why: 'It sells gin.', evidence: ['Cheap gin'], holds: true, clauses: ['house.drinks'] },
        score: 0.45,
      },
    });
    told = await webhookReceiver();
    server = await runningServer({
      ...panelSettings(panel),
      policy: path.join(folder, 'rules.yaml'),
      moderation: { context: ['channel', 'title'] },
      server: { webhooks: [{ url: told.url, secret, events: ['verdict', 'decision'] }] },
    });
  }, 120_000);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await told.close();
    await panel.close();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const judge = (body: object) =>
    said(server.call('/api/jobs/moderation/cases', { json: body }), schemas.moderationAnswer, 200);
  const notice = async (id: string) => (await server.call(`/api/cases/${id}/report?format=notice`)).text();

  test('a verdict proposes the action of its clause, sealed; the notice says it in the policy’s words', async () => {
    const answer = await judge({ text: advert });
    expect(answer.verdict).toMatchObject({ label: 'unsafe', action: 'age-gate', severity: 'medium' });
    const checks = verifyAnswer(answer, { policy: parsePolicy(rules, 'rules.yaml') });
    expect(checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect(checks.at(-1)).toMatchObject({ name: 'action', detail: 'age-gate, by a clause of medium severity' });
    expect(await notice(answer.id)).toContain('Your post is shown to adults only.');
    await vi.waitFor(() =>
      expect(told.received.map(({ delivery }) => delivery.data)).toContainEqual({
        case: expect.objectContaining({ id: answer.id, action: 'age-gate', severity: 'medium' }),
      }),
    );
    const { rows } = await said(server.call('/api/cases?action=age-gate'), schemas.casePage);
    expect(rows).toMatchObject([{ id: answer.id, action: 'age-gate', severity: 'medium' }]);
  });

  test('a reviewer decides blind, by the actions of the policy; their action stands, and is told', async () => {
    const { id } = await judge({ text: `${advert} Now.` });
    const item = await said(server.call(`/api/queue/${id}/hold`, { json: { by: 'ann' } }), schemas.queueItem);
    expect(item.policy.clauses.find((clause) => clause.id === 'house.threats')).toMatchObject({ action: 'remove' });
    expect(item.policy.actions.map((action) => action.id)).toEqual([
      'remove',
      'restrict',
      'label',
      'warn',
      'escalate',
      'allow',
      'age-gate',
    ]);
    const decide = (body: object) =>
      server.call(`/api/queue/${id}/decisions`, { json: { why: 'It is.', by: 'ann', label: 'unsafe', ...body } });
    expect(await said(decide({ action: 'burn' }), schemas.problem, 422)).toMatchObject({
      code: 'unknown-action',
      hint: expect.stringContaining('age-gate'),
    });
    expect(await said(decide({ action: 'warn' }), schemas.queueDecided, 201)).toMatchObject({
      action: 'warn',
      proposed: 'age-gate',
      machine: { action: 'age-gate', severity: 'medium' },
    });
    await vi.waitFor(() =>
      expect(told.received.map(({ delivery }) => delivery.data)).toContainEqual(
        expect.objectContaining({ case: id, action: 'warn', proposed: 'age-gate', by: 'ann' }),
      ),
    );
    const text = await notice(id);
    expect(text).toContain('this is a warning to you');
    expect(text).toContain('a person confirmed it');
    expect(text).not.toContain('adults only');
    const overview = await said(server.call('/api/overview'), schemas.overview);
    expect(overview.actions).toContainEqual({ id: 'warn', proposed: 0, decided: 1, changed: 1 });
    expect(overview.actions.find((action) => action.id === 'age-gate')!.proposed).toBeGreaterThan(0);
  });

  test('webhooks and the notice name the post as its sender does, with its clauses and what is to be done', async () => {
    const text = `${advert} Tell everybody.`;
    const { id } = await judge({ id: 'post-4711', text });
    // The same again is the same case: what is told is about the post that was asked for last.
    expect(await judge({ id: 'post-4712', text })).toMatchObject({ id });
    const verdict = { id, clauses: ['house.drinks'], categories: ['house'], action: 'age-gate' };
    await vi.waitFor(() => {
      const heard = told.received.map(({ delivery }) => delivery);
      for (const item of ['post-4711', 'post-4712'])
        expect(heard).toContainEqual(
          expect.objectContaining({ type: 'verdict', data: { case: expect.objectContaining({ ...verdict, item }) } }),
        );
    });
    const written = await notice(id);
    for (const part of ['post-4712', 'house.drinks', 'Your post is shown to adults only.'])
      expect(written).toContain(part);

    const give = (body: object) =>
      said(server.call(`/api/cases/${id}/feedback`, { json: body }), schemas.feedbackGiven, 201);
    const decision = { case: id, item: 'post-4712' };
    for (const [body, clauses, action] of [
      [{ label: 'unsafe', by: 'ann' }, ['house.drinks'], 'age-gate'],
      [{ label: 'unsafe', clause: 'house.threats', by: 'ben' }, ['house.threats'], 'remove'],
      [{ label: 'safe', by: 'cleo' }, [], 'allow'],
    ] as const) {
      expect(await give(body)).toMatchObject({ item: 'post-4712', clauses });
      await vi.waitFor(() =>
        expect(told.received.map(({ delivery }) => delivery.data)).toContainEqual(
          expect.objectContaining({ ...decision, label: body.label, clauses, action, by: body.by }),
        ),
      );
    }
  });

  test('feedback without an action has the one that the policy asks for', async () => {
    const { id } = await judge({ text: `${advert} Later.` });
    const give = (body: object) =>
      said(server.call(`/api/cases/${id}/feedback`, { json: body }), schemas.feedbackGiven, 201);
    expect(await give({ label: 'unsafe', by: 'ann' })).toMatchObject({ action: 'age-gate' });
    expect(await give({ label: 'unsafe', clause: 'house.threats', by: 'ben' })).toMatchObject({ action: 'remove' });
    expect(await give({ label: 'safe', by: 'cleo' })).toMatchObject({ action: 'allow', proposed: 'age-gate' });
    const { decisions } = await said(server.call(`/api/cases/${id}`), schemas.caseRecord);
    expect(decisions.map(({ action }) => action)).toEqual(['age-gate', 'remove', 'allow']);
  });

  test('a context is for reviewers, who see the author’s earlier cases and the thread; debaters see what is allowed', async () => {
    const context = {
      author: 'user-7',
      thread: 'thread-1',
      channel: 'classifieds <b>',
      title: 'Cheap gin',
      reports: 3,
      links: ['https://example.com/gin'],
      quotable: ['title'],
    };
    const first = await judge({ text: 'Cheap gin, the first.', context: { author: 'user-7', thread: 'thread-1' } });
    await judge({ text: 'Cheap gin, of somebody else.', context: { author: 'user-8' } });
    panel.requests.length = 0;
    const answer = await judge({ text: 'Cheap gin, the second.', context });
    expect(answer.subject).toMatchObject({ context, contextShown: ['channel', 'title'] });
    expect(answer.sources).toContainEqual(
      expect.objectContaining({ id: 'context/title', text: 'Cheap gin', tool: 'context' }),
    );
    for (const { prompt } of panel.requests) {
      expect(prompt).toContain('channel: classifieds <b>');
      expect(prompt).not.toContain('user-7');
      expect(prompt).not.toContain('example.com');
    }
    const again = await judge({ text: 'Cheap gin, the second.', context: { ...context, author: 'user-9' } });
    expect(again.id).not.toBe(answer.id);
    expect(again.subject.hash).toBe(answer.subject.hash);

    const item = await said(server.call(`/api/queue/${answer.id}/hold`, { json: { by: 'ann' } }), schemas.queueItem);
    expect(item.context).toEqual(context);
    expect(item.around.author.map(({ id }) => id)).toEqual([first.id]);
    expect(item.around.thread.map(({ id }) => id)).toEqual([first.id]);
    // It waits for a person itself: what the machine thinks of it is not told.
    expect(item.around.thread[0]).toMatchObject({ label: null, action: null, excerpt: 'Cheap gin, the first.' });

    const listed = await said(server.call('/api/cases?author=user-7'), schemas.casePage);
    expect(listed.rows.map(({ id }) => id).toSorted()).toEqual([first.id, answer.id].toSorted());
    const replayed = await said(server.call(`/api/cases/${answer.id}/replays`, { json: {} }), schemas.retrial);
    expect(replayed.flipped).toBe(false);
    expect((await server.ledger.cases.findCase(replayed.answer.id))?.context).toEqual(context);

    await server.call(`/api/cases/${answer.id}`, { method: 'DELETE' });
    expect((await said(server.call('/api/cases?author=user-7'), schemas.casePage)).rows).toHaveLength(1);
    expect(await said(server.call(`/api/cases/${answer.id}`), schemas.caseRecord)).toMatchObject({
      context: null,
      author: null,
    });
  });

  test.each([
    ['too many members', Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`m${index}`, 'x']))],
    ['too long', { note: 'x'.repeat(4001) }],
    ['too long in all', Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`m${index}`, 'x'.repeat(3000)]))],
    ['an object', { note: { deep: true } }],
    ['a name that is none', { 'a b': 'x' }],
    ['quotable and not there', { quotable: ['title'] }],
    ['no plain text', { author: 'a\u0000b' }],
  ])('a context that is %s is refused', async (_what, context) => {
    await said(server.call('/api/jobs/moderation/cases', { json: { text: advert, context } }), schemas.problem, 400);
  });
});
