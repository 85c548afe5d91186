import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ana, margin, report } from '@agonhq/test/support/corrected-report.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { schemas } from './api/index.ts';
import { openLedger, type Ledger } from '@agonhq/ledger';
import { openKeys } from './auth/index.ts';

describe.each(['SQLite', 'PostgreSQL'])('corrections over HTTP, with a ledger on %s', (kind) => {
  let postgres: PostgresServer | null = null;
  let ledger: Ledger | null = null;
  let server: ServerUnderTest;
  let id: string;

  beforeAll(async () => {
    if (kind === 'PostgreSQL') {
      postgres = await startPostgres();
      ledger = await openLedger({ url: await postgres.newLedger() });
    }
    server = await runningServer({}, ledger ? { ledger } : {});
    id = (await analyse()).id;
  }, 120_000);
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await ledger?.close();
    await postgres?.stop();
  }, 60_000);

  async function analyse() {
    const form = new FormData();
    form.append('file', new Blob([report]), 'report.md');
    return said(server.call('/api/jobs/documents/cases', { body: form }), schemas.analysis);
  }
  const correct = (body: object, of = id) => server.call(`/api/cases/${of}/corrections`, { json: body });
  const refused = (answer: Promise<Response>, status: number) => said(answer, schemas.problem, status);
  const list = (where: string) => said(server.call(where), schemas.correctionList);
  const correction = { claim: '2', label: 'supported', ...ana };

  test('a correction is recorded, listed, shown in reports, recalled, and withdrawn', async () => {
    const given = await said(correct(correction), schemas.correction, 201);
    expect(given).toMatchObject({
      case: id,
      claim: 'claim-02',
      text: margin,
      verdict: 'contradicted',
      label: 'supported',
      ...ana,
      withdrawn: null,
    });
    expect(given).not.toHaveProperty('matter');
    expect((await list(`/api/cases/${id}/corrections`)).rows).toEqual([given]);
    expect((await list('/api/corrections')).rows).toEqual([given]);
    expect(await said(server.call(`/api/cases/${id}`), schemas.caseRecord)).toMatchObject({ corrections: [given] });
    for (const format of ['html', 'markdown', 'notice', 'csv']) {
      const written = await (await server.call(`/api/cases/${id}/report?format=${format}`)).text();
      const shown = written.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
      expect(shown, format).toContain('Supported, says Ana Silva');
      expect(shown, format).toContain('Contradicted');
    }

    const again = await analyse();
    expect(again.claims[1]).toMatchObject({ verdict: { label: 'supported', rule: { id: 'corrected' } } });

    const withdrawn = await said(
      server.call(`/api/corrections/${given.id}/withdrawal`, { json: { why: 'I misread it.', by: 'Ana Silva' } }),
      schemas.correction,
    );
    expect(withdrawn).toMatchObject({ withdrawn: { by: 'Ana Silva', why: 'I misread it.' } });
    expect((await list(`/api/cases/${id}/corrections`)).rows).toEqual([]);
    expect((await list(`/api/cases/${id}/corrections?all=true`)).rows).toEqual([withdrawn]);
    expect((await analyse()).id).toBe(id);
    expect(await refused(server.call(`/api/corrections/${given.id}/withdrawal`, { json: {} }), 409)).toMatchObject({
      code: 'withdrawn-already',
    });
  });

  test('a finding is worded, noted on and left out of exports, which come as they are arranged', async () => {
    const edit = (finding: string, body: object) =>
      server.call(`/api/cases/${id}/findings/${finding}`, { method: 'PUT', json: body });
    const csv = async (query = '') => (await server.call(`/api/cases/${id}/report?format=csv${query}`)).text();
    const before = await csv();
    const words = { wording: 'The margin is 41 %.', note: '=HYPERLINK("x")', by: 'Ana Silva' };
    const kept = await said(edit('claim-02', words), schemas.findingEdit);
    expect(kept).toMatchObject({ case: id, finding: 'claim-02', ...words, leftOut: false });
    expect(await said(server.call(`/api/cases/${id}/findings`), schemas.findingEditList)).toEqual({ rows: [kept] });
    const after = await csv();
    expect(after).toContain('The margin is 41 %.');
    expect(after, 'a note is text').toContain(`'=HYPERLINK`);
    expect(after, 'what the machine says stays').toContain(margin);
    for (const format of ['html', 'markdown', 'notice']) {
      const text = await (await server.call(`/api/cases/${id}/report?format=${format}`)).text();
      expect(text, format).toContain('The margin is 41 %.');
      expect(text, format).toContain('Ana Silva');
      expect(text, format).toContain(margin);
    }
    expect((await analyse()).id, 'nothing is judged otherwise for it').toBe(id);

    const numbers = async (query: string) =>
      (await csv(query)).split('\n').flatMap((line) => /^\uFEFF?(\d+),/.exec(line)?.[1] ?? []);
    expect(await numbers('&show=contradicted')).toEqual(['2']);
    expect(await numbers('&search=41%20%25')).toEqual(['2']);
    const ascending = await numbers('&sort=confidence');
    expect(ascending).not.toEqual(await numbers('&sort=-confidence'));
    expect(ascending.toSorted()).toEqual((await numbers('')).toSorted());
    expect((await server.call(`/api/cases/${id}/report?format=csv&sort=colour`)).status).toBe(400);

    await said(edit('claim-02', { leftOut: true }), schemas.findingEdit);
    expect(await csv()).not.toContain(margin);
    const pdf = await server.call(`/api/cases/${id}/report?format=pdf&sort=-confidence`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    await said(edit('claim-02', {}), schemas.findingEdit);
    expect(await csv()).toBe(before);
    expect(await refused(edit('claim-99', words), 404)).toMatchObject({ code: 'unknown-finding' });
  });

  test('what cannot be is refused, with what to do', async () => {
    expect(await refused(correct({ ...correction, claim: '99' }), 404)).toMatchObject({ code: 'unknown-claim' });
    expect(await refused(correct(correction, 'docs-nowhere'), 404)).toMatchObject({ code: 'unknown-case' });
    expect(await refused(correct({ ...correction, label: 'contradicted' }), 409)).toMatchObject({ code: 'same-label' });
    expect(await refused(correct({ ...correction, label: 'wrong' }), 400)).toMatchObject({ code: 'bad-request' });
    expect(await refused(correct({ claim: '2', label: 'mixed' }), 400)).toMatchObject({ code: 'bad-request' });
    expect(await refused(server.call('/api/corrections/cor-0/withdrawal', { json: {} }), 404)).toMatchObject({
      code: 'unknown-correction',
    });
    const { id: other } = (await (
      await server.call('/api/jobs/moderation/cases', { json: { text: 'Good morning.' } })
    ).json()) as {
      id: string;
    };
    expect(await refused(correct(correction, other), 404)).toMatchObject({ code: 'unknown-case' });
  });

  test('it takes a key that may review, and is recorded in the name of its reviewer', async () => {
    const keys = await openKeys({ ledger: server.ledger, environment: {} });
    const { key: reading } = await keys.create({ name: 'reader', scopes: ['read'] });
    const { key: reviewing } = await keys.create({ name: 'desk', scopes: ['review', 'read'], reviewer: 'Ben Okafor' });
    const bearing = (secret: string) => ({ authorization: `Bearer ${secret}` });
    const where = `/api/cases/${id}/corrections`;
    const body = { claim: 'claim-01', label: 'mixed', why: 'Half of it is currency.', by: 'Somebody else' };
    expect((await server.call(where, { json: body, headers: bearing(reading) })).status).toBe(403);
    expect(
      await said(server.call(where, { json: body, headers: bearing(reviewing) }), schemas.correction, 201),
    ).toMatchObject({ by: 'Ben Okafor', verdict: 'verified-strong', label: 'mixed' });
  });
});
