import { ownJobs } from '@agonhq/core/own-jobs';
import { afterEach, describe, expect, test } from 'vitest';
import { startFakePanel, panelSettings } from '@agonhq/test/support/fake-panel.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { until } from '@agonhq/test/support/until.ts';
import { isSigned, webhookReceiver } from '@agonhq/test/support/webhook-receiver.ts';
import { schemas } from '../api/index.ts';
import { defaultPolicy, writePolicy } from '@agonhq/engine/policy';
import { listWatchSteps } from './build-watch.ts';
import { isDrawn, openShadowTrials } from './shadow-trials.ts';
import { candidateSchema } from '@agonhq/ledger/watching/watched';

let server: ServerUnderTest;
afterEach(() => server?.[Symbol.asyncDispose]());

const judge = async (text: string, context: object = {}) =>
  (await (await server.call('/api/jobs/moderation/cases', { json: { text, context } })).json()) as { id: string };

describe('figures over time', () => {
  test('are told step by step and by group, and a group leads to its cases', async () => {
    server = await runningServer();
    for (let number = 0; number < 3; number += 1)
      await judge(`I will burn your house down, ${number}.`, { language: 'en' });
    for (let number = 0; number < 5; number += 1)
      await judge(`Der Garten ist heute wieder sehr schön, ${number}.`, { channel: 'forum' });
    const report = await said(server.call('/api/watching?by=language&step=hour'), schemas.watchReport);
    expect(report.steps.length).toBeGreaterThanOrEqual(30);
    expect(report.whole).toMatchObject({ cases: 8, flagged: 3 });
    expect(report.groups.map(({ value, cases, flagged }) => [value, cases, flagged])).toEqual([
      // What it is told by nobody, its words tell.
      ['de', 5, 0],
      ['en', 3, 3],
    ]);
    const inEnglish = report.groups[1]!;
    expect(inEnglish.points.reduce((sum, { cases }) => sum + cases, 0)).toBe(3);
    expect(inEnglish.tenths.slice(5).reduce((sum, cases) => sum + cases, 0)).toBe(3);
    const clauses = await said(server.call('/api/watching?by=clause'), schemas.watchReport);
    expect(clauses.whole.cases).toBe(8);
    const clause = clauses.groups.find(({ value }) => value !== '')!;
    const page = await said(server.call(`/api/cases?clause=${clause.value}`), schemas.casePage);
    expect(page.rows).toHaveLength(clause.cases);
    expect((await said(server.call('/api/cases?channel=forum'), schemas.casePage)).rows).toHaveLength(5);
    expect((await server.call('/api/watching?step=hour&since=2020-01-01T00:00:00Z')).status).toBe(400);
  });

  test('weeks begin on a Monday, days at midnight, where somebody is', () => {
    const until = new Date('2026-11-17T10:30:00Z');
    const starts = (step: 'hour' | 'day' | 'week', since: string) =>
      listWatchSteps({ since: new Date(since), until, step, offsetMinutes: 120 }).map(({ from }) => from.toISOString());
    expect(starts('week', '2026-11-10T12:00:00Z')).toEqual(['2026-11-08T22:00:00.000Z', '2026-11-15T22:00:00.000Z']);
    expect(starts('day', '2026-11-16T12:00:00Z')).toEqual(['2026-11-15T22:00:00.000Z', '2026-11-16T22:00:00.000Z']);
    expect(starts('hour', '2026-11-17T09:10:00Z')).toEqual(['2026-11-17T09:00:00.000Z', '2026-11-17T10:00:00.000Z']);
  });
});

describe('an alert', () => {
  const rule = {
    name: 'Too much is flagged',
    figure: 'flagged',
    by: 'language',
    windowMinutes: 60,
    test: { kind: 'bound', above: 0.5, least: 3 },
  };

  test('is told by webhook when it is raised and when it ended, each once, and can be acknowledged', async () => {
    await using receiver = await webhookReceiver();
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const webhooks = [{ url: receiver.url, secret, events: ['alert-raised' as const, 'alert-ended' as const] }];
    server = await runningServer({ server: { webhooks } });
    await said(server.call('/api/watching/rules', { json: rule }), schemas.watchRule, 201);
    for (let number = 0; number < 3; number += 1)
      await judge(`I will burn your house down, ${number}.`, { language: 'en' });
    const check = () => said(server.call('/api/watching/check', { method: 'POST' }), schemas.watchCheck);
    const { raised } = await check();
    expect(raised).toMatchObject([{ value: 'en', now: 1, cases: 3, why: 'above 0.5', rule: { name: rule.name } }]);
    expect((await check()).raised).toEqual([]);
    await until(() => receiver.received.length > 0);
    expect(receiver.received[0]!.delivery).toMatchObject({
      type: 'alert-raised',
      data: { alert: { id: raised[0]!.id, name: rule.name, value: 'en', now: 1 } },
    });
    expect(isSigned(receiver.received[0]!, secret)).toBe(true);
    const address = `/api/watching/alerts/${raised[0]!.id}/acknowledge`;
    expect(await said(server.call(address, { json: { note: 'Seen.' } }), schemas.alert)).toMatchObject({
      note: 'Seen.',
    });
    for (let number = 0; number < 4; number += 1) await judge(`The garden is green, ${number}.`, { language: 'en' });
    expect((await check()).ended).toMatchObject([{ id: raised[0]!.id }]);
    await until(() => receiver.received.length > 1);
    expect(receiver.received.map(({ delivery }) => delivery.type)).toEqual(['alert-raised', 'alert-ended']);
    const { rows } = await said(server.call('/api/watching/alerts?standing=false'), schemas.alertPage);
    expect(rows).toHaveLength(1);
  });

  test('needs a rule that says something', async () => {
    server = await runningServer();
    for (const wrong of [
      { ...rule, by: null, value: 'en' },
      { ...rule, test: { kind: 'bound' } },
      { ...rule, figure: 'x' },
    ])
      expect((await server.call('/api/watching/rules', { json: wrong })).status).toBe(400);
    expect((await server.call('/api/watching/rules/rule-none', { method: 'DELETE' })).status).toBe(404);
    expect((await server.call('/api/watching/alerts/alert-none/acknowledge', { json: {} })).status).toBe(404);
  });
});

describe('a candidate in the shadow', () => {
  const knives = async () => {
    const policy = await defaultPolicy();
    return writePolicy(policy).replace(/^version: .*$/m, 'version: "candidate"');
  };

  test('judges what was judged, is compared with it, and is in no list, queue or event', async () => {
    const panel = await startFakePanel({ latencyMs: 20 });
    try {
      server = await runningServer(panelSettings(panel));
      const { hash } = await said(
        server.call('/api/policies', { json: { yaml: await knives() } }),
        schemas.policy,
        201,
      );
      const made = await said(
        server.call('/api/shadows', {
          json: { name: 'Knives', job: 'moderation', policy: hash.slice(7, 27), share: 1 },
        }),
        schemas.shadow,
        201,
      );
      expect(made).toMatchObject({ policy: hash, dropped: 0 });
      for (let number = 0; number < 3; number += 1)
        await judge(`A bread knife for ${number} euros.`, { channel: 'shop' });
      const get = () => said(server.call(`/api/shadows/${made.id}`), schemas.shadowReport);
      await until(async () => (await get()).pairs === 3);
      const report = await get();
      expect(report).toMatchObject({ agreement: 1, failed: 0, latencyMs: { pairs: 3 }, costUsd: { pairs: 3 } });
      const { latency } = await server.ledger.shadows.compare(made.id);
      const margin = (1.96 * latency.deviation) / Math.sqrt(3);
      expect(report.latencyMs.interval![0]).toBeCloseTo(latency.difference - margin, 6);
      expect(report.latencyMs.interval![1]).toBeCloseTo(latency.difference + margin, 6);
      expect(report.spentUsd).toBeGreaterThan(0);
      const { rows } = await said(server.call(`/api/shadows/${made.id}/pairs`), schemas.shadowPairPage);
      const shadowed = await said(server.call(`/api/cases/${rows[0]!.shadowCase}`), schemas.caseRecord);
      expect(shadowed).toMatchObject({ again: { of: rows[0]!.case, how: 'shadow' }, policy: { hash } });
      expect((await said(server.call('/api/cases'), schemas.casePage)).rows).toHaveLength(3);
      expect((await said(server.call('/api/watching'), schemas.watchReport)).whole.cases).toBe(3);
      const ended = await said(server.call(`/api/shadows/${made.id}/end`, { method: 'POST' }), schemas.shadow);
      expect(ended.endedAt).not.toBeNull();
      await judge('A bread knife for nine euros.');
      expect((await get()).pairs).toBe(3);
    } finally {
      await panel.close();
    }
  });

  test('ends when its budget is spent', async () => {
    const panel = await startFakePanel({ latencyMs: 5 });
    try {
      server = await runningServer(panelSettings(panel));
      const start = (more: object) =>
        said(
          server.call('/api/shadows', {
            json: { name: 'Guard', job: 'moderation', sensitivity: 'high', share: 1, ...more },
          }),
          schemas.shadow,
          201,
        );
      const { id } = await start({ budgetUsd: 0.000001 });
      await judge('A bread knife for one euro.');
      await until(async () => (await server.ledger.shadows.findShadow(id))!.spentUsd > 0);
      await judge('A bread knife for two euros.');
      await until(async () => (await server.ledger.shadows.findShadow(id))!.endedAt !== null);
      expect(await server.ledger.shadows.findShadow(id)).toMatchObject({ why: 'It has spent its budget.' });
    } finally {
      await panel.close();
    }
  });

  test('must differ from what is in force, and be something that can judge', async () => {
    server = await runningServer();
    const start = (more: object) => server.call('/api/shadows', { json: { name: 'X', job: 'moderation', ...more } });
    expect(await said(start({}), schemas.problem, 422)).toMatchObject({ code: 'no-change' });
    expect(await said(start({ policy: 'ffffffffffffffff' }), schemas.problem, 404)).toMatchObject({
      code: 'unknown-policy',
    });
    expect((await start({ seats: { default: 'nobody:knows' } })).ok).toBe(false);
    expect((await server.call('/api/shadows/shadow-none')).status).toBe(404);
  });

  test('what comes while it is behind is left out, and counted; nobody waits for it', async () => {
    server = await runningServer();
    const candidate = candidateSchema.parse({ name: 'Slow', job: 'moderation', sensitivity: 'high', share: 1 });
    await server.ledger.shadows.startShadow({ id: 'slow', candidate, createdBy: null });
    const agons = { openAgon: () => Promise.reject(new Error('nobody is asked')) };
    const shadows = await openShadowTrials({ jobs: ownJobs, ledger: server.ledger, agons, log: () => undefined });
    for (let number = 0; number < 60; number += 1) shadows.offer({ id: `mod-${number}`, job: 'moderation' }, {});
    shadows.offer({ id: 'eval-1', job: 'evaluation' }, {});
    await shadows.whenIdle();
    await until(async () => (await server.ledger.shadows.findShadow('slow'))!.dropped === 9);
    await shadows.close();
  });

  test('a share is drawn by lot, the same whenever a case comes', () => {
    const candidate = { share: 0.25 } as Parameters<typeof isDrawn>[0]['candidate'];
    const drawn = Array.from({ length: 4000 }, (_, number) => isDrawn({ id: 's', candidate }, `mod-${number}`));
    expect(drawn.filter(Boolean).length / 4000).toBeCloseTo(0.25, 1);
  });
});
