import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../api/index.ts';
import type { AuditEntry } from '@agonhq/ledger';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { openKeys } from '../auth/keys.ts';
import type { LogLine } from '../log.ts';
import { openAuditLog } from './audit-log.ts';
import { describeRequest } from './audited.ts';

const adminKey = 'the key of the environment, long enough';
const admin = { authorization: `Bearer ${adminKey}` };
let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer({ server: { auth: 'required' } }, { environment: { AGON_API_KEY: adminKey } });
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

type Shown = Omit<AuditEntry, 'at'> & { at: string };

async function newKey(name: string, scopes: Scope[], reviewer?: string): Promise<{ key: string; id: string }> {
  const keys = await openKeys({ ledger: server.ledger, environment: {} });
  const { key, row } = await keys.create({ name, scopes, reviewer });
  return { key, id: row.id };
}

async function listed(query = ''): Promise<Shown[]> {
  return ((await (await server.call(`/api/audit${query}`, { headers: admin })).json()) as { rows: Shown[] }).rows;
}

describe('the audit log', () => {
  test('says who did what to what, and nothing of what was said', async () => {
    const { key, id } = await newKey('desk', ['read', 'judge', 'review'], 'Mara');
    const headers = { authorization: `Bearer ${key}` };
    const judged = await server.call('/api/jobs/moderation/cases', {
      json: { text: 'I will kill you tonight.' },
      headers,
    });
    const { id: found } = (await judged.json()) as { id: string };
    const given = await server.call(`/api/cases/${found}/feedback`, {
      json: { label: 'safe', why: 'It is a line from a play.' },
      headers: { ...headers, 'x-request-id': 'request-of-mara' },
    });
    expect(given.status).toBe(201);
    const rows = await listed('?who=Mara');
    expect(rows).toEqual([
      {
        id: expect.any(String) as string,
        at: expect.any(String) as string,
        who: 'Mara',
        key: id,
        operation: 'cases.feedback',
        target: found,
        what: { label: 'safe' },
        status: 201,
        request: 'request-of-mara',
      },
    ]);
    expect(JSON.stringify(await listed())).not.toMatch(/play|kill|agon_/);
  });

  test('tells refusals, exports, forgetting and every look at known images, and not what only reads', async () => {
    const { key } = await newKey('reader', ['read']);
    const headers = { authorization: `Bearer ${key}` };
    await server.call('/api/cases', { headers });
    await server.call('/api/known-images', { headers });
    await server.call('/api/keys', { headers });
    expect((await listed('?who=reader')).map(({ operation, status }) => [operation, status])).toEqual([
      ['keys.list', 403],
      ['knownImages.list', 403],
    ]);
    await server.call('/api/known-images', { headers: admin });
    await server.call('/api/audit/export', { headers: admin });
    const forgotten = await server.call('/api/cases/nothing', { method: 'DELETE', headers: admin });
    expect(forgotten.status).toBe(404);
    await server.call('/api/keys', { json: { name: 'ci', scopes: ['judge'] }, headers: admin });
    expect((await listed()).slice(0, 4)).toMatchObject([
      { operation: 'keys.create', what: { name: 'ci', scopes: ['judge'] }, status: 201 },
      { operation: 'cases.forget', target: 'nothing', status: 404 },
      { operation: 'audit.export', what: { format: 'csv' }, status: 200 },
      { operation: 'knownImages.list', status: 200 },
    ]);
  });

  test('tells who signed in and out, and that a wrong key was tried', async () => {
    const { key, id } = await newKey('Ann', ['read']);
    const origin = { origin: server.url };
    const signedIn = await server.call('/api/session', { json: { key }, headers: origin });
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    await server.call('/api/session', { method: 'DELETE', headers: { ...origin, cookie } });
    await server.call('/api/session', { method: 'DELETE', headers: { ...origin, cookie } });
    await server.call('/api/session', { json: { key: `agon_${'0'.repeat(12)}_${'x'.repeat(43)}` }, headers: origin });
    expect((await listed()).slice(0, 3)).toMatchObject([
      { operation: 'session.create', who: null, key: null, status: 401 },
      { operation: 'session.end', who: 'Ann', key: id, status: 204 },
      { operation: 'session.create', who: 'Ann', key: id, status: 200 },
    ]);
    const { rows } = (await (await server.call('/api/people', { headers: admin })).json()) as { rows: object[] };
    expect(rows).toContainEqual({
      key: id,
      name: 'Ann',
      kind: 'key',
      scopes: ['read'],
      roles: [],
      signedInAt: expect.any(String) as string,
      lastSeen: expect.any(String) as string,
      entries: 2,
    });
  });

  test('is exported as a table that no spreadsheet computes, and as JSON Lines', async () => {
    await server.call('/api/keys', { json: { name: '=1+1', scopes: ['read'], reviewer: '=cmd' }, headers: admin });
    const { key } = await newKey('=HYPERLINK("x")', ['read']);
    await server.call('/api/keys', { headers: { authorization: `Bearer ${key}` } });
    const csv = await (await server.call('/api/audit/export?operation=keys.list', { headers: admin })).text();
    expect(csv.split('\n')[0]).toBe('at,who,key,operation,target,what,status,request');
    expect(csv).toContain(`"'=HYPERLINK(""x"")"`);
    const answer = await server.call('/api/audit/export?format=jsonl&operation=keys.create', { headers: admin });
    const lines = (await answer.text()).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Shown).what['name'])).toEqual(['=1+1', 'ci']);
  });

  test('is for those who run the server, page by page', async () => {
    const { key } = await newKey('reviewer', ['read', 'judge', 'review', 'care']);
    for (const path of ['/api/audit', '/api/audit/export', '/api/people'])
      expect((await server.call(path, { headers: { authorization: `Bearer ${key}` } })).status).toBe(403);
    const seen: string[] = [];
    for (let after = ''; ;) {
      const page = (await (await server.call(`/api/audit?limit=3${after}`, { headers: admin })).json()) as {
        rows: Shown[];
        next: string | null;
      };
      seen.push(...page.rows.map(({ id }) => id));
      if (page.next === null) break;
      after = `&after=${page.next}`;
    }
    expect(seen).toEqual((await listed('?limit=200')).map(({ id }) => id));
    expect(seen).toEqual(seen.toSorted().toReversed());
  });
});

test('what cannot be written is told in the log of the server, and no answer waits for it', async () => {
  const lines: LogLine[] = [];
  const log = openAuditLog(
    {
      ...server.ledger.audit,
      keepEntries: async () => {
        throw new Error('The disk is full.');
      },
    },
    (line) => lines.push(line),
  );
  log.note({
    principal: null,
    operation: 'keys.create',
    target: null,
    what: { name: 'ci' },
    status: 201,
    request: 'r',
  });
  expect(lines).toEqual([]);
  await log.flush();
  expect(lines).toMatchObject([
    { level: 'error', event: 'audit-lost', operation: 'keys.create', what: { name: 'ci' }, request: 'r' },
  ]);
});

test('what is noted while others are written is written too, in its order', async () => {
  const kept: AuditEntry[] = [];
  const log = openAuditLog(
    {
      ...server.ledger.audit,
      async keepEntries(entries) {
        await Promise.resolve();
        kept.push(...entries);
      },
    },
    () => undefined,
  );
  const requests = Array.from({ length: 200 }, (_, index) => `request-${index}`);
  for (const [index, request] of requests.entries()) {
    log.note({ principal: null, operation: 'keys.create', target: null, what: {}, status: 201, request });
    for (let turns = index % 7; turns > 0; turns -= 1) await Promise.resolve();
  }
  await log.flush();
  expect(kept.map(({ request }) => request)).toEqual(requests);
  expect(kept.map(({ id }) => id)).toEqual(kept.map(({ id }) => id).toSorted());
});

test('only what was chosen is noted of a request, shortened and without keys', () => {
  const key = `agon_${'0'.repeat(12)}_${'x'.repeat(43)}`;
  expect(
    describeRequest({ format: 'csv' }, { name: `mine ${key}`, why: 'secret', text: 'secret', scopes: ['read', 7] }),
  ).toEqual({ format: 'csv', name: `mine agon_${'0'.repeat(12)}_…`, scopes: ['read'] });
  expect(describeRequest({ url: 'https://user:word@example.com/hook?token=1' })).toEqual({ host: 'example.com' });
  expect(describeRequest({ label: 'x'.repeat(1000) })['label']).toHaveLength(201);
  expect(describeRequest(null, undefined, 'text')).toEqual({});
});
