import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { findJobVerifier } from '@agonhq/core/app';
import type { Scope } from './api/index.ts';
import { readOpening, readPublicKeys, verifyBundle } from '@agonhq/ledger/bundle';
import { ownJobs } from '@agonhq/core/own-jobs';
import { openKeys } from './auth/keys.ts';

const adminKey = 'the key of the environment, long enough';
const admin = { authorization: `Bearer ${adminKey}` };
let server: ServerUnderTest;
let id: string;

beforeAll(async () => {
  server = await runningServer({ server: { auth: 'required' } }, { environment: { AGON_API_KEY: adminKey } });
  const judged = await server.call('/api/jobs/moderation/cases', {
    json: { text: 'A quibblewort for the table.' },
    headers: admin,
  });
  ({ id } = (await judged.json()) as { id: string });
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

async function headersOf(...scopes: Scope[]) {
  const keys = await openKeys({ ledger: server.ledger, environment: {} });
  return { authorization: `Bearer ${(await keys.create({ name: scopes.join(), scopes })).key}` };
}

async function download(where: string, headers = admin) {
  const response = await server.call(where, { headers });
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

async function verify(bytes: Uint8Array, opening?: string) {
  const pem = await (await server.call('/api/signing-keys', { headers: admin })).text();
  return verifyBundle(bytes, {
    keys: await readPublicKeys(pem),
    ...(opening ? { opening: readOpening(opening) } : {}),
    findVerifier: findJobVerifier(ownJobs),
  });
}

describe('the evidence of a case over HTTP', () => {
  test('is a file to be saved that holds with the keys of the server', async () => {
    const response = await server.call(`/api/cases/${id}/bundle`, { headers: await headersOf('read') });
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${id}.agon.zip"`);
    const { holds, bundle, checks } = await verify(new Uint8Array(await response.arrayBuffer()));
    expect(checks.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
    expect({ holds, bundle }).toMatchObject({ holds: true, bundle: { kind: 'case', case: id } });
  });

  test('is redacted on request, and only an administrator can open it', async () => {
    const bytes = await download(`/api/cases/${id}/bundle?redact=true`);
    expect(Buffer.from(bytes).includes('quibblewort')).toBe(false);
    expect((await verify(bytes)).checks.map(({ name }) => name)).toContain('redacted');
    const refused = await server.call(`/api/cases/${id}/bundle/opening`, {
      headers: await headersOf('read', 'review'),
    });
    expect(refused.status).toBe(403);
    const opening = await (await server.call(`/api/cases/${id}/bundle/opening`, { headers: admin })).text();
    expect(opening).toContain('quibblewort');
    const opened = await verify(bytes, opening);
    expect(opened.holds).toBe(true);
    expect(opened.checks.map(({ name }) => name)).toContain('seal');
  });

  test('is noted in the audit log', async () => {
    await download(`/api/cases/${id}/bundle?redact=true`);
    const listed = await server.call('/api/audit?operation=cases.bundle', { headers: admin });
    const { rows } = (await listed.json()) as { rows: { target: string; what: object }[] };
    expect(rows[0]).toMatchObject({ target: id, what: { redact: true } });
  });

  test('is not there for a case that nobody knows', async () => {
    expect((await server.call('/api/cases/mod-0000000000000000/bundle', { headers: admin })).status).toBe(404);
  });
});

describe('the evidence of a run over HTTP', () => {
  test('holds every case that was judged, and says what it lacks', async () => {
    const form = new FormData();
    const items = ['{"text":"A first item."}', '{"text":"A second item."}', '{"text":"A first item."}', 'broken'];
    form.append('file', new Blob([items.join('\n')]), 'items.jsonl');
    form.append('job', 'moderation');
    const made = await server.call('/api/runs', { body: form, headers: admin });
    expect(made.status).toBe(201);
    const { id: run } = (await made.json()) as { id: string };
    await expect
      .poll(
        async () =>
          ((await (await server.call(`/api/runs/${run}`, { headers: admin })).json()) as { state: string }).state,
      )
      .toBe('finished');
    const bytes = await download(`/api/runs/${run}/bundle`);
    const { holds, checks, cases, bundle } = await verify(bytes);
    expect(checks.filter(({ outcome }) => outcome === 'wrong')).toEqual([]);
    expect({ holds, cases: cases!.map((one) => one.holds) }).toEqual({ holds: true, cases: [true, true] });
    expect(await download(`/api/runs/${run}/bundle`)).toEqual(bytes);

    const [first] = cases!;
    await server.call(`/api/cases/${first!.id}`, { method: 'DELETE', headers: admin });
    const later = await verify(await download(`/api/runs/${run}/bundle`));
    expect(later.holds).toBe(true);
    expect(later.cases).toHaveLength(1);
    expect(later.bundle!.leftOut).toEqual([{ what: '1 case(s)', why: 'their content was forgotten, or taken away' }]);
    expect(bundle!.leftOut).toEqual([]);
  });
});
