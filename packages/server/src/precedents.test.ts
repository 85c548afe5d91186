import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { panelReply, panelSettings, roleOf, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { heardEvents, type HeardEvent } from '@agonhq/test/support/heard-events.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { schemas } from './api/index.ts';
import { openLedger } from '@agonhq/ledger';
import type { KeptPrecedent } from '@agonhq/models/precedents';
import { lockLearning } from '@agonhq/core/runs';
import { openKeys } from './auth/index.ts';

const threat = 'Nice house you have there. It would be a shame if it burnt down with the children inside.';
const alike = 'Lovely house. A pity if it burnt down with your children inside.';
const written = {
  label: 'unsafe',
  text: threat,
  summary: 'A veiled threat of arson.',
  why: 'Nobody says so without a wish to frighten.',
  cues: ['it would be a shame if'],
  category: 'violence',
};
const streaming = { accept: 'text/event-stream' };

let server: ServerUnderTest;
afterEach(() => server[Symbol.asyncDispose]());

const create = (precedent: object) =>
  said(server.call('/api/precedents', { json: precedent }), schemas.keptPrecedent, 201);
const refused = (precedent: object, status: number) =>
  said(server.call('/api/precedents', { json: precedent }), schemas.problem, status);
const change = (id: string, correction: object) =>
  said(server.call(`/api/precedents/${id}`, { method: 'PATCH', json: correction }), schemas.keptPrecedent);
const unchanged = (id: string, correction: object, status: number) =>
  said(server.call(`/api/precedents/${id}`, { method: 'PATCH', json: correction }), schemas.problem, status);
const list = (query = '') => said(server.call(`/api/precedents?${query}`), schemas.precedentPage);
const cited = async (text: string) =>
  (
    (await (await server.call('/api/jobs/moderation/cases', { json: { text } })).json()) as {
      precedents: { id: string; summary: string }[];
    }
  ).precedents;

async function listed(query = ''): Promise<KeptPrecedent[]> {
  const all: KeptPrecedent[] = [];
  let after: string | null = '';
  while (after !== null) {
    const { rows, next }: { rows: unknown[]; next: string | null } = await list(
      `limit=200&${query}${after === '' ? '' : `&after=${after}`}`,
    );
    all.push(...(rows as KeptPrecedent[]));
    after = next;
  }
  return all;
}

describe('precedents over HTTP', () => {
  beforeEach(async () => {
    server = await runningServer();
  });

  test('one that is put in is shown to the next alike case, and no longer when it is retired', async () => {
    expect((await cited(alike)).map(({ id }) => id)).not.toContainEqual(expect.stringMatching(/^imported-/));
    const made = await create(written);
    expect(made).toMatchObject({
      ...written,
      clause: null,
      state: 'active',
      confirmedBy: 'api',
      provenance: { kind: 'imported' },
      policy: { hash: expect.any(String) },
    });
    expect(await cited(`${alike} Really.`)).toContainEqual(
      expect.objectContaining({ id: made.id, summary: written.summary }),
    );
    expect(
      await said(
        server.call(`/api/precedents/${made.id}/retirement`, { json: { why: 'It frightens nobody.' } }),
        schemas.keptPrecedent,
      ),
    ).toMatchObject({ state: 'retired', overruledBy: 'It frightens nobody.' });
    expect((await cited(`${alike} Truly.`)).map(({ id }) => id)).not.toContain(made.id);
    expect(
      await said(
        server.call(`/api/precedents/${made.id}/retirement`, { json: { why: 'Again.' } }),
        schemas.problem,
        409,
      ),
    ).toMatchObject({ code: 'already-retired' });
    expect(await said(server.call(`/api/precedents/${made.id}`), schemas.keptPrecedent)).toMatchObject({
      state: 'retired',
    });
  });

  test('a clause says its category; what the policy in force does not have is refused', async () => {
    expect(await create({ ...written, category: undefined, clause: 'weapons.make' })).toMatchObject({
      category: 'weapons',
      clause: 'weapons.make',
    });
    const other = { ...written, text: 'Another text altogether.' };
    for (const place of [
      { category: 'knitting' },
      { clause: 'weapons.knitting' },
      { category: 'fraud', clause: 'weapons.make' },
    ])
      expect(await refused({ ...other, ...place }, 422)).toMatchObject({
        code: 'no-such-clause',
        hint: expect.any(String),
      });
    expect(await refused({ ...other, text: 'I cannot help with that.' }, 422)).toMatchObject({ code: 'bad-precedent' });
  });

  test('the same words are taken once, whatever their case and marks, and never with both labels', async () => {
    const { id } = await create(written);
    expect(await refused({ ...written, text: `${threat.toUpperCase()}!!` }, 409)).toMatchObject({
      code: 'known-precedent',
      detail: expect.stringContaining(id),
    });
    expect(await refused({ ...written, text: threat.replaceAll(' ', '  '), label: 'safe' }, 409)).toMatchObject({
      code: 'contradicting-precedent',
    });
    const [seed] = await listed('label=unsafe');
    expect(await refused({ ...written, text: seed!.text }, 409)).toMatchObject({ code: 'known-precedent' });
    const race = await Promise.all(
      [1, 2, 3].map(
        async () => (await server.call('/api/precedents', { json: { ...written, text: 'All at once now.' } })).status,
      ),
    );
    expect(race.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  test('only its words are corrected, and it says who did; a seed that is corrected stands over what ships', async () => {
    const made = await create(written);
    expect(await change(made.id, { summary: 'A threat of arson.', clause: 'weapons.make' })).toMatchObject({
      id: made.id,
      text: threat,
      label: 'unsafe',
      summary: 'A threat of arson.',
      category: 'weapons',
      clause: 'weapons.make',
      why: written.why,
    });
    expect(await unchanged(made.id, { text: 'Other words.' }, 400)).toMatchObject({ code: 'bad-request' });
    expect(await unchanged(made.id, { category: 'knitting' }, 422)).toMatchObject({ code: 'no-such-clause' });
    const found = await said(
      server.call('/api/precedents/search', { json: { text: alike, limit: 1 } }),
      schemas.precedentMatches,
    );
    const seed = (await listed()).find(({ provenance }) => provenance.kind === 'seed')!;
    expect(await change(seed.id, {})).toMatchObject({ provenance: { kind: 'seed' }, confirmedBy: 'seed' });
    expect(await change(seed.id, { why: 'Since it is so.' })).toMatchObject({
      id: seed.id,
      why: 'Since it is so.',
      state: 'active',
      confirmedBy: 'api',
      text: seed.text,
    });
    expect((await listed()).filter(({ id }) => id === seed.id)).toMatchObject([{ why: 'Since it is so.' }]);
    const again = await said(
      server.call('/api/precedents/search', {
        json: { text: `${seed.text} And so on and so forth, with a good deal more of it.`, limit: 50 },
      }),
      schemas.precedentMatches,
    );
    expect([...again.precedents, ...again.excluded].filter(({ id }) => id === seed.id)).toHaveLength(1);
    expect(again.library.size).toBe(found.library.size);
    expect(await unchanged('nothing', { why: 'So.' }, 404)).toMatchObject({ code: 'no-such-precedent' });
  });

  test('seeds and rows are one list in one order, page by page, by what they are and say', async () => {
    const { id } = await create({ ...written, summary: 'Eine Drohung mit ÄRGER' });
    const all = await listed();
    expect(all.map((precedent) => precedent.id)).toEqual([...new Set(all.map((precedent) => precedent.id))].toSorted());
    expect(all.length).toBeGreaterThan(100);
    const some: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const page: { rows: { id: string }[]; next: string | null } = await list(
        `limit=7&label=safe${after === '' ? '' : `&after=${after}`}`,
      );
      expect(page.rows.length).toBe(page.next === null ? page.rows.length : 7);
      some.push(...page.rows.map((row) => row.id));
      after = page.next;
    }
    expect(some).toEqual(all.filter(({ label }) => label === 'safe').map((row) => row.id));
    expect((await listed('search=%C3%A4rger')).map((row) => row.id)).toEqual([id]);
    expect((await listed('search=SHAME+if&category=violence&state=active')).map((row) => row.id)).toEqual([id]);
    expect(await listed('search=burnt&state=retired')).toEqual([]);
    await server.call(`/api/precedents/${all[0]!.id}/retirement`, { json: { why: 'Old.' } });
    expect((await listed('state=retired')).map((row) => row.id)).toEqual([all[0]!.id]);
    expect((await listed('state=active')).map((row) => row.id)).not.toContain(all[0]!.id);
    for (const after of ['%00', 'AAAA', '!'])
      expect(await said(server.call(`/api/precedents?after=${after}`), schemas.problem, 400)).toMatchObject({
        code: 'bad-page',
      });
  });

  test('a search tells what an alike case would be shown, and the same one', async () => {
    const { id } = await create(written);
    expect(
      (await said(server.call('/api/precedents/search', { json: { text: alike } }), schemas.precedentMatches))
        .precedents,
    ).toContainEqual(expect.objectContaining({ id, label: 'unsafe', similarity: expect.any(Number) }));
    expect(
      (await said(server.call('/api/precedents/search', { json: { text: threat } }), schemas.precedentMatches))
        .precedents[0],
    ).toMatchObject({ id });
  });
});

describe('learning over HTTP', () => {
  async function classroom() {
    const panel = await startFakePanel();
    server = await runningServer(panelSettings(panel));
    return panel;
  }

  async function mistaken(text: string): Promise<string> {
    const { id, verdict } = (await (await server.call('/api/jobs/moderation/cases', { json: { text } })).json()) as {
      id: string;
      verdict: { label: string };
    };
    expect(verdict.label).toBe('safe');
    expect(
      (
        await server.call(`/api/cases/${id}/feedback`, {
          json: { label: 'unsafe', why: 'It threatens.', by: 'Ada' },
        })
      ).status,
    ).toBe(201);
    return id;
  }

  const learn = (body: object) => said(server.call('/api/learning', { json: body }), schemas.learnReport);

  test(
    'a verdict that a person corrects becomes a precedent that waits, is approved, and is cited by the next ' +
      'debate',
    async () => {
      const panel = await classroom();
      try {
        const id = await mistaken(threat);
        expect(await learn({ dryRun: true, review: true })).toMatchObject({
          dryRun: true,
          cases: [{ case: id, outcome: 'to-ask' }],
        });
        expect(panel.roles()).not.toContain('curator');
        const heard: HeardEvent[] = [];
        for await (const event of heardEvents(
          await server.call('/api/learning', { json: { review: true }, headers: streaming }),
        ))
          heard.push(event);
        expect(heard.map(({ event }) => event)).toEqual(['progress', 'report']);
        expect(heard[0]!.data).toEqual({ type: 'progress', done: 1, case: id, outcome: 'proposed' });
        const report = schemas.learnReport.parse(heard[1]!.data['report']);
        expect(report).toMatchObject({
          mode: 'failures',
          dryRun: false,
          curator: 'fake:panel-vision',
          cases: [{ case: id, outcome: 'proposed', truth: 'unsafe' }],
        });
        const [proposed] = await listed('state=proposed');
        expect(proposed).toMatchObject({
          label: 'unsafe',
          text: threat,
          confirmedBy: 'Ada',
          provenance: { kind: 'learnt', case: id },
        });
        expect((await cited(alike)).map((precedent) => precedent.id)).not.toContain(proposed!.id);
        expect(
          await said(server.call(`/api/precedents/${proposed!.id}/approval`, { method: 'POST' }), schemas.approved),
        ).toEqual({ approved: [proposed!.id], overruled: [], waiting: [] });
        expect((await cited(`${alike} Really.`)).map((precedent) => precedent.id)).toContain(proposed!.id);
        expect(panel.requests.findLast((request) => roleOf(request) === 'supporter')!.prompt).toContain(
          'A hint at harm.',
        );
        expect(
          await said(server.call(`/api/precedents/${proposed!.id}/approval`, { method: 'POST' }), schemas.problem, 409),
        ).toMatchObject({ code: 'not-proposed' });
        expect(await learn({ review: true })).toMatchObject({ cases: [] });
      } finally {
        await panel.close();
      }
    },
  );

  test('what is turned down stays on record with the reason, and is not proposed again', async () => {
    const panel = await classroom();
    try {
      await mistaken(threat);
      await learn({ review: true });
      const [proposed] = await listed('state=proposed');
      expect(
        await said(
          server.call(`/api/precedents/${proposed!.id}/rejection`, { json: { why: 'A joke.' } }),
          schemas.keptPrecedent,
        ),
      ).toMatchObject({ state: 'retired', overruledBy: 'rejected in review: A joke.' });
      expect(await listed('state=proposed')).toEqual([]);
      expect(await learn({})).toMatchObject({ cases: [] });
    } finally {
      await panel.close();
    }
  });

  test('one learns at a time, whichever process it is; whoever goes away stops it, and it goes on the next time', async () => {
    const panel = await classroom();
    try {
      const ids = [
        await mistaken(threat),
        await mistaken('Your car is parked where accidents happen to cars, and to those in them.'),
      ];
      const release = await lockLearning(server.ledger, server.home);
      expect(await said(server.call('/api/learning', { json: {} }), schemas.problem, 409)).toMatchObject({
        code: 'learning-runs',
        hint: expect.any(String),
      });
      expect((await server.call('/api/learning', { json: {}, headers: streaming })).status).toBe(409);
      await release();
      panel.script = (request) => panelReply({ latencyMs: 500 }, request);
      const gone = new AbortController();
      const asking = server
        .call('/api/learning', { json: {}, signal: gone.signal })
        .catch((error: Error) => error.name);
      await expect.poll(() => panel.roles()).toContain('curator');
      expect((await server.call('/api/learning', { json: {} })).status).toBe(409);
      gone.abort();
      expect(await asking).toBe('AbortError');
      await expect
        .poll(async () => (await server.call('/api/learning', { json: {} })).status, { timeout: 5_000 })
        .toBe(200);
      expect(
        (await listed('state=active'))
          .filter(({ provenance }) => provenance.kind === 'learnt')
          .map(({ provenance }) => String(provenance.case))
          .toSorted(),
      ).toEqual(ids.toSorted());
    } finally {
      await panel.close();
    }
  });
});

test('who reviews by a key is named in what they confirm', async () => {
  const elsewhere = await runningServer();
  const ledger = await openLedger({ file: path.join(elsewhere.home, 'keys.db') });
  try {
    const keys = await openKeys({ ledger, environment: {} });
    const { key } = await keys.create({ name: 'console', scopes: ['review', 'read'], reviewer: 'Ada' });
    await keys.close();
    server = await runningServer({}, { ledger });
    const headers = { authorization: `Bearer ${key}` };
    const made = await said(server.call('/api/precedents', { json: written, headers }), schemas.keptPrecedent, 201);
    expect(made).toMatchObject({ confirmedBy: 'Ada' });
    expect(
      await said(server.call('/api/policies/active/activation', { method: 'PUT', headers }), schemas.problem, 403),
    ).toMatchObject({ code: 'no-scope' });
  } finally {
    await ledger.close();
    await elsewhere[Symbol.asyncDispose]();
  }
});
