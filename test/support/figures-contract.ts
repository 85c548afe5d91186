import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ledger } from '@agonhq/ledger';
import { answerTo, collect, openedCase, recordAnswer } from './ledger-cases.ts';
import type { LedgerMaker } from './ledger-contract.ts';

/** What every ledger says of many cases at once. */
export function figuresContract({ make }: LedgerMaker): void {
  let ledger: Ledger;
  const time = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const judged = async (
    id: string,
    verdict: Parameters<typeof answerTo>[1],
    again?: { of: string; how: 'replay' | 'appeal' },
  ) => {
    const about = again?.of ?? id;
    const opened = openedCase(id, {
      subject: { hash: `sha256:${about}`, content: { text: `A note about ${about}.` } },
      ...(again ? { again } : {}),
    });
    await ledger.cases.openCase(opened);
    await recordAnswer(ledger, answerTo(id, verdict));
  };
  const whole = async (asked: Parameters<Ledger['figures']['readFigures']>[0] = time) =>
    collect(ledger.figures.readFigures(asked));

  beforeAll(async () => {
    ledger = await make();
    await judged('goats', {
      label: 'safe',
      risk: 0.2,
      bar: 0.5,
      escalate: false,
      categories: [],
      degraded: [],
    });
    await judged('geese', {
      label: 'safe',
      risk: 0.3,
      bar: 0.5,
      escalate: true,
      categories: [],
      degraded: [],
    });
    await judged('hens', {
      label: 'unsafe',
      risk: 0.95,
      bar: 0.5,
      escalate: false,
      categories: [{ id: 'weapons', clause: 'weapons.make' }],
      degraded: [],
    });
    await ledger.cases.openCase(
      openedCase('still-open', { subject: { hash: 'sha256:still-open', content: { text: 'Not yet.' } } }),
    );
    for (const [label, by] of [
      ['unsafe', 'ada'],
      ['safe', 'bert'],
    ] as const)
      await ledger.decisions.recordDecision({ case: 'hens', label, by });
  });
  afterAll(() => ledger.close());

  test('finished cases are counted by label, categories and models, with what they cost and how long they took', async () => {
    const groups = (await whole()).flatMap((slice) => slice.groups);
    expect(groups.reduce((sum, { cases }) => sum + cases, 0)).toBe(3);
    expect(groups.find(({ label }) => label === 'safe')).toMatchObject({
      cases: 2,
      escalated: 1,
      degraded: 0,
      categories: [],
      priced: 2,
    });
    const { usage, provenance } = (await ledger.cases.findCase('hens'))!.answer!;
    const unsafe = groups.find(({ label }) => label === 'unsafe')!;
    expect(unsafe).toMatchObject({ cases: 1, categories: ['weapons'], latenciesMs: [usage.latencyMs] });
    expect(unsafe.costUsd).toBeCloseTo(usage.costUsd!, 9);
    expect(new Set(unsafe.models)).toEqual(new Set(Object.values(provenance.models)));
    expect(unsafe.disagreements[0]).toBeCloseTo((await ledger.cases.findCase('hens'))!.disagreement!, 4);
  });

  test('decided cases come with what was said, and what was decided in its order', async () => {
    expect((await whole()).flatMap((slice) => slice.decided)).toEqual([
      {
        id: 'hens',
        verdict: 'unsafe',
        action: null,
        risk: 0.95,
        bar: 0.5,
        sampled: false,
        decisions: [
          { label: 'unsafe', action: null, by: 'ada' },
          { label: 'safe', action: null, by: 'bert' },
        ],
      },
    ]);
  });

  test('only of the time and of the job that is asked for', async () => {
    expect(await whole({ ...time, job: 'evaluation' })).toEqual([]);
    expect(await whole({ from: time.to, to: new Date(time.to.getTime() + 1_000) })).toEqual([]);
    expect((await whole({ ...time, job: 'moderation' })).flatMap((slice) => slice.groups)).toHaveLength(2);
  });

  test('the words of the newest finished cases come some at a time, and a few cases are summed up by id', async () => {
    const words = async (most: number) => (await collect(ledger.cases.readNewestTexts('moderation', most))).flat();
    expect(new Set((await words(9)).map((one) => one.words))).toEqual(
      new Set(['a note about hens.', 'a note about geese.', 'a note about goats.']),
    );
    expect(await words(2)).toHaveLength(2);
    expect(await collect(ledger.cases.readNewestTexts('evaluation', 2))).toEqual([]);
    const summaries = await ledger.cases.findSummaries(['goats', 'nobody']);
    expect([...summaries.keys()]).toEqual(['goats']);
    expect(summaries.get('goats')).toEqual((await ledger.cases.listCases({ id: 'goats' })).rows[0]);
  });

  test('an appeal is a verdict like others; a replay asks what would have been, and is none', async () => {
    const before = await whole();
    await judged(
      'goats-replayed',
      { label: 'unsafe', risk: 0.9, bar: 0.5, escalate: true, categories: [], degraded: [] },
      { of: 'goats', how: 'replay' },
    );
    await ledger.decisions.recordDecision({ case: 'goats-replayed', label: 'safe', by: 'ada' });
    expect(await whole()).toEqual(before);
    await judged(
      'goats-appealed',
      { label: 'undecided', risk: 0.5, bar: 0.5, escalate: true, categories: [], degraded: [] },
      { of: 'goats', how: 'appeal' },
    );
    expect((await whole()).flatMap((slice) => slice.groups).find(({ label }) => label === 'undecided')).toMatchObject({
      cases: 1,
    });
  });
}
