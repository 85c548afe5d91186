import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerTo, openedCase, recordAnswer } from '@agonhq/test/support/ledger-cases.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as } from '@agonhq/test/support/server-runs.ts';
import { listLocalDays, findMidnight } from './build-overview.ts';

let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer();
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const overview = async (query: Record<string, string> = {}) =>
  as('overview.get', await server.call(`/api/overview?${new URLSearchParams(query).toString()}`));

async function judged(
  id: string,
  {
    label,
    risk,
    decided = {},
  }: { label: 'safe' | 'unsafe' | 'undecided'; risk: number; decided?: Record<string, 'safe' | 'unsafe'> },
): Promise<void> {
  await server.ledger.cases.openCase(openedCase(id));
  await recordAnswer(
    server.ledger,
    answerTo(id, { label, risk, bar: 0.5, escalate: label === 'undecided', degraded: [] }),
  );
  for (const [by, said] of Object.entries(decided))
    await server.ledger.decisions.recordDecision({ case: id, label: said, by });
}

describe('the overview', () => {
  test('has the days of wherever somebody is, whoever asked for the same time before', async () => {
    const since = '2026-03-01T12:00:00Z';
    const days = async (offsetMinutes: string) =>
      (await overview({ since, until: '2026-03-03T12:00:00Z', offsetMinutes })).days.map(({ day }) => day);
    expect(await days('0')).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
    expect(await days('780')).toEqual(['2026-03-02', '2026-03-03', '2026-03-04']);
    expect(await days('0')).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  });

  test('of a server where nothing was judged has every day and no figures', async () => {
    const empty = await overview();
    expect(empty.days).toHaveLength(30);
    expect(empty.totals).toMatchObject({
      cases: 0,
      costUsd: null,
      disagreement: null,
      latencyMs: { p50: null, p95: null },
    });
    expect(empty.calibration).toMatchObject({ items: 0, ece: null });
    expect(empty.reviewers).toMatchObject({ items: 0, percent: null, kappa: null, alpha: null });
  });

  test('adds up labels, escalations, cost, what people decided, and how far they agree', async () => {
    await judged('bread', { label: 'safe', risk: 0.05, decided: { ada: 'safe', bert: 'safe' } });
    await judged('bomb', { label: 'unsafe', risk: 0.95, decided: { ada: 'unsafe', bert: 'unsafe' } });
    await judged('play', { label: 'unsafe', risk: 0.92, decided: { ada: 'safe', bert: 'unsafe', cleo: 'safe' } });
    await judged('riddle', { label: 'undecided', risk: 0.5 });
    await judged('data', { label: 'safe', risk: 0.02, decided: { 'dataset:letters': 'unsafe' } });
    const found = await overview({ offsetMinutes: '120' });
    expect(found.totals).toMatchObject({
      cases: 5,
      byLabel: { safe: 2, unsafe: 2, undecided: 1 },
      undecided: 1,
      escalated: 1,
      decided: 3,
      overturned: 1,
    });
    expect(found.days.at(-1)).toMatchObject({ cases: 5, decided: 3, overturned: 1 });
    expect(found.days.reduce((sum, day) => sum + (day.costUsd ?? 0), 0)).toBeCloseTo(found.totals.costUsd!, 6);
    expect(found.disagreement.reduce((sum, step) => sum + step.cases, 0)).toBe(5);

    // What is right: bread safe, bomb unsafe, play safe after all, data unsafe.
    expect(found.calibration.items).toBe(4);
    expect(found.calibration.bins[9]).toMatchObject({ items: 2, unsafe: 0.5 });
    expect(found.calibration.bins[0]).toMatchObject({ items: 2, unsafe: 0.5 });
    expect(found.calibration.bins[9]!.predicted).toBeCloseTo(0.935);
    expect(found.calibration.ece).toBeCloseTo((2 * (0.935 - 0.5) + 2 * (0.5 - 0.035)) / 4);

    expect(found.reviewers).toMatchObject({ items: 3, raters: ['ada', 'bert', 'cleo'] });
    expect(found.reviewers.pairs.find(({ between }) => between.join() === 'ada,bert')).toMatchObject({
      items: 3,
      percent: 2 / 3,
    });
    expect(found.categories.length).toBeGreaterThan(0);
    expect(found.models.every(({ cases }) => cases === 5)).toBe(true);
  });

  test('of one job is of no other', async () => {
    expect((await overview({ job: 'evaluation' })).totals.cases).toBe(0);
    expect((await overview({ job: 'moderation' })).totals.cases).toBe(5);
  });

  test('of a time that ends before it begins, or of many years, is a problem', async () => {
    for (const query of ['since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z', 'since=1990-01-01T00:00:00Z'])
      expect((await server.call(`/api/overview?${query}`)).status).toBe(400);
  });
});

describe('days', () => {
  test('begin at local midnight, also where the clock is half an hour off', () => {
    expect(findMidnight(new Date('2026-03-01T19:00:00Z'), 330).toISOString()).toBe('2026-03-01T18:30:00.000Z');
    expect(findMidnight(new Date('2026-03-01T02:00:00Z'), -180).toISOString()).toBe('2026-02-28T03:00:00.000Z');
  });

  test('cover the time without a gap', () => {
    const days = listLocalDays(new Date('2026-02-27T10:00:00Z'), new Date('2026-03-02T09:00:00Z'), 60);
    expect(days.map(({ day }) => day)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
    for (const [place, { from }] of days.entries()) if (place > 0) expect(from).toEqual(days[place - 1]!.to);
  });
});
