import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '@agonhq/engine/hash';
import { auditMoment, type AuditEntry, type AuditFilter, type Ledger } from '@agonhq/ledger';
import { collect, exportedText, holdCase, openedCase } from './ledger-cases.ts';
import type { LedgerMaker } from './ledger-contract.ts';
import { inThreeDays } from './wrong-clock.ts';

const soon = () => new Date(Date.now() + 60_000);
const staleMs = 60_000;

/**
 * What a server keeps in any ledger: keys, idempotency keys, webhooks with their deliveries, policies, and who did
 * what.
 */
export function serverRecordsContract(maker: LedgerMaker): void {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await maker.make();
  });
  afterEach(async () => {
    await ledger.close();
  });

  describe('keys', () => {
    const key = {
      id: 'key-1',
      name: 'the console',
      secretHash: sha256('secret'),
      scopes: ['read', 'review'],
      reviewer: 'ann',
      createdAt: new Date('2026-01-02T03:04:05.678Z'),
      expiresAt: new Date('2027-01-02T03:04:05.678Z'),
    };

    test('are found as they were kept, and listed with the newest first', async () => {
      await ledger.keys.keepKey(key);
      await ledger.keys.keepKey({
        ...key,
        id: 'key-2',
        reviewer: null,
        expiresAt: null,
        createdAt: new Date('2026-02-02T03:04:05.678Z'),
      });
      expect(await ledger.keys.findKey('key-1')).toEqual({ ...key, lastUsedAt: null, revokedAt: null });
      expect(await ledger.keys.findKey('key-3')).toBeUndefined();
      expect(await ledger.keys.findKey('\0')).toBeUndefined();
      expect((await ledger.keys.listKeys()).map(({ id }) => id)).toEqual(['key-2', 'key-1']);
    });

    test('are revoked once, and say when they were last used', async () => {
      await ledger.keys.keepKey(key);
      const used = new Date('2026-03-02T03:04:05.678Z');
      await ledger.keys.markKeysUsed(
        new Map([
          ['key-1', used],
          ['unheard of', used],
        ]),
      );
      const revoked = await ledger.keys.revokeKey('key-1');
      expect(revoked).toMatchObject({ lastUsedAt: used, revokedAt: expect.any(Date) as Date });
      expect(await ledger.keys.revokeKey('key-1')).toEqual(revoked);
      expect(await ledger.keys.revokeKey('unheard of')).toBeUndefined();
    });
  });

  describe('idempotency keys', () => {
    const claim = (request = 'request', options = { staleMs }) =>
      ledger.idempotency.claimKey('owner', 'key', request, options);

    test('of many claims at once one wins, and the others are told what is on record', async () => {
      const told = await Promise.all(Array.from({ length: 20 }, () => claim()));
      expect(told.filter((record) => record === null)).toHaveLength(1);
      expect(told.filter((record) => record !== null)).toEqual(
        Array.from({ length: 19 }, () => ({
          request: 'request',
          state: 'running',
          location: null,
          claimedAt: expect.any(Date) as Date,
        })),
      );
    });

    test('a request that was answered stays on record; another request with its key is told so', async () => {
      expect(await claim()).toBeNull();
      await ledger.idempotency.settleKey('owner', 'key', '/api/cases/mod-1/answer');
      expect(await claim()).toMatchObject({ request: 'request', state: 'done', location: '/api/cases/mod-1/answer' });
      expect(await claim('another request', { staleMs: -1 })).toMatchObject({ request: 'request', state: 'done' });
      expect(await ledger.idempotency.claimKey('another owner', 'key', 'request', { staleMs })).toBeNull();
      await ledger.idempotency.releaseKey('owner', 'key');
      expect(await claim(), 'what is done is not released').toMatchObject({ state: 'done' });
    });

    test('a request that failed gives its key back', async () => {
      expect(await claim()).toBeNull();
      await ledger.idempotency.releaseKey('owner', 'key');
      expect(await claim('another request')).toBeNull();
    });

    test('keys that are released while others claim them are never lost', async () => {
      const hold = async () => {
        if ((await claim()) === null) await ledger.idempotency.releaseKey('owner', 'key');
      };
      await Promise.all(Array.from({ length: 40 }, hold));
      expect(await claim()).toBeNull();
    });

    test('a claim that a crash left behind is taken over, by one, and only for the same request', async () => {
      expect(await claim()).toBeNull();
      expect(await claim('another request', { staleMs: -1_000 })).toMatchObject({
        request: 'request',
        state: 'running',
      });
      await pause(3_100);
      const told = await Promise.all(Array.from({ length: 8 }, () => claim('request', { staleMs: 3_000 })));
      expect(told.filter((record) => record === null)).toHaveLength(1);
    });

    test('a claim that is renewed is not taken over, however long its request takes', async () => {
      expect(await claim()).toBeNull();
      await pause(1_100);
      await ledger.idempotency.renewKey('owner', 'key');
      expect(await claim('request', { staleMs: 1_000 })).toMatchObject({ state: 'running' });
      await ledger.idempotency.settleKey('owner', 'key', '/api/cases/mod-1/answer');
      await ledger.idempotency.renewKey('owner', 'key');
      expect(await claim()).toMatchObject({ state: 'done' });
    });

    test('what a request makes is made once, however often and at how many servers it is asked for', async () => {
      const once = { owner: 'owner', key: 'key', request: 'request' };
      const queue = { name: 'Scams', rules: {}, dueMinutes: null, assignees: [] };
      expect(await ledger.idempotency.findMade(once)).toBeNull();
      await expect(
        ledger.decisions.recordDecision({ case: 'none', label: 'safe', by: 'ada' }, { once }),
      ).rejects.toMatchObject({ code: 'unknown-case' });
      const made = await Promise.all(Array.from({ length: 8 }, () => ledger.queues.createQueue(queue, once)));
      expect(new Set(made.map(({ id }) => id))).toEqual(new Set([await ledger.idempotency.findMade(once)]));
      await ledger.idempotency.releaseKey('owner', 'key');
      expect(await ledger.queues.createQueue(queue, once)).toEqual(made[0]);
      const other = { ...once, request: 'another request' };
      await expect(ledger.queues.createQueue(queue, other)).rejects.toMatchObject({ code: 'queue-exists' });
      expect(await ledger.idempotency.findMade(other), 'what was refused was not made').toBeNull();
      expect(await ledger.queues.listQueues()).toHaveLength(1);
    });

    test('a server whose clock is wrong takes over no claim that is renewed, and blocks no key', async () => {
      expect(await claim()).toBeNull();
      await inThreeDays(async () => {
        expect(await claim('request', { staleMs })).toMatchObject({ state: 'running' });
        await ledger.idempotency.renewKey('owner', 'key');
      });
      await pause(1_100);
      expect(await claim('request', { staleMs: 1_000 }), 'it was left by a crash').toBeNull();
    });

    test('go when they are old', async () => {
      await claim();
      expect(await ledger.idempotency.pruneKeys(60_000)).toBe(0);
      expect(await ledger.idempotency.pruneKeys(-60_000)).toBe(1);
      expect(await claim('another request')).toBeNull();
    });
  });

  describe('webhooks', () => {
    const webhook = {
      id: 'hook-1',
      url: 'https://example.org/agon',
      events: ['verdict'],
      secret: 'whsec',
      createdAt: new Date('2026-01-02T03:04:05.678Z'),
    };
    const delivery = (index: number, hook = 'hook-1') => ({
      id: `delivery-${String(index).padStart(3, '0')}`,
      webhook: hook,
      event: 'verdict',
      payload: { case: `case-${index}` },
    });

    test('are kept, disabled with the first problem, enabled again and removed with their deliveries', async () => {
      await ledger.webhooks.keepWebhook(webhook);
      expect(await ledger.webhooks.findWebhook('hook-1')).toEqual({ ...webhook, disabledAt: null, problem: null });
      await ledger.webhooks.disableWebhook('hook-1', 'It is gone.');
      await ledger.webhooks.disableWebhook('hook-1', 'Still.');
      expect(await ledger.webhooks.listWebhooks()).toMatchObject([
        { id: 'hook-1', problem: 'It is gone.', disabledAt: expect.any(Date) as Date },
      ]);
      await ledger.webhooks.enableWebhook('hook-1');
      expect(await ledger.webhooks.findWebhook('hook-1')).toMatchObject({ disabledAt: null, problem: null });
      await ledger.webhooks.enqueueDeliveries([delivery(1), delivery(2, 'hook-2')]);
      await ledger.webhooks.removeWebhook('hook-1');
      expect(await ledger.webhooks.findWebhook('hook-1')).toBeUndefined();
      expect((await ledger.webhooks.listDeliveries('hook-1', { limit: 9 })).rows).toEqual([]);
      expect((await ledger.webhooks.listDeliveries('hook-2', { limit: 9 })).rows).toMatchObject([
        { id: 'delivery-002' },
      ]);
    });

    test('a delivery is due to one caller only, however many ask at once', async () => {
      await ledger.webhooks.enqueueDeliveries(Array.from({ length: 60 }, (_, index) => delivery(index)));
      const given = await Promise.all(
        Array.from({ length: 10 }, () => ledger.webhooks.takeDueDeliveries('hook-1', 10, 60_000)),
      );
      const ids = given.flat().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (
        let more = await ledger.webhooks.takeDueDeliveries('hook-1', 10, 60_000);
        more.length > 0;
        more = await ledger.webhooks.takeDueDeliveries('hook-1', 10, 60_000)
      )
        ids.push(...more.map(({ id }) => id));
      expect(ids.toSorted()).toEqual(Array.from({ length: 60 }, (_, index) => delivery(index).id));
      expect(await ledger.webhooks.takeDueDeliveries('hook-1', 10, 60_000)).toEqual([]);
    });

    test('a delivery whose lease has passed is due again, and counts its attempts', async () => {
      await ledger.webhooks.enqueueDeliveries([delivery(1)]);
      await ledger.webhooks.enqueueDeliveries([{ ...delivery(1), payload: 'others' }]);
      expect(await ledger.webhooks.takeDueDeliveries('hook-1', 5, -1)).toMatchObject([
        { id: 'delivery-001', payload: { case: 'case-1' }, attempts: 1 },
      ]);
      expect(await ledger.webhooks.takeDueDeliveries('hook-1', 5, 60_000)).toMatchObject([{ attempts: 2 }]);
      expect(await ledger.webhooks.takeDueDeliveries('hook-1', 5, 60_000)).toEqual([]);
      expect(await ledger.webhooks.takeDueDeliveries('hook-2', 5, 60_000)).toEqual([]);
    });

    test('what came of deliveries is told, the newest first, page by page', async () => {
      await ledger.webhooks.enqueueDeliveries(Array.from({ length: 5 }, (_, index) => delivery(index)));
      await ledger.webhooks.takeDueDeliveries('hook-1', 5, 60_000);
      const outcome = { status: 200, error: null, dueAt: null, attempts: 1 };
      await ledger.webhooks.settleDeliveries([
        { ...outcome, id: 'delivery-000', state: 'delivered' },
        { ...outcome, id: 'delivery-001', state: 'delivered' },
        { ...outcome, id: 'delivery-002', state: 'failed', status: 500, error: 'It answered 500.' },
        {
          ...outcome,
          id: 'delivery-003',
          state: 'waiting',
          status: null,
          error: 'No answer.',
          dueAt: new Date(Date.now() - 1),
        },
      ]);
      expect(await ledger.webhooks.takeDueDeliveries('hook-1', 5, 60_000)).toMatchObject([
        { id: 'delivery-003', attempts: 2, error: 'No answer.' },
      ]);
      const page = await ledger.webhooks.listDeliveries('hook-1', { limit: 3 });
      expect(page.rows.map(({ id }) => id)).toEqual(['delivery-004', 'delivery-003', 'delivery-002']);
      expect(
        (await ledger.webhooks.listDeliveries('hook-1', { limit: 3, after: page.next })).rows.map(({ id }) => id),
      ).toEqual(['delivery-001', 'delivery-000']);
      expect((await ledger.webhooks.listDeliveries('hook-1', { limit: 9, state: 'failed' })).rows).toMatchObject([
        { id: 'delivery-002', status: 500, endedAt: expect.any(Date) as Date },
      ]);
      expect(await ledger.webhooks.haveLastFailed('hook-1', 1)).toBe(true);
      expect(await ledger.webhooks.haveLastFailed('hook-1', 2)).toBe(false);
      await ledger.webhooks.abandonDeliveries('hook-1', 'The webhook was switched off.');
      expect(await ledger.webhooks.haveLastFailed('hook-1', 3)).toBe(true);
      expect(await ledger.webhooks.retryDelivery('hook-1', 'delivery-000'), 'delivered').toBeUndefined();
      expect(await ledger.webhooks.retryDelivery('hook-2', 'delivery-002'), 'of another').toBeUndefined();
      expect(await ledger.webhooks.retryDelivery('hook-1', 'delivery-002')).toMatchObject({
        id: 'delivery-002',
        state: 'waiting',
        attempts: 0,
        endedAt: null,
      });
      expect(await ledger.webhooks.takeDueDeliveries('hook-1', 5, 60_000)).toMatchObject([{ id: 'delivery-002' }]);
      expect(await ledger.webhooks.pruneDeliveries(soon())).toBe(5);
    });
  });

  describe('policies', () => {
    const policy = (name: string) => ({ hash: sha256(name), name, version: '1', document: { name } });

    test('are kept once, found by the beginning of their hash, and counted by their cases', async () => {
      await ledger.policies.keepPolicy(policy('one'));
      await ledger.policies.keepPolicy({ ...policy('one'), name: 'others' });
      await holdCase(ledger, openedCase('case-1', { policy: policy('two') }));
      await ledger.cases.openCase(openedCase('case-2', { policy: policy('two') }));
      expect(await ledger.policies.findPolicy(sha256('one'))).toEqual({
        ...policy('one'),
        keptAt: expect.any(Date) as Date,
      });
      expect((await ledger.policies.findPoliciesByPrefix(sha256('two').slice(0, 15))).map(({ name }) => name)).toEqual([
        'two',
      ]);
      expect(await ledger.policies.findPoliciesByPrefix('sha256:%')).toEqual([]);
      expect(
        Object.fromEntries((await ledger.policies.listPolicies()).map(({ name, cases }) => [name, cases])),
      ).toEqual({
        one: 0,
        two: 2,
      });
    });

    test('the one in force is the one that was activated last', async () => {
      expect(await ledger.policies.findActivePolicy()).toBeUndefined();
      for (const name of ['one', 'two']) await ledger.policies.keepPolicy(policy(name));
      for (const name of ['one', 'two', 'one']) await ledger.policies.activatePolicy(sha256(name), 'ann');
      expect(await ledger.policies.findActivePolicy()).toMatchObject(policy('one'));
      await expect(ledger.policies.activatePolicy(sha256('three'), null)).rejects.toMatchObject({
        code: 'unknown-policy',
      });
    });

    test('one in force outlives the cases that were judged by it', async () => {
      await holdCase(ledger, openedCase('case-1', { policy: policy('one') }));
      await ledger.policies.activatePolicy(sha256('one'), null);
      for (const what of ['contents', 'unfinished', 'cases'] as const) await ledger.prune({ before: soon(), what });
      expect((await ledger.readStats()).debates).toBe(0);
      expect(await ledger.policies.findActivePolicy()).toMatchObject(policy('one'));
    });

    test('an export says when they were kept', async () => {
      await ledger.policies.keepPolicy(policy('one'));
      const { keptAt } = (await ledger.policies.findPolicy(sha256('one')))!;
      expect(await exportedText(ledger)).toContain(`"keptAt":"${keptAt!.toISOString()}"`);
    });
  });

  describe('the audit log', () => {
    const entry = (minute: number, changes: Partial<AuditEntry> = {}): AuditEntry => {
      const at = new Date(Date.UTC(2026, 0, 2, 3, minute));
      return {
        id: `${auditMoment(at)}-${minute}`,
        at,
        who: 'Ann',
        key: 'key-1',
        operation: 'queue.decide',
        target: `case-${minute}`,
        what: { label: 'safe' },
        status: 201,
        request: `request-${minute}`,
        ...changes,
      };
    };
    const signIn = { operation: 'session.create', target: null, what: { scopes: ['review'] }, status: 200 };
    const entries = [
      entry(1, signIn),
      entry(2),
      entry(3, { who: 'Ben', key: 'openid-2', operation: 'keys.create', status: 403 }),
      entry(4),
      entry(5, { who: null, key: null, operation: 'keys.create', target: null, what: { name: 'a\0b' } }),
    ];
    const listed = async (filter: AuditFilter) =>
      (await ledger.audit.listEntries(filter, { limit: 9 })).rows.map(({ request }) => request.slice(-1)).join('');

    test('tells what was done, the newest first, page by page, and keeps each entry once', async () => {
      await ledger.audit.keepEntries(entries);
      await ledger.audit.keepEntries([entry(2, { who: 'Somebody else' })]);
      const first = await ledger.audit.listEntries({}, { limit: 3 });
      expect(first.rows).toEqual([entries[4], entries[3], entries[2]]);
      const second = await ledger.audit.listEntries({}, { limit: 3, after: first.next });
      expect(second).toEqual({ rows: [entries[1], entries[0]], next: null });
      await expect(ledger.audit.listEntries({}, { limit: 3, after: 'no page' })).rejects.toMatchObject({
        code: 'bad-page',
      });
    });

    test('is found by who, what and when', async () => {
      await ledger.audit.keepEntries(entries);
      expect(await listed({ who: 'Ann' })).toBe('421');
      expect(await listed({ operation: 'keys.create' })).toBe('53');
      expect(await listed({ from: entries[1]!.at, to: entries[3]!.at })).toBe('32');
      expect(await listed({ who: 'Ann', operation: 'queue.decide', from: entries[3]!.at })).toBe('4');
      expect(await listed({ who: '\0' })).toBe('');
    });

    test('tells who did something, and how they last signed in', async () => {
      await ledger.audit.keepEntries(entries);
      expect(await ledger.audit.listActors({ limit: 9, signIns: ['session.create'] })).toEqual([
        { key: 'key-1', who: 'Ann', lastSeen: entries[3]!.at, entries: 3, signIn: entries[0] },
        { key: 'openid-2', who: 'Ben', lastSeen: entries[2]!.at, entries: 1, signIn: null },
      ]);
      expect(await ledger.audit.listActors({ limit: 1, signIns: ['none'] })).toMatchObject([{ signIn: null }]);
    });

    test('outlives what it is about, and stands in an export', async () => {
      await ledger.audit.keepEntries(entries);
      for (const what of ['contents', 'unfinished', 'cases'] as const) await ledger.prune({ before: soon(), what });
      expect((await exportedText(ledger)).match(/^{"kind":"audit"/gm)).toHaveLength(5);
    });
  });

  test('keys, idempotency keys, webhooks, deliveries and activations are not exported', async () => {
    const policy = { hash: sha256('one'), name: 'one', version: '1', document: {} };
    await ledger.policies.keepPolicy(policy);
    await ledger.policies.activatePolicy(policy.hash, 'ann');
    await ledger.keys.keepKey({
      id: 'key-1',
      name: 'the console',
      secretHash: sha256('secret'),
      scopes: ['read'],
      reviewer: null,
      createdAt: new Date(),
      expiresAt: null,
    });
    await ledger.idempotency.claimKey('owner', 'key', 'request', { staleMs });
    await ledger.webhooks.keepWebhook({
      id: 'hook-1',
      url: 'https://example.org/agon',
      events: ['verdict'],
      secret: 'whsec',
      createdAt: new Date(),
    });
    await ledger.webhooks.enqueueDeliveries([{ id: 'delivery-1', webhook: 'hook-1', event: 'verdict', payload: {} }]);
    expect((await collect(ledger.export())).map(({ kind }) => kind)).toEqual(['ledger', 'policy']);
    expect(await exportedText(ledger)).not.toMatch(/ann|secret|whsec|hook-1|owner/);
  });
}
