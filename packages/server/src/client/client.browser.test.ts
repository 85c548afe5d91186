import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { startChromium } from '@agonhq/test/support/chromium.ts';

/* The client as it is shipped, in a page of another origin. */

const key = 'a-key-of-the-environment-that-is-long-enough';
let browser: BrowserContext;
let pages: Server;
let origin: string;
let server: ServerUnderTest;
beforeAll(async () => {
  const shipped = JSON.parse(await readFile('package.json', 'utf8')) as {
    exports: { './client': { default: string } };
  };
  const client = await readFile(shipped.exports['./client'].default, 'utf8');
  pages = createServer(({ url }, response) => {
    const [type, body] =
      url === '/client.js'
        ? ['text/javascript', client]
        : ['text/html', '<!doctype html><title>A page</title><link rel="icon" href="data:,">'];
    response.setHeader('content-type', type).end(body);
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  server = await runningServer(
    { server: { auth: 'required', origins: [origin] } },
    { environment: { AGON_API_KEY: key } },
  );
  browser = await (await startChromium()).newContext();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  pages?.close();
  await server?.[Symbol.asyncDispose]();
});

async function open(at = origin): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(at);
  return page;
}

/** What the page finds when it runs `body` with a client. */
async function inPage<Found>(page: Page, body: string, given: { key?: string } = { key }): Promise<Found> {
  const script = `(async () => {
    const { createClient, AgonClientError } = await import('/client.js');
    const client = createClient(${JSON.stringify({ baseUrl: server.url, retries: 0, ...given })});
    ${body}
  })()`;
  return (await page.evaluate(script)) as Found;
}

test('a page gets a verdict, and finds it again', async () => {
  const found = await inPage<{ label: string; again: string }>(
    await open(),
    `
    const { id, verdict } = await client.moderations.create({ text: 'How do I kill a process on Linux?' });
    return { label: verdict.label, again: (await client.cases.answer(id)).verdict.label };`,
  );
  expect(found).toEqual({ label: 'safe', again: 'safe' });
});

test('a page hears a trial as it goes, and has its answer', async () => {
  const { types, label } = await inPage<{ types: string[]; label: string }>(
    await open(),
    `
    const stream = client.moderations.stream({ text: 'Heard in a browser.' });
    const types = [];
    for await (const event of stream) types.push(event.type);
    return { types, label: (await stream.answer()).verdict.label };`,
  );
  expect(types).toContain('turn-end');
  expect(label).toBe('safe');
});

test('a page sends a file', async () => {
  expect(
    await inPage(
      await open(),
      `
    const { documents } = await client.analyses.create({ files: [new File(['Revenue grew to 120 million in 2024 from 100 million in 2023.'], 'report.md')], maxFactors: 1 });
    return documents.map(({ name }) => name);`,
    ),
  ).toEqual(['report.md']);
});

test('what is refused says why there too', async () => {
  expect(
    await inPage(
      await open(),
      `
    return client.moderations.create({ text: 'Without a key.' }).catch((error) => [error instanceof AgonClientError, error.code, error.status]);`,
      {},
    ),
  ).toEqual([true, 'no-api-key', 401]);
});

test('a page of an origin that is not allowed gets nothing', async () => {
  const page = await open(origin.replace('127.0.0.1', 'localhost'));
  expect(
    await inPage(
      page,
      `return client.moderations.create({ text: 'From elsewhere.' }).then(() => 'answered', (error) => error.code);`,
    ),
  ).not.toBe('answered');
});
