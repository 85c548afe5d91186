import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { agon, openCourt, until } from '../support/run-agon.ts';
import { newHome, postJson, serve } from '../support/served.ts';
import { slowTest } from '../support/slow.ts';

test('listens on loopback without a key, and gets a verdict with its whole trial', async () => {
  const { url } = await serve();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const response = await postJson(`${url}/api/jobs/moderation/cases`, { text: 'How do I kill a process on Linux?' });
  expect(response.status).toBe(200);
  const answer = (await response.json()) as {
    id: string;
    verdict: { label: string };
    transcript: object[];
    seal: string;
  };
  expect(answer).toMatchObject({
    job: 'moderation',
    verdict: { label: 'safe' },
    seal: expect.stringMatching(/^sha256:/),
  });
  expect(response.headers.get('location')).toBe(`/api/cases/${answer.id}/answer`);
  expect(await (await fetch(`${url}/api/cases/${answer.id}/answer`)).json()).toEqual(answer);
});

test('refuses to be reached from other machines without a key, and takes one', async () => {
  const home = await newHome();
  const environment = { AGON_HOME: home, AGON_LEDGER: `${home}/ledger.sqlite` };
  const refused = await agon(['serve', '--host', '0.0.0.0', '--port', '0'], { environment });
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('agon keys create') });
  const made = await agon(['keys', 'create', '--name', 'ci', '--scope', 'judge'], { environment });
  const key = /agon_[0-9a-f]{12}_[\w-]+/.exec(made.stdout)![0];
  const { url } = await serve(['--host', '0.0.0.0'], { home });
  const reached = url.replace('0.0.0.0', '127.0.0.1');
  expect((await postJson(`${reached}/api/jobs/moderation/cases`, { text: 'Hello.' })).status).toBe(401);
  expect(
    (await postJson(`${reached}/api/jobs/moderation/cases`, { text: 'Hello.' }, { authorization: `Bearer ${key}` }))
      .status,
  ).toBe(200);
  expect((await fetch(`${reached}/api/cases`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(403);
});

test('a port that is taken is said in one line', async () => {
  const { url } = await serve();
  const home = await newHome();
  const second = await agon(['serve', '--port', new URL(url).port], {
    environment: { AGON_HOME: home, AGON_LEDGER: `${home}/l.sqlite` },
  });
  expect(second).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot listen on 127\.0\.0\.1:\d+: EADDRINUSE.*\(address-in-use\)/),
  });
});

/** A server whose panel waits before each answer. */
async function servedSlowly(wait: () => Promise<unknown>) {
  const court = await openCourt();
  const spoken = court.panel.script;
  court.panel.script = async (request) => {
    await wait();
    return spoken(request);
  };
  return { court, ...(await serve(['--config', await court.file('agon.config.json')])) };
}

test(
  'says where people go first, goes on where there is no browser to open, and ends at once when it has nothing ' +
    'to do',
  async () => {
    const { child, ended, url } = await serve(['--open', '--drain-seconds', '600'], {
      environment: { PATH: '/no/browser' },
    });
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    expect(stdout.split('\n')[0]).toBe(`Console  ${url}/`);
  },
);

test('SIGTERM drains: what is under way is answered, nothing new is taken, and the server ends', async () => {
  const free = Promise.withResolvers<void>();
  const { court, url, child, ended } = await servedSlowly(() => free.promise);
  const underWay = postJson(`${url}/api/jobs/moderation/cases`, { text: 'A text that takes a while to judge.' });
  await until(() => court.panel.requests.length > 0);
  child.kill('SIGTERM');
  await until(async () => (await fetch(`${url}/readyz`)).status === 503);
  const late = await postJson(`${url}/api/jobs/moderation/cases`, { text: 'Too late.' });
  expect(late.status).toBe(503);
  expect(await late.json()).toMatchObject({ code: 'draining', hint: expect.any(String) });
  free.resolve();
  expect((await underWay).status).toBe(200);
  expect(await ended).toMatchObject({ code: 0 });
});

test('a client that goes away stops its debate: nothing more is asked of the models', async () => {
  const { court, url } = await servedSlowly(() => pause(600_000, undefined, { ref: false }));
  const gone = new AbortController();
  const asking = postJson(
    `${url}/api/jobs/moderation/cases`,
    { text: 'Nobody waits for this.' },
    {},
    gone.signal,
  ).catch(() => null);
  await until(() => court.panel.requests.length > 0);
  gone.abort();
  await asking;
  await until(() => court.panel.inFlight === 0);
  const asked = court.panel.requests.length;
  await pause(600);
  expect(court.panel.requests.length).toBe(asked);
  expect(court.panel.requests.every(({ aborted, endedAt }) => aborted || endedAt !== null)).toBe(true);
});

test('a server that was killed in the middle of a debate lets the next one go on with it', async () => {
  const { court, url, child, home } = await servedSlowly(() => pause(150));
  const text = 'A text whose debate is cut by a kill.';
  const idempotent = { 'idempotency-key': 'cut-by-a-kill' };
  const asking = postJson(`${url}/api/jobs/moderation/cases`, { text }, idempotent).catch(() => null);
  await until(() => court.panel.requests.length >= 3);
  child.kill('SIGKILL');
  await asking;
  const paid = court.panel.requests.filter(({ endedAt, aborted }) => endedAt !== null && !aborted).length;
  const next = await serve(['--config', await court.file('agon.config.json')], { home });
  const before = court.panel.requests.length;
  // The key of the one that was cut is free again within seconds.
  let response = await postJson(`${next.url}/api/jobs/moderation/cases`, { text }, idempotent);
  await until(async () => {
    if (response.status === 409)
      response = await postJson(`${next.url}/api/jobs/moderation/cases`, { text }, idempotent);
    return response.status !== 409;
  }, 30);
  expect(response.status).toBe(200);
  const { usage } = (await response.json()) as { usage: { calls: number } };
  const askedAgain = court.panel.requests.length - before;
  expect(askedAgain).toBeLessThan(usage.calls);
  expect(paid).toBeGreaterThan(0);
});

slowTest(
  'a run goes on after its server was killed: each item is judged once, and what was argued is not asked for ' +
    'again',
  async () => {
    const { court, url, child, ended, home } = await servedSlowly(() => pause(100));
    const form = new FormData();
    form.set('job', 'moderation');
    form.set('concurrency', '2');
    form.set(
      'file',
      new File(
        Array.from(
          { length: 6 },
          (_, item) => `${JSON.stringify({ id: String(item), text: `Item ${item} of a run that is cut.` })}\n`,
        ),
        'items.jsonl',
      ),
    );
    const { id } = (await (await fetch(`${url}/api/runs`, { method: 'POST', body: form })).json()) as { id: string };
    const exported = async (at: string) =>
      (await (await fetch(`${at}/api/runs/${id}/export`)).text())
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { key: string; result: { seal: string; usage: { calls: number } } });
    await until(async () => (await exported(url)).length > 0);
    const before = await exported(url);
    child.kill('SIGKILL');
    await ended.catch(() => undefined);
    await until(() => court.panel.inFlight === 0);
    const cut = court.panel.requests.filter(({ aborted }) => aborted).length;

    const next = await serve(['--config', await court.file('agon.config.json')], { home });
    expect(await (await fetch(`${next.url}/api/runs/${id}/events`)).text()).toMatch(
      /event: end\ndata: .*"state":"finished".*"done":6,"failed":0/,
    );
    const results = await exported(next.url);
    expect(results.map(({ key }) => key).toSorted()).toEqual(['0', '1', '2', '3', '4', '5']);
    for (const { key, result } of before) expect(results.find((one) => one.key === key)!.result.seal).toBe(result.seal);
    const paid = results.reduce((sum, { result }) => sum + result.usage.calls, 0);
    expect(court.panel.requests.length - paid).toBeLessThanOrEqual(cut + 4);
  },
);
