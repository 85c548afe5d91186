import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawnPdf } from '@agonhq/test/support/drawn-pdf.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { sha256 } from '@agonhq/engine/hash';

const page =
  '<!doctype html><html><body><h1>Notes</h1><script>alert(1)</script><p>Revenue grew by 15 % to 46 million ' +
  'dollars in 2024.</p></body></html>';

let server: ServerUnderTest;
let pdf: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  server = await runningServer();
  pdf = new Uint8Array(
    await drawnPdf(
      (drawn) =>
        void drawn.text('Revenue grew by 15 % to 46 million dollars in 2024, up from 40 million dollars in 2023.'),
    ),
  );
});
afterAll(() => server[Symbol.asyncDispose]());

async function analysed(files: Record<string, Uint8Array<ArrayBuffer> | string>, on = server) {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content]), name);
  form.append('factors', 'Revenue grew by 15 %');
  const answered = await on.call('/api/jobs/documents/cases', { body: form });
  expect(answered.status).toBe(200);
  return (await answered.json()) as { id: string; documents: { name: string; hash: string }[] };
}

const recorded = async (id: string, on = server) =>
  (await (await on.call(`/api/cases/${id}`)).json()) as {
    attachments: { hash: string; mediaType: string; bytes: number }[];
    retrials: { id: string }[];
  };

describe('the files that were analysed', () => {
  test('are kept with the case, by the hash that the analysis names', async () => {
    const { id, documents } = await analysed({ 'report.pdf': pdf, 'notes.html': page });
    expect(documents.map(({ name, hash }) => [name, hash])).toEqual([
      ['report.pdf', sha256(pdf)],
      ['notes.html', sha256(page)],
    ]);
    const kept = [
      { hash: sha256(pdf), mediaType: 'application/pdf', bytes: pdf.length },
      { hash: sha256(page), mediaType: 'text/html', bytes: page.length },
    ];
    expect((await recorded(id)).attachments).toEqual(kept);
    expect(await (await server.call(`/api/cases/${id}/attachments`)).json()).toEqual({ rows: kept });
  });

  test('are handed out whole or in ranges, and as nothing that a browser would run', async () => {
    const { id } = await analysed({ 'report.pdf': pdf, 'notes.html': page });
    const whole = await server.call(`/api/cases/${id}/attachments/${sha256(pdf)}`);
    expect(new Uint8Array(await whole.arrayBuffer())).toEqual(pdf);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'accept-ranges': 'bytes',
      'content-length': String(pdf.length),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });

    const part = await server.call(`/api/cases/${id}/attachments/${sha256(pdf)}`, {
      headers: { range: 'bytes=5-104' },
    });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 5-104/${pdf.length}`);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(pdf.slice(5, 105));

    const html = await server.call(`/api/cases/${id}/attachments/${sha256(page)}`);
    expect(html.headers.get('content-type')).toBe('application/octet-stream');
    expect(html.headers.get('content-disposition')).toBe('attachment');
    expect(await html.text()).toBe(page);
  });

  test('are those of their case alone', async () => {
    const { id } = await analysed({ 'notes.html': page });
    const other = await server.call(`/api/cases/${id}/attachments/${sha256(pdf)}`);
    expect(other.status).toBe(404);
    expect(await other.json()).toMatchObject({ code: 'unknown-attachment' });
  });

  test('are not needed to hold the case again, whose retrial names them too', async () => {
    const { id } = await analysed({ 'report.pdf': pdf });
    const again = await server.call(`/api/cases/${id}/replays`, { json: {} });
    expect(await again.json()).toMatchObject({ flipped: false, argued: [] });
    const { retrials } = await recorded(id);
    expect((await recorded(retrials[0]!.id)).attachments).toEqual([
      { hash: sha256(pdf), mediaType: 'application/pdf', bytes: pdf.length },
    ]);
  });

  test('go when they are forgotten', async () => {
    const secret = 'Revenue grew by 15 % to 46 million dollars, which nobody may know.';
    const { id } = await analysed({ 'secret.txt': secret });
    expect((await server.call(`/api/cases/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await recorded(id)).attachments).toEqual([]);
    expect((await server.call(`/api/cases/${id}/attachments/${sha256(secret)}`)).status).toBe(404);
    expect(await server.ledger.attachments.findAttachment(sha256(secret))).toBeUndefined();
  });

  test('stay away where documents.keepOriginals is off', async () => {
    await using modest = await runningServer({ documents: { keepOriginals: false } });
    const { id } = await analysed({ 'report.pdf': pdf }, modest);
    expect((await recorded(id, modest)).attachments).toEqual([]);
  });
});
