import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres } from '../../test/support/postgres.ts';
import { runningServer, type ServerUnderTest } from '../../test/support/running-server.ts';
import { until } from '../../test/support/until.ts';
import { openLedger, type Ledger } from '../ledger/index.ts';

/* Two servers on one ledger of PostgreSQL, as behind a balancer. */

const closers: (() => PromiseLike<unknown>)[] = [];
let one: ServerUnderTest;
let other: ServerUnderTest;

beforeAll(async () => {
  const postgres = await startPostgres();
  const url = await postgres.newDatabase();
  const ledgers: Ledger[] = [await openLedger({ url }), await openLedger({ url })];
  [one, other] = [await runningServer({}, { ledger: ledgers[0]! }), await runningServer({}, { ledger: ledgers[1]! })];
  closers.push(...[one, other].map((server) => () => server[Symbol.asyncDispose]()), ...ledgers.map((ledger) => () => ledger.close()), () => postgres.stop());
});

afterAll(async () => {
  for (const close of closers) await close();
});

test('what one has judged the other answers for, with its events', async () => {
  const judged = (await (await one.call('/api/moderations', { json: { text: 'Two doors to one house.' } })).json()) as { id: string };
  expect(await (await other.call(`/api/moderations/${judged.id}`)).json()).toEqual(judged);
  expect(await (await other.call(`/api/moderations/${judged.id}/events`)).text()).toContain('event: answer');
  const again = (await (await other.call('/api/moderations', { json: { text: 'Two doors to one house.' } })).json()) as { id: string };
  expect(again.id).toBe(judged.id);
});

test('an idempotency key that one was given, the other knows', async () => {
  const headers = { 'idempotency-key': 'one-for-both' };
  const first = await one.call('/api/moderations', { json: { text: 'Asked at one door, then at the other.' }, headers });
  const second = await other.call('/api/moderations', { json: { text: 'Asked at one door, then at the other.' }, headers });
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await second.json()).toEqual(await first.json());
});

test('a key that one made opens the other, until one revokes it', async () => {
  const made = (await (await one.call('/api/keys', { json: { name: 'both doors', scopes: ['read'] } })).json()) as { id: string; key: string };
  const headers = { authorization: `Bearer ${made.key}` };
  expect((await other.call('/api/cases', { headers })).status).toBe(200);
  await one.call(`/api/keys/${made.id}`, { method: 'DELETE' });
  await until(async () => (await other.call('/api/cases', { headers })).status === 401, 8);
});

test('a policy that one puts in force, the other judges by within seconds', async () => {
  const yaml = (await (await one.call('/api/policies/active?format=yaml')).text()).replace(/^version: .*$/m, 'version: "99"');
  const { hash } = (await (await one.call('/api/policies', { json: { yaml } })).json()) as { hash: string };
  expect((await one.call(`/api/policies/${hash}/activation`, { method: 'PUT' })).status).toBe(200);
  let asked = 0;
  await until(async () => {
    const answer = (await (await other.call('/api/moderations', { json: { text: `Under which policy, number ${(asked += 1)}?` } })).json()) as { provenance: { policy: { hash: string } } };
    return answer.provenance.policy.hash === hash;
  }, 8);
});
