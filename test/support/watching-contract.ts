import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Verdict } from '@agonhq/engine/debate';
import type { Ledger, UnrecordedOpening } from '@agonhq/ledger';
import { candidateSchema, watchRuleSchema } from '@agonhq/ledger/watching/watched';
import { checkRules } from '@agonhq/ledger/watching';
import { answerTo, collect, openedCase, recordAnswer } from './ledger-cases.ts';
import type { LedgerMaker } from './ledger-contract.ts';

const time = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
const weapons = [{ id: 'weapons', clause: 'weapons.make' }] as unknown as Verdict['categories'];
const both = [...weapons, { id: 'hate', clause: 'hate.slurs' }] as unknown as Verdict['categories'];

/** What every ledger says of what is watched, and keeps of alerts and of what was judged in the shadow. */
export function watchingContract({ make }: LedgerMaker): void {
  let ledger: Ledger;
  beforeEach(async () => (ledger = await make()));
  afterEach(() => ledger.close());

  const judge = async (id: string, verdict: Partial<Verdict>, more: Partial<UnrecordedOpening> = {}) => {
    const subject = { hash: `sha256:${id}`, content: { text: `A note about ${id}.` } };
    await ledger.cases.openCase(openedCase(id, { subject, ...more }));
    await recordAnswer(ledger, answerTo(id, { degraded: [], categories: [], escalate: false, ...verdict }));
  };
  const safe: Partial<Verdict> = { label: 'safe', risk: 0.04, bar: 0.5 };
  const unsafe: Partial<Verdict> = { label: 'unsafe', risk: 0.97, bar: 0.5, categories: weapons };

  test('cases are counted by job, clause, language, channel and run, with overrides and risk', async () => {
    await judge('one', safe, { context: { language: 'de', channel: 'forum' } });
    await judge('two', unsafe, { context: { language: 'de' } });
    await judge('three', { ...unsafe, categories: both, risk: 1 }, { run: 'run-1' });
    await judge('four', { label: 'undecided', risk: 0.5, bar: 0.5, escalate: true });
    await judge('two~again', safe, { again: { of: 'two', how: 'replay' } });
    await judge('two~shadow', safe, { again: { of: 'two', how: 'shadow' } });
    await ledger.decisions.recordDecision({ case: 'two', label: 'unsafe', by: 'ada' });
    await ledger.decisions.recordDecision({ case: 'two', label: 'safe', by: 'bert' });
    await ledger.decisions.recordDecision({ case: 'three', label: 'safe', by: 'dataset:x' });

    const all = (await ledger.watching.readCounts(time)).all;
    expect(all).toMatchObject({ cases: 4, flagged: 2, undecided: 1, escalated: 1, decided: 1, overridden: 1 });
    expect(all.tenths).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 2]);
    expect(all.risk).toMatchObject({ count: 4 });
    expect(all.risk.sum).toBeCloseTo(2.51, 9);
    const by = async (group: 'clause' | 'language' | 'channel' | 'run', value?: string) =>
      Object.fromEntries(
        [...(await ledger.watching.readCounts({ ...time, by: group, value })).groups].map(([name, { cases }]) => [
          name,
          cases,
        ]),
      );
    expect(await by('clause')).toEqual({ '': 2, 'weapons.make': 2, 'hate.slurs': 1 });
    expect(await by('clause', 'hate.slurs')).toEqual({ 'hate.slurs': 1 });
    expect(await by('clause', '')).toEqual({ '': 2 });
    expect(await by('language')).toEqual({ en: 2, de: 2 });
    expect(await by('language', 'de')).toEqual({ de: 2 });
    expect(await by('channel')).toEqual({ '': 3, forum: 1 });
    expect(await by('run')).toEqual({ '': 3, 'run-1': 1 });
    expect((await ledger.watching.readCounts({ ...time, job: 'evaluation' })).groups.size).toBe(0);

    const listed = async (filter: object) => (await ledger.cases.listCases(filter)).rows.map(({ id }) => id).toSorted();
    expect(await listed({ language: 'de' })).toEqual(['one', 'two']);
    expect(await listed({ channel: 'forum' })).toEqual(['one']);
    expect(await listed({ clause: 'hate.slurs' })).toEqual(['three']);
    await ledger.cases.forgetSubject('sha256:one');
    expect(await by('channel')).toEqual({ '': 4 });
    expect(await by('language')).toEqual({ en: 2, de: 2 });
  });

  test('a rule raises one alert for a group, keeps it while it stands, and ends it', async () => {
    const rule = watchRuleSchema.parse({
      name: 'Flagged by language',
      figure: 'flagged',
      by: 'language',
      windowMinutes: 60,
      test: { kind: 'bound', above: 0.5, least: 2 },
    });
    await ledger.alerts.keepRule({ id: 'rule-1', rule, createdBy: 'ada' });
    for (const id of ['one', 'two', 'three']) await judge(id, unsafe, { context: { language: 'de' } });
    await judge('four', unsafe, { context: { language: 'fr' } });

    const first = await checkRules(ledger);
    expect(first).toMatchObject({ rules: 1, raised: [{ value: 'de', finding: { now: 1, cases: 3 } }], ended: [] });
    expect((await checkRules(ledger)).raised).toEqual([]);
    const told = await Promise.all([ledger.alerts.takeUntold(), ledger.alerts.takeUntold()]);
    expect(told.flat().map(({ event, alert }) => [event, alert.value])).toEqual([['raised', 'de']]);

    const { id } = first.raised[0]!;
    await ledger.alerts.acknowledgeAlert(id, 'ada', 'A raid from a forum.');
    for (let more = 0; more < 4; more += 1) await judge(`more-${more}`, safe, { context: { language: 'de' } });
    expect((await checkRules(ledger)).ended).toMatchObject([{ id, acknowledgedBy: 'ada', endedAt: expect.any(Date) }]);
    expect((await ledger.alerts.takeUntold()).map(({ event }) => event)).toEqual(['ended']);
    expect(await ledger.alerts.takeUntold()).toEqual([]);
    for (let more = 0; more < 9; more += 1) await judge(`bad-${more}`, unsafe, { context: { language: 'de' } });
    expect((await checkRules(ledger)).raised).toHaveLength(1);
    const page = await ledger.alerts.listAlerts({ limit: 1 });
    expect(page.rows[0]!.endedAt).toBeNull();
    expect((await ledger.alerts.listAlerts({ limit: 1, after: page.next })).rows[0]).toMatchObject({ id });
    expect((await ledger.alerts.listRules())[0]!.checkedAt).not.toBeNull();
    await ledger.alerts.removeRule('rule-1');
    expect((await ledger.alerts.listAlerts({ limit: 5 })).rows).toEqual([]);
  });

  test('what is judged in the shadow is compared in pairs, and is in no list, queue or figure', async () => {
    const candidate = candidateSchema.parse({ name: 'Stricter', job: 'moderation', sensitivity: 'high' });
    await ledger.shadows.startShadow({ id: 'shadow-1', candidate, createdBy: null });
    for (const [id, ours, theirs] of [
      ['one', safe, safe],
      ['two', safe, unsafe],
      ['three', unsafe, safe],
    ] as const) {
      await judge(id, ours);
      await judge(`${id}~s`, { ...theirs, escalate: true }, { again: { of: id, how: 'shadow' } });
      await ledger.shadows.keepPair('shadow-1', { case: id, shadowCase: `${id}~s` });
    }
    await ledger.decisions.recordDecision({ case: 'two', label: 'unsafe', by: 'ada' });
    await ledger.shadows.count('shadow-1', { dropped: 2, spentUsd: 0.5 });

    expect(await ledger.shadows.hasPair('shadow-1', 'one')).toBe(true);
    expect(await ledger.shadows.compare('shadow-1')).toMatchObject({
      labels: [
        { inForce: 'safe', candidate: 'safe', cases: 1 },
        { inForce: 'safe', candidate: 'unsafe', cases: 1 },
        { inForce: 'unsafe', candidate: 'safe', cases: 1 },
      ],
      latency: { pairs: 3, difference: 0 },
      decided: { cases: 1, inForce: 0, candidate: 1 },
    });
    const flips = await ledger.shadows.listPairs('shadow-1', { differing: true, limit: 10 });
    expect(flips.rows.map((row) => row.case)).toEqual(['three', 'two']);
    expect(
      (await ledger.shadows.listPairs('shadow-1', { inForce: 'safe', candidate: 'unsafe', limit: 1 })).rows,
    ).toEqual([expect.objectContaining({ case: 'two', shadowCase: 'two~s', excerpt: 'A note about two.' })]);
    expect((await ledger.cases.listCases({})).rows.map(({ id }) => id).toSorted()).toEqual(['one', 'three', 'two']);
    expect((await ledger.cases.findCase('two~s'))?.again).toEqual({ of: 'two', how: 'shadow' });
    // The second is that of ada, who contradicted the verdict in force.
    expect(await ledger.reviews.countWaiting({})).toMatchObject({ first: 0, second: 1 });
    expect((await collect(ledger.figures.readFigures(time))).flatMap(({ groups }) => groups)).toHaveLength(2);
    await ledger.shadows.endShadow('shadow-1', 'Somebody ended it.');
    expect(await ledger.shadows.listShadows({ running: true })).toEqual([]);
    expect(await ledger.shadows.findShadow('shadow-1')).toMatchObject({ dropped: 2, spentUsd: 0.5 });
  });
}
