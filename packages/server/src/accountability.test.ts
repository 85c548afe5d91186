import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import type { Scope } from './api/index.ts';
import { readKeys, readProof, verifyProof } from '@agonhq/ledger/checkpoints';
import { openKeys } from './auth/keys.ts';

const adminKey = 'the key of the environment, long enough';
const admin = { authorization: `Bearer ${adminKey}` };
const author = 'team/user 4711?';
const ofAuthor = `/api/authors/${encodeURIComponent(author)}`;
let server: ServerUnderTest;
let id: string;

beforeAll(async () => {
  server = await runningServer({ server: { auth: 'required' } }, { environment: { AGON_API_KEY: adminKey } });
  const judged = await server.call('/api/jobs/moderation/cases', {
    json: { text: 'I will kill you tonight.', context: { author, language: 'en' } },
    headers: admin,
  });
  ({ id } = (await judged.json()) as { id: string });
  await server.call(`/api/cases/${id}/feedback`, { json: { label: 'unsafe' }, headers: admin });
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

async function headersOf(...scopes: Scope[]) {
  const keys = await openKeys({ ledger: server.ledger, environment: {} });
  return { authorization: `Bearer ${(await keys.create({ name: scopes.join(), scopes })).key}` };
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what comes back is the test's to name
async function ask<Answer>(where: string, options: Parameters<ServerUnderTest['call']>[1] = {}) {
  const response = await server.call(where, { headers: admin, ...options });
  return { status: response.status, body: (await response.json()) as Answer };
}

describe('a legal hold over HTTP', () => {
  test('keeps a case and its author from being forgotten, until it is lifted', async () => {
    const placed = await ask<{ id: string }>('/api/holds', { json: { case: id, reason: 'Lawsuit 12/26' } });
    expect(placed).toMatchObject({ status: 201, body: { case: id, author: null, lifted: null, until: null } });
    expect(await ask(`/api/cases/${id}`)).toMatchObject({ body: { holds: [{ id: placed.body.id }] } });
    for (const where of [`/api/cases/${id}`, ofAuthor])
      expect(await ask(where, { method: 'DELETE' })).toMatchObject({
        status: 409,
        body: { code: 'legal-hold', detail: expect.stringContaining(placed.body.id) as string },
      });
    expect(await ask('/api/holds')).toMatchObject({ body: { rows: [{ id: placed.body.id }] } });
    const lifted = await ask(`/api/holds/${placed.body.id}/lift`, { json: { why: 'It was settled.' } });
    expect(lifted).toMatchObject({ status: 200, body: { lifted: { why: 'It was settled.' } } });
    expect(await ask('/api/holds')).toMatchObject({ body: { rows: [] } });
    expect(await ask('/api/holds?all=true')).toMatchObject({ body: { rows: [{ id: placed.body.id }] } });
    const { body } = await ask<{ rows: { operation: string }[] }>('/api/audit?limit=20');
    expect(body.rows.map(({ operation }) => operation).filter((name) => name.startsWith('holds.'))).toEqual([
      'holds.lift',
      'holds.place',
    ]);
  });

  test('is for administrators, and says what is wrong with it', async () => {
    const reviewer = await headersOf('read', 'judge', 'review', 'care');
    for (const [where, options] of [
      ['/api/holds', {}],
      ['/api/holds', { json: { case: id, reason: 'x' } }],
      [ofAuthor, { method: 'DELETE' }],
      [`${ofAuthor}/export`, {}],
      ['/api/statements/export?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z', {}],
    ] as const)
      expect((await server.call(where, { headers: reviewer, ...options })).status).toBe(403);
    expect(await ask('/api/holds', { json: { reason: 'x' } })).toMatchObject({
      status: 422,
      body: { code: 'bad-hold' },
    });
    expect(await ask('/api/holds', { json: { case: 'nothing', reason: 'x' } })).toMatchObject({ status: 404 });
    expect(await ask('/api/holds/hold-0/lift', { json: { why: 'x' } })).toMatchObject({ status: 404 });
  });
});

describe('what is on record', () => {
  test('of an author, is one archive, and who took it is in the audit log', async () => {
    const response = await server.call(`${ofAuthor}/export`, { headers: admin });
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="team_user_4711_.zip"');
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const [line] = Buffer.from(files['cases-0001.jsonl']!).toString('utf8').split('\n');
    expect(JSON.parse(line!)).toMatchObject({
      case: id,
      context: { author },
      content: { text: 'I will kill you tonight.' },
    });
    const { body } = await ask<{ rows: unknown[] }>('/api/audit?operation=authors.export');
    expect(body.rows).toMatchObject([{ target: author, status: 200 }, { status: 403 }]);
    expect(await ask('/api/authors/nobody/export')).toMatchObject({ status: 404, body: { code: 'unknown-author' } });
  });

  test('of a case, is proved offline with the public key', async () => {
    const text = await (await server.call(`/api/cases/${id}/proof`, { headers: admin })).text();
    const keys = readKeys(await (await server.call('/api/signing-keys', { headers: admin })).text());
    expect(verifyProof(readProof(text)!, { keys })).toMatchObject({ holds: true, case: id });
    const redacted = await (await server.call(`/api/cases/${id}/proof?redact=true`, { headers: admin })).text();
    expect(verifyProof(readProof(redacted)!, { keys }).records.every(({ content }) => content === null)).toBe(true);
  });
});

describe('what is told about decisions', () => {
  const time = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';

  test('is a statement of reasons where content was restricted', async () => {
    const { status, body } = await ask<{ statement: object; notKnown: string[] }>(`/api/cases/${id}/statement`);
    expect(status).toBe(200);
    expect(body.statement).toMatchObject({ decision_visibility: ['DECISION_VISIBILITY_CONTENT_REMOVED'] });
    expect(body.notKnown).toContain('source_type');
    const lines = await (await server.call(`/api/statements/export?${time}`, { headers: admin })).text();
    expect(JSON.parse(lines)).toEqual(body);
    const csv = await (await server.call(`/api/statements/export?${time}&format=csv`, { headers: admin })).text();
    expect(csv.split('\n')).toHaveLength(3);
  });

  test('are figures, in every format', async () => {
    expect(await ask(`/api/transparency?${time}`)).toMatchObject({
      body: { decided: 1, byPeople: 1, byAction: { remove: 1 }, statements: 1 },
    });
    for (const [format, type] of [
      ['csv', 'text/csv'],
      ['markdown', 'text/markdown'],
      ['html', 'text/html'],
    ]) {
      const response = await server.call(`/api/transparency?${time}&format=${format}`, { headers: admin });
      expect(response.headers.get('content-type')).toContain(type);
      expect(await response.text()).toContain('remove');
    }
    expect(await ask('/api/transparency?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z')).toMatchObject({
      status: 400,
      body: { code: 'bad-request' },
    });
  });
});

test('an author is forgotten with all that they wrote', async () => {
  expect(await ask(ofAuthor, { method: 'DELETE' })).toMatchObject({
    status: 200,
    body: { author, subjects: 1, cases: 1, othersCases: 0 },
  });
  expect(await ask(`/api/cases/${id}`)).toMatchObject({ body: { content: null, context: null } });
});
