import { afterAll, beforeAll, expect, test } from 'vitest';
import { report } from '@agonhq/test/support/corrected-report.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { schemas } from './api/index.ts';

/* What is known about exchanges and documents goes with their cases, and finds them. */

let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer({});
}, 120_000);
afterAll(() => server[Symbol.asyncDispose]());

const around = async (id: string) =>
  (await (await server.call(`/api/cases/${id}/around`)).json()) as {
    author: { id: string }[];
    thread: { id: string }[];
  };

async function analyse(context?: object) {
  const form = new FormData();
  form.append('file', new Blob([report]), 'report.md');
  if (context) form.append('context', JSON.stringify(context));
  return said(server.call('/api/jobs/documents/cases', { body: form }), schemas.analysis);
}

test('exchanges and documents carry a context, and are found by author and thread', async () => {
  const exchange = { prompt: 'Hello?', response: 'Good day.', context: { author: 'ann', thread: 't-9', reports: 3 } };
  const first = await said(server.call('/api/jobs/evaluation/cases', { json: exchange }), schemas.evaluationAnswer);
  expect(first.subject).toMatchObject({ context: exchange.context });
  expect(await said(server.call(`/api/cases/${first.id}`), schemas.caseRecord)).toMatchObject({
    context: exchange.context,
    content: { prompt: 'Hello?', response: 'Good day.' },
  });

  const context = { author: 'ann', thread: 't-9', channel: '<b>filings</b>' };
  const analysis = await analyse(context);
  expect(analysis.context).toEqual(context);
  expect((await analyse()).id, 'the same without it is another case').not.toBe(analysis.id);
  expect(await said(server.call(`/api/cases/${analysis.id}`), schemas.caseRecord)).toMatchObject({ context });
  expect((await around(analysis.id)).author.map(({ id }) => id)).toEqual([first.id]);
  expect((await around(analysis.id)).thread.map(({ id }) => id)).toEqual([first.id]);
});

test('a context that is none is refused', async () => {
  const broken = { prompt: 'Hello?', response: 'Good day.', context: { author: { deep: true } } };
  await said(server.call('/api/jobs/evaluation/cases', { json: broken }), schemas.problem, 400);
});
