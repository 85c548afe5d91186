import { afterAll, beforeAll, expect, test } from 'vitest';
import mergeJob from '../../examples/own-job/merge-job.ts';
import { runningServer, type ServerUnderTest } from '../support/running-server.ts';
import { createClient, type Client } from '@agonhq/server/client';
import { ownJobs } from '@agonhq/core/own-jobs';
import { createJobs } from '@agonhq/judges/job';
import { defaultPolicy } from '@agonhq/engine/policy';
import { operations, type Operation } from '@agonhq/server/api';

/* A job that is not Agon's own takes part in everything that a server does. */

const unready = { title: 'Log in', diff: '+const password = "hunter2"; // read it from the environment' };

let server: ServerUnderTest;
let client: Client;
beforeAll(async () => {
  server = await runningServer({}, { jobs: createJobs([...ownJobs.list(), mergeJob]) });
  client = createClient({ baseUrl: server.url });
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

test('it is listed beside the others, each with what it takes', async () => {
  const { rows } = await client.jobs.list();
  expect(rows.map(({ id, own }) => [id, own])).toEqual([
    ['moderation', true],
    ['evaluation', true],
    ['documents', true],
    ['merge', false],
  ]);
  expect(rows.at(-1)).toMatchObject({
    title: 'Merge',
    description: 'Should this pull request be merged?',
    labels: ['merge', 'hold', 'undecided'],
    input: { type: 'object', required: ['title', 'diff'], properties: { diff: { type: 'string' } } },
  });
});

test('a case of it is judged, listed, read, verified and reported', async () => {
  const judged = await server.call('/api/jobs/merge/cases', { json: unready, headers: { 'idempotency-key': 'once' } });
  const answer = (await judged.json()) as Awaited<ReturnType<typeof mergeJob.readAnswer>>;
  expect([judged.status, answer.job, answer.verdict.label]).toEqual([200, 'merge', 'hold']);
  expect(judged.headers.get('location')).toBe(`/api/cases/${answer.id}/answer`);
  const again = await server.call('/api/jobs/merge/cases', { json: unready, headers: { 'idempotency-key': 'once' } });
  expect([again.headers.get('idempotent-replayed'), await again.json()]).toEqual(['true', answer]);

  const { rows } = await client.cases.list({ job: 'merge' });
  expect(rows).toMatchObject([{ id: answer.id, job: 'merge', label: 'hold', rule: 'blocker' }]);
  expect(await client.cases.answer(answer.id)).toEqual(answer);
  const record = await client.cases.get(answer.id);
  expect(record).toMatchObject({ content: unready, answer: { seal: answer.seal } });
  expect(schemaOf('cases.get').safeParse(record).error).toBeUndefined();
  const verified = mergeJob.verify(answer, {
    policy: await defaultPolicy(),
    settings: {},
    readDocuments: async () => ({ documents: [] }),
  });
  expect((await verified).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'ok']);
  const report = await client.cases.report(answer.id);
  expect(report.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await report.text()).toContain('hunter2');
});

test('its debate is told as it happens, and again from the record', async () => {
  const stream = client.cases.stream('merge', { ...unready, title: 'Told' });
  const types: string[] = [];
  for await (const event of stream) types.push(event.type);
  expect([types[0], types.at(-1)]).toEqual(['case-ready', 'answer']);
  const { id } = await client.cases.create('merge', { ...unready, title: 'On record' });
  const recalled: string[] = [];
  for await (const event of client.cases.events(id)) recalled.push(event.type);
  expect(recalled.filter((type) => type === 'turn-end')).toEqual(types.filter((type) => type === 'turn-end'));
  expect([recalled[0], recalled.at(-1)]).toEqual(['case-ready', 'answer']);
});

test('a case of it is held again: programs in its seats take them again', async () => {
  const { id } = await client.cases.create('merge', { ...unready, title: 'Again' });
  const replayed = await client.cases.replay(id);
  expect(replayed).toMatchObject({ how: 'replay', flipped: false, differences: [], argued: [] });
  expect(schemaOf('cases.replay').safeParse(replayed).error).toBeUndefined();
  expect(await client.cases.appeal(id)).toMatchObject({ how: 'appeal', flipped: false });
  expect(await client.cases.forget(id)).toMatchObject({ case: id });
});

test('Agon’s own jobs are asked in the same way, and documents come as a form', async () => {
  const { id } = await client.cases.create('moderation', { text: 'Good morning' });
  expect(await client.moderations.create({ text: 'Good morning' })).toMatchObject({ id });
  const inJson = await server.call('/api/jobs/documents/cases', { json: { maxFactors: 1 } });
  expect(inJson.status).toBe(415);
});

test('what is wrong is said: another job, an input that it does not take', async () => {
  const answerTo = async (path: string, json?: unknown) => (await server.call(path, { json })).json();
  expect(await answerTo('/api/jobs/essay/cases', {})).toMatchObject({ status: 404, code: 'unknown-job' });
  expect(await answerTo('/api/jobs/merge/cases', { title: 'No diff' })).toMatchObject({
    status: 400,
    code: 'bad-request',
    detail: expect.stringContaining('diff'),
  });
});

function schemaOf(id: string) {
  return (operations as readonly Operation[]).find((operation) => operation.id === id)!.answers.schema!;
}
