import { globSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { newHome, postJson, serve } from '../support/served.ts';
import { webhookReceiver } from '../support/webhook-receiver.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

type Verify = (headers: Record<string, unknown>, body: string, secret: string) => boolean;

/** What the documentation tells receivers to do, as they would copy it. */
async function asDocumented(): Promise<Verify> {
  const docs = globSync('docs/*.md', { cwd: path.join(import.meta.dirname, '..', '..') }).map((file) =>
    readFileSync(path.join(import.meta.dirname, '..', '..', file), 'utf8'),
  );
  const code = docs
    .flatMap((text) => [...text.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, block]) => block!))
    .find((block) => block.includes('webhook-signature'));
  expect(code, 'how a delivery is verified').toBeDefined();
  return ((await import(`data:text/javascript,${encodeURIComponent(code!)}`)) as { isFromAgon: Verify }).isFromAgon;
}

test('a verdict of a server that was killed is delivered by the next one, and verifies as the documentation shows', async () => {
  const home = await newHome();
  const away = await webhookReceiver();
  await away.close();
  await writeFile(
    path.join(home, 'agon.config.yaml'),
    `server:\n  webhooks:\n    - url: ${away.url}\n      secret: ${secret}\n`,
  );
  const first = await serve([], { home });
  const { id } = (await (
    await postJson(`${first.url}/api/jobs/moderation/cases`, { text: 'I will kill you tonight.' })
  ).json()) as { id: string };
  const webhook = ((await (await fetch(`${first.url}/api/webhooks`)).json()) as { rows: { id: string }[] }).rows[0]!.id;
  await vi.waitFor(
    async () =>
      expect(
        ((await (await fetch(`${first.url}/api/webhooks/${webhook}/deliveries`)).json()) as { rows: object[] }).rows,
      ).toMatchObject([{ state: 'waiting', attempts: 1, error: expect.stringContaining('refused') }]),
    { timeout: 10_000 },
  );
  first.child.kill('SIGKILL');
  await first.ended;

  await using back = await webhookReceiver([204], away.port);
  await serve([], { home });
  await vi.waitFor(() => expect(back.received).toHaveLength(1), { timeout: 30_000, interval: 200 });
  const { headers, body, delivery } = back.received[0]!;
  expect(delivery).toMatchObject({ type: 'verdict', data: { case: { id } } });
  const isFromAgon = await asDocumented();
  expect(isFromAgon(headers, body, secret)).toBe(true);
  expect(isFromAgon(headers, `${body} `, secret)).toBe(false);
  expect(isFromAgon(headers, body, `whsec_${Buffer.from('another secret').toString('base64')}`)).toBe(false);
  expect(isFromAgon({ ...headers, 'webhook-timestamp': '1' }, body, secret)).toBe(false);
  expect(isFromAgon({}, body, secret)).toBe(false);
}, 120_000);
