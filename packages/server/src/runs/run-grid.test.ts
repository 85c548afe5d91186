import { afterAll, beforeAll, expect, test } from 'vitest';
import { stageRun, wrong } from '@agonhq/test/support/judged-run.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as } from '@agonhq/test/support/server-runs.ts';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer();
  await stageRun(server.ledger, 'run-before', [
    { text: 'A goat on the roof.', label: 'safe', expected: 'unsafe', risk: 0.3 },
    { text: '=1+1', label: 'unsafe', expected: 'unsafe', risk: 0.8, usage: { costUsd: 0.02, latencyMs: 70 } },
    { text: 'A kettle sings.', error: wrong('timeout') },
  ]);
  await stageRun(
    server.ledger,
    'run-after',
    [
      { text: 'A goat on the roof.', label: 'unsafe', expected: 'unsafe', risk: 0.7 },
      { text: '=1+1', label: 'unsafe', expected: 'unsafe', risk: 0.9 },
    ],
    { name: '=after' },
  );
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

const items = async (query: string) => as('runs.items', await server.call(`/api/runs/run-before/items${query}`));
const refused = async (query: string) => {
  const response = await server.call(`/api/runs/run-before/items${query}`);
  return [response.status, ((await response.json()) as { code: string }).code];
};

test('the items of a run stand beside those of another, filtered, in any order, page by page', async () => {
  const first = await items('?with=run-after&sort=risk&order=desc&limit=2');
  expect(first.total).toBe(3);
  expect(first.rows.map(({ excerpt, result, others }) => [excerpt, result!.label, others[0]!.result!.label])).toEqual([
    ['=1+1', 'unsafe', 'unsafe'],
    ['A goat on the roof.', 'safe', 'unsafe'],
  ]);
  const second = await items(`?with=run-after&sort=risk&order=desc&limit=2&after=${first.next}`);
  expect(second).toMatchObject({ rows: [{ key: 'item-3', state: 'failed', others: [null] }], next: null, total: null });
  expect((await items('?with=run-after&changed=corrected')).rows.map(({ key }) => key)).toEqual(['item-1']);
  expect(await items('?search=goat&outcome=wrong')).toMatchObject({ rows: [{ key: 'item-1' }], total: 1 });
  expect(await items('?search=ox')).toEqual({ rows: [], next: null, total: 0 });
});

test('what cannot be asked is refused', async () => {
  expect(await refused('?changed=flipped')).toEqual([400, 'bad-request']);
  expect(await refused('?sort=change')).toEqual([400, 'bad-request']);
  expect(await refused('?with=a,b,c,d')).toEqual([400, 'bad-request']);
  expect(await refused('?with=run-nowhere')).toEqual([404, 'unknown-run']);
  expect(await refused('?after=3')).toEqual([400, 'bad-page']);
});

test('what a grid shows is exported, and is no formula to a spreadsheet', async () => {
  const csv = await server.call('/api/runs/run-before/items/export?with=run-after&sort=risk&order=desc');
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="run-before-items.csv"');
  const lines = (await csv.text()).trimEnd().split('\n');
  expect(lines[0]).toMatch(/^line,key,content,expected,state,label,outcome,.*,'=after: label,'=after: outcome,/);
  expect(lines.slice(1).map((line) => line.split(',').slice(0, 7))).toEqual([
    ['2', 'item-2', "'=1+1", 'unsafe', 'done', 'unsafe', 'right'],
    ['1', 'item-1', 'A goat on the roof.', 'unsafe', 'done', 'safe', 'wrong'],
    ['3', 'item-3', 'A kettle sings.', '', 'failed', '', ''],
  ]);
  expect(lines[1]).toContain(',0.8,false,0.02,70,');
  const json = await server.call('/api/runs/run-before/items/export?format=jsonl&outcome=wrong');
  expect(JSON.parse(await json.text())).toEqual((await items('?outcome=wrong')).rows[0]);
});
