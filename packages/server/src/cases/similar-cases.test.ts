import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as } from '@agonhq/test/support/server-runs.ts';
import { findSimilarCases } from './similar-cases.ts';

let server: ServerUnderTest;
const texts = [
  'How do I bake a sourdough loaf with rye flour?',
  'How do I bake sourdough bread with rye flour at home?',
  'Which flour makes the best rye bread?',
  'I will burn down your house tonight.',
  'The swallows are back under the roof.',
];
let ids: string[];
beforeAll(async () => {
  server = await runningServer();
  ids = await Promise.all(
    texts.map(
      async (text) =>
        ((await (await server.call('/api/jobs/moderation/cases', { json: { text } })).json()) as { id: string }).id,
    ),
  );
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const similar = async (id: string, query = '') =>
  as('cases.similar', await server.call(`/api/cases/${id}/similar${query}`));

describe('cases about alike content', () => {
  test('the most alike comes first, and the case itself is not among them', async () => {
    const { rows, compared } = await similar(ids[0]!);
    expect(compared).toBe(4);
    expect(rows[0]!.id).toBe(ids[1]);
    expect(rows.map(({ id }) => id)).not.toContain(ids[0]);
    expect(rows.map(({ similarity }) => similarity)).toEqual(
      rows.map(({ similarity }) => similarity).toSorted((one, other) => other - one),
    );
    expect((await similar(ids[0]!, '?limit=1')).rows).toHaveLength(1);
  });

  test('the same content under another configuration is wholly alike; a trial held again is left out', async () => {
    const other = (await (
      await server.call('/api/jobs/moderation/cases', { json: { text: texts[0], method: 'guard' } })
    ).json()) as { id: string };
    await server.call(`/api/cases/${ids[0]}/replays`, { json: { withoutPrecedents: ['seed-0001'] } });
    const { rows } = await similar(ids[0]!);
    expect(rows.filter(({ similarity }) => similarity === 1).map(({ id }) => id)).toEqual([other.id]);
    expect(rows.every(({ again }) => again === null)).toBe(true);
    // To a case about something else, the newest of those about one content stands for them.
    const alike = (await similar(ids[1]!)).rows.map(({ id }) => id);
    expect([alike.includes(other.id), alike.includes(ids[0]!)]).toEqual([true, false]);
  });

  test('without the model the words alone say what is alike', async () => {
    const found = (await server.ledger.cases.findCase(ids[0]!))!;
    const broken = await findSimilarCases(server.ledger, found, {
      limit: 3,
      embed: async () => Promise.reject(new Error('no model')),
    });
    const without = await findSimilarCases(server.ledger, found, { limit: 3, embed: null });
    expect(broken).toEqual(without);
    expect(without.rows.map(({ id }) => id)).toContain(ids[1]);
  });

  test('what was forgotten is not alike, also when its content is judged again otherwise', async () => {
    const text = 'The ferry leaves at noon, and the bakery opens at six.';
    const judge = async (how: object) =>
      (await (await server.call('/api/jobs/moderation/cases', { json: { text, ...how } })).json()) as { id: string };
    const gone = await judge({});
    await server.call(`/api/cases/${gone.id}`, { method: 'DELETE' });
    const { id } = await judge({ method: 'guard' });
    expect((await similar(id)).rows.map((row) => row.id)).not.toContain(gone.id);
  });

  test('of a case that is not there, or was forgotten, is a problem', async () => {
    expect((await server.call('/api/cases/nothing/similar')).status).toBe(404);
    const gone = (await (
      await server.call('/api/jobs/moderation/cases', { json: { text: 'To be forgotten' } })
    ).json()) as {
      id: string;
    };
    await server.call(`/api/cases/${gone.id}`, { method: 'DELETE' });
    expect((await server.call(`/api/cases/${gone.id}/similar`)).status).toBe(410);
  });
});
