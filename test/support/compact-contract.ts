import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { longText, shortText } from '@agonhq/lab/bench/embedded-texts.ts';
import { checkSeal, type Answer } from '@agonhq/engine/debate';
import type { Ledger } from '@agonhq/ledger';
import { judgeByGuard, type GuardCase } from './guard-cases.ts';
import { recordAnswer } from './ledger-cases.ts';

/** A ledger, and a way past it. */
export interface OpenedLedger {
  ledger: Ledger;
  openAgain(): Promise<Ledger>;
  query(statement: string): Promise<Record<string, unknown>[]>;
  /** Whether a day has a part of the listing of its own, where days have some: on PostgreSQL. */
  hasPart?(date: string): Promise<boolean>;
  /** Of all of it, into a ledger of its own. */
  restoreBackup(): Promise<Ledger>;
}

/** What holds of cases that are a single row each, on either database. */
export function compactContract(make: () => Promise<OpenedLedger>): void {
  describe('a case that the guard decided alone is a single row', () => {
    let cases: GuardCase[];
    let opened: OpenedLedger;
    const ledgers: Ledger[] = [];
    const start = async () => {
      opened = await make();
      ledgers.push(opened.ledger);
      return opened.ledger;
    };
    const fresh = async (some = cases) => {
      const ledger = await start();
      await Promise.all(some.map((one) => ledger.cases.keepDecided(one)));
      return ledger;
    };
    const problemsOf = async (ledger: Ledger) => (await ledger.records.audit()).problems.map(({ message }) => message);

    beforeAll(async () => {
      const ledger = await start();
      const all = await judgeByGuard(ledger, {
        texts: [
          ...Array.from({ length: 24 }, (_, index) => shortText(index)),
          longText(3),
          'Ein schöner Tag — “so” schön, 😀 sagt sie: 0.75 Liter!',
          'I will kill you tomorrow at the station, you know that.',
        ],
        exchanges: Array.from({ length: 8 }, (_, index) => [shortText(index), shortText(index * 7 + 3)]),
      });
      await Promise.all(all.map((one) => ledger.cases.keepDecided(one)));
      // What a person is to look at has the rows of a case from the start.
      const single = new Set(
        (await opened.query('select id from listing where packed is not null')).map(({ id }) => id),
      );
      cases = all.filter((one) => single.has(one.opened.id));
      expect(cases.length).toBeGreaterThan(20);
    }, 120_000);
    afterAll(async () => {
      for (const ledger of ledgers) await ledger.close();
    });

    test('and is built again as it was sealed, letter by letter', async () => {
      const ledger = await fresh();
      expect(await countSingle()).toBe(cases.length);
      for (const { opened: given, answer } of cases) {
        const found = (await ledger.cases.findCase(given.id))!;
        expect(JSON.stringify(found.answer)).toBe(JSON.stringify(answer));
        expect(checkSeal(found.answer as Answer)).toMatchObject({ outcome: 'ok' });
        expect(found).toMatchObject({ content: given.subject.content, settings: given.settings, state: 'judged' });
        expect(found.policy).toEqual(given.policy);
      }
      const verdicts = await ledger.cases.findVerdicts([cases[0]!.opened.id]);
      expect(verdicts.get(cases[0]!.opened.id)?.answer).toEqual(cases[0]!.answer);
    });

    test('keeps the policy and the settings that it was judged by, whatever others of its configuration have', async () => {
      const ledger = await start();
      const [one] = cases;
      const variant = (id: string, opening: Partial<GuardCase['opened']>): GuardCase => ({
        ...one!,
        opened: { ...one!.opened, ...opening, id },
        answer: { ...one!.answer, id },
      });
      const others = [
        variant('mod-0123456789abcdef', {
          policy: { ...one!.opened.policy, hash: `sha256:${'1'.repeat(64)}`, name: 'Other rules' },
        }),
        variant('mod-123456789abcdef0', { settings: { sensitivity: 'high' } }),
      ];
      for (const each of [one!, ...others]) await ledger.cases.keepDecided(each);
      for (const { opened: given } of [one!, ...others])
        expect(await ledger.cases.findCase(given.id)).toMatchObject({
          policy: { hash: given.policy.hash, name: given.policy.name },
          settings: given.settings,
        });
    });

    test('is listed, found, counted and exported like any other', async () => {
      const ledger = await fresh();
      const whole = await start();
      for (const { opened: given, answer } of cases) {
        await whole.cases.openCase(given);
        await recordAnswer(whole, answer);
      }
      const strip = (summary: Awaited<ReturnType<typeof pageOf>>[number]) => {
        const { openedAt: _, closedAt: __, ...rest } = summary;
        return rest;
      };
      const pageOf = async (from: Ledger, filter = {}) =>
        (await from.cases.listCases(filter, { limit: 500 })).rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const { id, configuration, subject } = cases[3]!.opened;
      for (const filter of [
        {},
        { label: 'safe' },
        { job: 'evaluation' },
        { search: 'bakery' },
        { id: id.slice(0, 9) },
        { configuration },
        { subject: subject.hash },
        { model: 'embedded:guard-2' },
      ])
        expect((await pageOf(ledger, filter)).map(strip)).toEqual((await pageOf(whole, filter)).map(strip));
      const counts = async (from: Ledger) => {
        const { debates, verdicts, subjects } = await from.readStats();
        return { debates, verdicts, subjects };
      };
      expect(await counts(ledger)).toEqual(await counts(whole));

      const exported: unknown[] = [];
      for await (const line of ledger.export()) if (line.kind === 'verdict') exported.push(line['answer']);
      expect(exported).toHaveLength(cases.length);
      expect(exported).toEqual(expect.arrayContaining(cases.map(({ answer }) => answer)));
    });

    test('written twice, by two at once, and after it was written in full, it is one case', async () => {
      const ledger = await start();
      const again = await opened.openAgain();
      ledgers.push(again);
      const [first, ...others] = cases;
      await ledger.cases.openCase(first!.opened);
      await recordAnswer(ledger, first!.answer);
      await Promise.all(
        [ledger, again, ledger].flatMap((one) => [first!, ...others].map((each) => one.cases.keepDecided(each))),
      );
      const { rows } = await ledger.cases.listCases({}, { limit: 500 });
      expect(rows.map(({ id }) => id).toSorted()).toEqual(cases.map((one) => one.opened.id).toSorted());
      expect(await countSingle()).toBe(cases.length - 1);
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test('has the rows of a case as soon as somebody decides, and its record holds', async () => {
      const ledger = await fresh();
      const { id } = cases[0]!.opened;
      await ledger.decisions.recordDecision({ case: id, label: 'unsafe', by: 'Ada' });
      expect(await countSingle()).toBe(cases.length - 1);
      expect((await ledger.cases.findCase(id))!.answer).toEqual(cases[0]!.answer);
      expect(await ledger.reviews.findStage(id)).toBe('second');
      expect(await ledger.reviews.findStage(cases[1]!.opened.id)).toBe(null);
      await ledger.holds.placeHold({ case: cases[1]!.opened.id, reason: 'a court asks' }, { by: 'Ada' });
      await expect(ledger.cases.forgetSubject(cases[1]!.opened.subject.hash)).rejects.toThrow(/holds it/);
      // Judged again in full, it is the same case.
      await ledger.cases.openCase(cases[2]!.opened);
      await recordAnswer(ledger, cases[2]!.answer);
      expect(await countSingle()).toBe(cases.length - 3);
      await ledger.records.sequence();
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test('stays one where there are queues, but for what a quality sample draws, at once or when it is refilled', async () => {
      const ledger = await start();
      await ledger.queues.createQueue({
        name: 'Fraud',
        rules: { clauses: ['fraud'] },
        dueMinutes: null,
        assignees: [],
      });
      const keep = (some: readonly GuardCase[]) => Promise.all(some.map((one) => ledger.cases.keepDecided(one)));
      await keep(cases.slice(0, 10));
      expect(await countSingle()).toBe(10);
      const { id } = await ledger.queues.createQueue({
        name: 'Quality',
        rules: { sample: 1 },
        dueMinutes: null,
        assignees: [],
      });
      await keep(cases.slice(10, 12));
      expect(await countSingle()).toBe(10);
      expect(await ledger.reviews.findStage(cases[10]!.opened.id)).toBe('first');
      expect(await ledger.queues.refillQueues()).toBe(10);
      expect(await countSingle()).toBe(0);
      expect((await ledger.queues.countQueues()).get(id)).toMatchObject({ waiting: { first: 12 } });
      expect((await ledger.cases.findCase(cases[0]!.opened.id))!.answer).toEqual(cases[0]!.answer);
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test('is forgotten with its text, and no other is', async () => {
      const ledger = await fresh();
      const { id, subject } = cases[0]!.opened;
      expect(await ledger.cases.forgetSubject(subject.hash)).toBe(1);
      expect(await ledger.cases.findCase(id)).toMatchObject({
        content: null,
        answer: null,
        seal: cases[0]!.answer.seal,
      });
      expect((await ledger.cases.findCase(cases[1]!.opened.id))!.answer).toEqual(cases[1]!.answer);
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test('has its content to itself: what becomes of another about the same leaves it whole', async () => {
      const ledger = await start();
      const [one] = cases;
      const other = {
        ...one!,
        opened: { ...one!.opened, id: 'mod-0123456789abcdef', configuration: 'sha256:other' },
        answer: { ...one!.answer, id: 'mod-0123456789abcdef' },
      };
      await ledger.cases.keepDecided(one!);
      await ledger.cases.keepDecided(other);
      expect(await countSingle()).toBe(2);
      await ledger.decisions.recordDecision({ case: one!.opened.id, label: 'safe', by: 'Ada' });
      expect(await countSingle()).toBe(1);
      for (const { opened: given, answer } of [one!, other])
        expect(await ledger.cases.findCase(given.id)).toMatchObject({ content: given.subject.content, answer });
      expect(await ledger.cases.forgetSubject(one!.opened.subject.hash)).toBe(2);
      expect(await countSingle()).toBe(0);
      for (const { opened: given } of [one!, other])
        expect(await ledger.cases.findCase(given.id)).toMatchObject({ content: null, answer: null });
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test.each([
      ['a label', `update listing set label = 'safe', risk = 0.5 where packed is not null`],
      ['what is packed', `update listing set packed = (select packed from listing order by id limit 1)`],
      ['a content', `update listing set subject = (select subject from listing order by id limit 1)`],
      ['a row', `delete from listing where id = (select min(id) from listing)`],
      ['a set-up', `update setups set configuration = 'other'`],
      ['a dictionary', `update setups set dictionary = (select packed from listing order by id limit 1)`],
    ])('that somebody changed shows: %s', async (_what, statement) => {
      const ledger = await fresh();
      expect(await problemsOf(ledger)).toEqual([]);
      await opened.query(statement);
      expect((await problemsOf(ledger)).length).toBeGreaterThan(0);
    });

    test('that is older goes with its day, but for what a legal hold covers; the tree still holds', async () => {
      // Days that are to come: only those from the ledger's first one on have parts.
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2126-01-10T10:00:00Z') });
      try {
        const ledger = await start();
        const partsOf = (...days: number[]) => Promise.all(days.map(async (day) => opened.hasPart?.(`2126-01-${day}`)));
        const [there, gone] = opened.hasPart ? [true, false] : [];
        const [held, alike, ...others] = [
          cases[0]!,
          {
            ...cases[0]!,
            opened: { ...cases[0]!.opened, id: 'mod-0123456789abcdef', configuration: 'other' },
            answer: { ...cases[0]!.answer, id: 'mod-0123456789abcdef' },
          },
          ...cases.slice(1),
        ];
        const keep = (some: readonly GuardCase[]) => Promise.all(some.map((one) => ledger.cases.keepDecided(one)));
        await keep([held, ...others.slice(0, 5)]);
        await keep([alike]);
        vi.setSystemTime(new Date('2126-01-11T10:00:00Z'));
        await keep(others.slice(5, 9));
        vi.setSystemTime(new Date('2126-01-12T10:00:00Z'));
        await keep(others.slice(9));
        await ledger.holds.placeHold({ case: held.opened.id, reason: 'a court asks' }, { by: 'Ada' });
        await ledger.records.sequence();
        const before = new Date('2126-01-12T00:00:00Z');
        expect(await ledger.prune({ what: 'cases', before, dryRun: true })).toMatchObject({ debates: 9, held: 2 });
        expect((await ledger.cases.listCases({}, { limit: 500 })).rows).toHaveLength(others.length + 2);
        expect(await partsOf(10, 11, 12)).toEqual([there, there, there]);
        expect(await ledger.prune({ what: 'cases', before })).toMatchObject({ debates: 9, subjects: 9, held: 2 });
        expect(await partsOf(10, 11, 12)).toEqual([gone, gone, there]);
        const { rows } = await ledger.cases.listCases({}, { limit: 500 });
        expect(rows.map(({ id }) => id).toSorted()).toEqual(
          [held, alike, ...others.slice(9)].map((one) => one.opened.id).toSorted(),
        );
        for (const one of [held, alike, others.at(-1)!])
          expect((await ledger.cases.findCase(one.opened.id))!.answer).toEqual(one.answer);
        expect(await countSingle()).toBe(others.length - 9);
        await ledger.records.sequence();
        expect(await problemsOf(ledger)).toEqual([]);
        expect(await ledger.prune({ what: 'contents', before: new Date('2126-01-13T00:00:00Z') })).toMatchObject({
          subjects: others.length - 9,
        });
        expect(await ledger.cases.findCase(others.at(-1)!.opened.id)).toMatchObject({ content: null, answer: null });
        expect(await problemsOf(ledger)).toEqual([]);
      } finally {
        vi.useRealTimers();
      }
    });

    test('is there again after a backup', async () => {
      await fresh();
      const copy = await opened.restoreBackup();
      ledgers.push(copy);
      expect(await problemsOf(copy)).toEqual([]);
      for (const one of cases) expect((await copy.cases.findCase(one.opened.id))!.answer).toEqual(one.answer);
    });

    async function count(from: string): Promise<number> {
      return Number((await opened.query(`select count(*) as count from ${from}`))[0]!['count']);
    }
    const countSingle = () => count('listing where packed is not null');
  });
}
