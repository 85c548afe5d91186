import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measuredBench } from '@agonhq/test/support/measured-bench.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as } from '@agonhq/test/support/server-runs.ts';
import { readBench } from '@agonhq/bench';

let server: ServerUnderTest;
let id: string;
beforeAll(async () => {
  server = await runningServer();
  id = await measuredBench(server.ledger);
}, 120_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const report = async () => as('benches.get', await server.call(`/api/benches/${id}`));
const items = async (query = '') => as('benches.items', await server.call(`/api/benches/${id}/sets/0/items${query}`));

describe('a bench over HTTP', () => {
  test('is listed with its sets, the newest first, page by page', async () => {
    await server.ledger.benches.startBench({ id: 'later-1', name: 'later', plan: null });
    const first = await as('benches.list', await server.call('/api/benches?limit=1'));
    expect(first).toMatchObject({
      rows: [{ id: 'later-1', state: 'running', endedAt: null, judged: 0, sets: [] }],
      next: 'later-1',
    });
    const second = await as('benches.list', await server.call(`/api/benches?limit=1&after=${first.next}`));
    expect(second).toMatchObject({
      rows: [{ id, name: 'posts', state: 'done', sets: [{ job: 'moderation', title: 'posts', items: 6 }] }],
      next: null,
    });
    expect((await server.call('/api/benches?after=nothing')).status).toBe(400);
  });

  test('shows the figures that the bench itself makes of its record, and no folder of the machine', async () => {
    const {
      sets: [own],
    } = await readBench(server.ledger, id);
    const found = await report();
    const [set] = found.sets;
    expect(set).toMatchObject({
      job: 'moderation',
      title: 'posts',
      file: 'posts.jsonl',
      items: 6,
      classes: ['safe', 'unsafe'],
      positive: 'unsafe',
    });
    expect(JSON.stringify(found)).not.toContain('agon-bench-');
    for (const [place, system] of set!.systems.entries()) {
      const { name, scores, confusion, cost } = own!.figures.systems[place]!;
      expect(system.name).toBe(name);
      expect(system.metrics['f1']).toEqual(scores.f1);
      expect(system.metrics['accuracy']).toEqual(scores.accuracy);
      for (const { gold, said, items: count } of system.confusion) expect(count).toBe(confusion[gold]![said]);
      expect(system.latencyMs).toEqual({ p50: cost.latencyMs.p50, p95: cost.latencyMs.p95 });
    }
  });

  test('compares every system with the first, the other way round than the bench', async () => {
    const {
      sets: [own],
    } = await readBench(server.ledger, id);
    const [full, ...others] = (await report()).sets[0]!.systems;
    expect(full!.against).toBeNull();
    for (const { name, against } of others) {
      const comparison = own!.figures.comparisons.find(({ second }) => second === name)!;
      expect(against).toMatchObject({
        of: 'full',
        metric: comparison.metric,
        onlyThis: comparison.onlySecond,
        onlyOther: comparison.onlyFirst,
        p: comparison.corrected,
      });
      expect(against!.difference! + comparison.difference.value!).toBe(0);
    }
  });

  test('shows what each system said of each item, with the turns of its debate', async () => {
    const { rows, total, categories } = await items();
    expect(total).toBe(6);
    expect(categories).toEqual(['birds', 'kitchen', 'theatre', 'weapons']);
    expect(rows[1]).toMatchObject({
      position: 1,
      id: 'bomb',
      gold: 'unsafe',
      category: 'weapons',
      excerpt: expect.stringContaining('pipe bomb') as string,
    });
    const full = rows[1]!.outcomes.find(({ system }) => system === 'full')!;
    expect(full).toMatchObject({ said: 'unsafe', right: true, problem: null });
    expect(full.turns.map(({ seat }) => seat)).toContain('strict-debater');
    expect(full.turns.every(({ statement }) => statement.length > 0)).toBe(true);
  });

  test('finds the items that a system got wrong, page by page', async () => {
    const all = (await items()).rows;
    const wrong = all
      .filter(({ gold, outcomes }) => outcomes.find(({ system }) => system === 'refusal-match')!.said !== gold)
      .map(({ position }) => position);
    expect(wrong.length).toBeGreaterThan(1);
    const seen: number[] = [];
    for (let after: string | null = '', pages = 0; after !== null && pages < 10; pages += 1) {
      const page = await items(`?only=wrong&system=refusal-match&limit=1${after && `&after=${after}`}`);
      expect(page.total).toBe(wrong.length);
      seen.push(...page.rows.map(({ position }) => position));
      after = page.next;
    }
    expect(seen).toEqual(wrong);
    expect((await items('?category=weapons')).rows.map((row) => row.id)).toEqual(['bomb', 'poison']);
    for (const { outcomes } of (await items('?only=disputed')).rows)
      expect(new Set(outcomes.map(({ said }) => said)).size).toBeGreaterThan(1);
  });

  test('is a grid: searched, in any order, by pages, one system against another, with cost and time', async () => {
    expect((await items('?search=NEIGHBOUR&turns=false')).rows).toMatchObject([
      { id: 'poison', outcomes: [{ turns: [], latencyMs: expect.any(Number) as number }, {}, {}] },
    ]);
    expect((await items('?gold=unsafe')).total).toBe(3);
    const scored = (await items('?sort=score&order=desc&system=full')).rows;
    const scores = scored.map(({ outcomes }) => outcomes[0]!.score!);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    const paged: number[] = [];
    for (let after: string | null = ''; after !== null;) {
      const page = await items(`?sort=score&order=desc&system=full&limit=4${after && `&after=${after}`}`);
      paged.push(...page.rows.map(({ position }) => position));
      after = page.next;
    }
    expect(paged).toEqual(scored.map(({ position }) => position));
    const right = (row: (typeof scored)[number], name: string) =>
      row.outcomes.find(({ system }) => system === name)!.right!;
    for (const [only, first] of [
      ['corrected', false],
      ['broken', true],
    ] as const)
      expect((await items(`?only=${only}&system=full&against=refusal-match`)).rows.map(({ id: key }) => key)).toEqual(
        (await items()).rows
          .filter((row) => right(row, 'full') === first && right(row, 'refusal-match') !== first)
          .map(({ id: key }) => key),
      );
    expect((await server.call(`/api/benches/${id}/sets/0/items?sort=score&after=999`)).status).toBe(400);
  });

  test('has what a grid shows as a file', async () => {
    const at = (query: string) => server.call(`/api/benches/${id}/sets/0/items/export${query}`);
    expect((await at('?system=nobody')).status).toBe(422);
    const csv = await (await at('?gold=unsafe')).text();
    expect(csv.trimEnd().split('\n')).toHaveLength(4);
    expect(csv).toMatch(/^line,id,content,gold,category,full: said,full: right,full: score,/);
    const [line] = (await (await at('?format=jsonl&search=bread')).text()).trimEnd().split('\n');
    expect(JSON.parse(line!)).toMatchObject({ id: 'bread', gold: 'safe', outcomes: [{ system: 'full' }, {}, {}] });
  });

  test('that has come to no set yet has its plan and no figures', async () => {
    await server.ledger.benches.startBench({
      id: 'begun-1',
      name: 'begun',
      plan: {
        title: 'Begun',
        sets: [{ job: 'moderation', title: 'letters', file: 'letters.jsonl', sha256: 'sha256:1', items: 12 }],
      },
    });
    expect(await as('benches.get', await server.call('/api/benches/begun-1'))).toMatchObject({
      name: 'Begun',
      state: 'running',
      sets: [{ title: 'letters', items: 12, systems: [] }],
    });
    expect((await server.call('/api/benches/begun-1/sets/0/items')).status).toBe(404);
  });

  test('that is not there is a problem, and so is the beginning of an id', async () => {
    for (const unknown of ['nothing', id.slice(0, 6)])
      expect(await (await server.call(`/api/benches/${unknown}`)).json()).toMatchObject({
        status: 404,
        code: 'unknown-bench',
      });
    expect(await (await server.call(`/api/benches/${id}/sets/0/items?system=nobody`)).json()).toMatchObject({
      status: 422,
      code: 'unknown-system',
    });
  });
});
