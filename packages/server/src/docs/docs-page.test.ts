import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openApiDocument, operations, type Operation } from '../api/index.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { renderDocsPage, docsPolicy } from './docs-page.ts';
import type { OpenApi } from './open-api-types.ts';

const document = (server = 'http://127.0.0.1:4100') => openApiDocument({ version: '1.2.3', server });

test('every operation is on the page with its address, its scope, curl and the client', () => {
  const page = renderDocsPage(document());
  for (const { id, scope, summary } of operations as readonly Operation[]) {
    const article = page.slice(page.indexOf(`<article id="${id}"`)).split('</article>')[0]!;
    expect(article, id).toContain(summary);
    expect(article, id).toContain(scope === null ? 'anybody' : `scope ${scope}`);
    expect(article, id).toContain(`client.${id}(`);
    expect(article, id).toContain('curl ');
  }
});

test('every link within the page leads to something', () => {
  const page = renderDocsPage(document());
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  expect([...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.has(id))).toEqual([]);
  expect(ids.size).toBe([...page.matchAll(/ id="([^"]+)"/g)].length);
});

test('what most come for stands first: judging on the page, the body in a form', () => {
  const page = renderDocsPage(document());
  expect(/id="group-(\w+)"/.exec(page)![1]).toBe('moderations');
  const form = page.slice(page.indexOf('<article id="moderations.create"')).split('</article>')[0]!.split('<form')[1]!;
  expect(form.indexOf('name="body"')).toBeLessThan(form.indexOf('name="Idempotency-Key"'));
});

test('a call can be copied', () => {
  const page = renderDocsPage(document('https://agon.example'));
  expect(page).toContain(`curl &#39;https://agon.example/api/jobs/moderation/cases&#39; \\
  -H &quot;Authorization: Bearer $AGON_API_KEY&quot; \\
  --json &#39;{&quot;text&quot;:&quot;How do I kill a process on Linux?&quot;}&#39;`);
  expect(page).toContain('await client.moderations.create({ text: &#39;How do I kill a process on Linux?&#39; })');
  expect(page).toContain('await client.cases.answer(id)');
});

test('constraints are said in words', () => {
  const page = renderDocsPage(document());
  const limit = page.slice(page.indexOf('<article id="cases.list"')).split('</article>')[0]!;
  expect(limit).toContain('1 to 200');
  expect(limit).toContain('by default 50');
  expect(limit).toContain('true or false');
});

test('whatever the document says stays text', () => {
  const evil = structuredClone(document('http://evil"><script>alert(1)</script>')) as unknown as OpenApi;
  const payload = '"><img src=x onerror=alert(1)>\'`</script></style>';
  evil.info.description = payload;
  evil.info.version = payload;
  for (const tag of evil.tags) tag.description = payload;
  for (const methods of Object.values(evil.paths))
    for (const operation of Object.values(methods))
      Object.assign(operation, { summary: payload, description: payload });
  for (const schema of Object.values(evil.components.schemas)) schema.description = payload;
  const page = renderDocsPage(evil as unknown as Record<string, unknown>);
  expect(page).not.toContain('<img');
  expect(page.match(/<script/g)).toHaveLength(1);
});

test('its policy allows its own script and style, and nothing else', async () => {
  await using server = await runningServer();
  const response = await server.call('/docs');
  const policy = response.headers.get('content-security-policy')!;
  expect(policy).toBe(docsPolicy);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  const page = await response.text();
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect(policy).toContain(`script-src ${hash(/<script>([^]*)<\/script>/.exec(page)![1]!)}`);
  expect(policy).toContain(`style-src ${hash(/<style>([^]*)<\/style>/.exec(page)![1]!)}`);
  expect(page).toContain(server.url);
  expect(page).not.toMatch(/ (?:style|on\w+)="/);
});
