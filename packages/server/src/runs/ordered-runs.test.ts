import { afterAll, beforeAll, expect, test } from 'vitest';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as, formOf, jsonLines, runEvents } from '@agonhq/test/support/server-runs.ts';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer({}, { environment: { OPENAI_API_KEY: 'none' } });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const posts = [
  { id: 'bread', text: 'Which flour should I take for sourdough bread?', label: 'safe' },
  { id: 'fire', text: 'I will burn your house down tonight.', label: 'unsafe' },
];
const send = (where: string, fields: Record<string, string>) =>
  server.call(where, {
    method: 'POST',
    body: formOf({ job: 'moderation', ...fields }, [{ name: 'posts.jsonl', content: jsonLines(posts) }]),
  });
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

test('a run is judged by the method, the models and the policy that it was ordered with', async () => {
  const { hash } = (await (await server.call('/api/policies/active')).json()) as { hash: string };
  const run = await as(
    'runs.create',
    await send('/api/runs', {
      method: 'judge',
      seats: '{"judge":"embedded:guard-2"}',
      policy: hash,
      sensitivity: 'high',
    }),
  );
  await runEvents(server, run.id);
  const report = await as('runs.get', await server.call(`/api/runs/${run.id}`));
  expect(report).toMatchObject({
    state: 'finished',
    counts: { done: 2 },
    plan: { models: { judge: 'embedded:guard-2' } },
  });
  expect(Object.keys(report.plan!.models)).toEqual(['judge']);
});

test('what it would take is told before it starts, and nothing is kept of it', async () => {
  const before = (await as('runs.list', await server.call('/api/runs'))).rows.length;
  const estimate = await as(
    'runs.estimate',
    await send('/api/run-estimates', { seats: '{"default":"openai:gpt-4o-mini"}', budgetUsd: '5' }),
  );
  expect(estimate.input).toEqual({ items: 2, broken: 0, judged: 2 });
  expect(estimate.run.usd!.expected).toBeGreaterThan(0);
  expect(estimate.bySeat.map(({ model }) => model)).toContain('openai:gpt-4o-mini');
  expect(estimate.budget).toMatchObject({ usd: 5, covers: expect.any(String) as string });
  expect((await as('runs.list', await server.call('/api/runs'))).rows).toHaveLength(before);
  const left = await readdir(path.join(server.home, 'server', 'runs'));
  expect(left.filter((name) => name.startsWith('estimate'))).toEqual([]);
  const own = await as('runs.estimate', await send('/api/run-estimates', { seats: '{"default":"embedded:guard-2"}' }));
  expect(own.run.usd!.expected, 'embedded models cost nothing').toBe(0);
});

test('what is ordered must be there', async () => {
  expect(await codeOf(await send('/api/runs', { method: 'dice' }))).toBe('bad-request');
  expect(await codeOf(await send('/api/run-estimates', { method: 'dice' }))).toBe('bad-request');
  expect(await codeOf(await send('/api/runs', { policy: 'sha256:nothing' }))).toBe('unknown-policy');
  expect((await send('/api/runs', { seats: '{"arbiter":"nobody"}' })).status).toBeGreaterThanOrEqual(400);
});

test('the server says what holds where nothing is ordered', async () => {
  const { configured } = await as('house.self', await server.call('/api/self'));
  expect(configured['moderation']).toEqual({ method: 'debate', sensitivity: 'balanced' });
});
