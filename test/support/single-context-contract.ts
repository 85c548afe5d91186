import { beforeAll, describe, expect, test, vi } from 'vitest';
import { shortText } from '@agonhq/lab/bench/embedded-texts.ts';
import { checkSeal, type Answer } from '@agonhq/engine/debate';
import type { Ledger } from '@agonhq/ledger';
import type { OpenedLedger } from './compact-contract.ts';
import { judgeByGuard, type GuardCase } from './guard-cases.ts';
import { recordAnswer } from './ledger-cases.ts';

const actor = { by: 'Ada' };

/** What holds of cases of a single row that come with a context, on either database. */
export function singleContextContract(make: () => Promise<OpenedLedger>): void {
  describe('a case with a context that the guard decided alone is a single row', () => {
    /** Of one author each, about texts of their own; of the last, names that answers have a meaning for. */
    let cases: GuardCase[];
    /** Of forty authors, all about the same text. */
    let alike: GuardCase[];
    let opened: OpenedLedger;
    const start = async () => (opened = await make()).ledger;
    const keep = (ledger: Ledger, some: readonly GuardCase[]) =>
      Promise.all(some.map((one) => ledger.cases.keepDecided(one)));
    const fresh = async (some = cases) => {
      const ledger = await start();
      await keep(ledger, some);
      return ledger;
    };
    const problemsOf = async (ledger: Ledger) => (await ledger.records.audit()).problems.map(({ message }) => message);
    const count = async (from: string) =>
      Number((await opened.query(`select count(*) as count from ${from}`))[0]!['count']);
    const countSingle = () => count('listing where packed is not null');
    const listTexts = (content: unknown) => Object.values(content as Record<string, string>);
    const readAll = async (found: AsyncIterable<string>) => {
      const ids: string[] = [];
      for await (const id of found) ids.push(id);
      return ids.toSorted();
    };
    const expectWhole = async (ledger: Ledger, some: readonly GuardCase[]) => {
      for (const { opened: given, answer } of some) {
        const found = (await ledger.cases.findCase(given.id))!;
        expect(found.context).toEqual(given.context);
        expect(JSON.stringify(found.answer)).toBe(JSON.stringify(answer));
        expect(checkSeal(found.answer as Answer)).toMatchObject({ outcome: 'ok' });
        expect(found).toMatchObject({ content: given.subject.content, author: given.context!.author });
      }
    };

    beforeAll(async () => {
      const ledger = await start();
      const contextOf = (index: number) => ({
        author: `user “${index}” \\ "x"`,
        thread: `thread-${index % 3}`,
        channel: `room-${index % 2}`,
        language: 'pt-BR',
        links: ['https://example.org/a', `https://example.org/${index}`],
        followers: index * 10,
        verified: index % 2 === 0,
      });
      const all = await judgeByGuard(ledger, {
        posts: [
          ...Array.from({ length: 8 }, (_, index) => ({ text: shortText(index + 2), context: contextOf(index) })),
          {
            text: shortText(10),
            context: {
              role: 'Zwölfeck',
              kind: 'Nebelhorn',
              version: 'Sauerkraut',
              usage: 'Quittung',
              author: 'Zeisig',
            },
          },
          ...Array.from({ length: 40 }, (_, index) => ({
            text: shortText(20),
            context: { author: `author-${index}`, thread: 'thanks' },
          })),
        ],
        exchanges: [[shortText(3), shortText(4), { author: 'asker', channel: 'chat' }]],
      });
      await keep(ledger, all);
      expect(await countSingle()).toBe(all.length);
      alike = all.slice(9, 49);
      cases = [...all.slice(0, 9), ...all.slice(49)];
      await ledger.close();
    }, 120_000);

    test('read, recalled, listed and summed up with it, and no dictionary tells it', async () => {
      const ledger = await fresh();
      expect(await countSingle()).toBe(cases.length);
      await expectWhole(ledger, cases);
      const recalled = await Promise.all(cases.map((one) => ledger.cases.recallDecided(one.opened)));
      expect(recalled).toEqual(cases.map(({ answer }) => ({ answer, isOnRecord: true })));
      const whole = (await make()).ledger;
      for (const one of cases) {
        await whole.cases.openCase(one.opened);
        await recordAnswer(whole, one.answer);
      }
      const { author } = cases[2]!.opened.context!;
      const pageOf = async (from: Ledger, filter: object) =>
        (await from.cases.listCases(filter, { limit: 500 })).rows
          .map((summary) => ({ ...summary, openedAt: null, closedAt: null }))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      for (const [filter, found] of [
        [{}, cases.length],
        [{ author }, 1],
        [{ author: 'nobody' }, 0],
        [{ thread: 'thread-1' }, 3],
        [{ channel: 'room-1' }, 4],
        [{ language: 'pt-BR' }, 8],
      ] as const) {
        const page = await pageOf(ledger, filter);
        expect(page).toHaveLength(found);
        expect(page).toEqual(await pageOf(whole, filter));
      }
      const summaries = await ledger.cases.findSummaries([cases[2]!.opened.id]);
      expect(summaries.get(cases[2]!.opened.id)).toMatchObject({ author, thread: 'thread-2' });
      const dictionaries = (await opened.query('select dictionary from setups'))
        .map(({ dictionary }) => Buffer.from(dictionary as Uint8Array).toString())
        .join('\n');
      expect(dictionaries).toContain('"verdict":{');
      for (const word of ['Zwölfeck', 'Nebelhorn', 'Sauerkraut', 'Quittung', 'Zeisig', 'thread-1', 'room-1', 'pt-BR'])
        expect(dictionaries).not.toContain(word);
      for (const { opened: one } of cases)
        for (const told of [one.id, one.subject.hash, ...listTexts(one.subject.content)])
          expect(dictionaries).not.toContain(told);
      await whole.close();
    });

    test('recalled for another author of the same text under the same configuration, and not as that one’s case', async () => {
      const [one, other] = alike as [GuardCase, GuardCase];
      const ledger = await fresh([one]);
      const recalled = (await ledger.cases.recallDecided(other.opened))!;
      expect(recalled.isOnRecord).toBe(false);
      const answer = recalled.answer as Answer;
      expect(answer).toMatchObject({ id: other.opened.id, subject: { context: { author: 'author-1' } } });
      expect(answer.verdict).toEqual((one.answer as Answer).verdict);
      expect(JSON.stringify(answer)).not.toContain('author-0');
      expect(checkSeal(answer)).toMatchObject({ outcome: 'ok' });
      const nobody: typeof other.opened = { ...other.opened, id: 'nobody-else', context: undefined };
      expect((await ledger.cases.recallDecided(nobody))!.answer).not.toHaveProperty('subject.context');
      const named = { ...nobody.subject, content: { ...(nobody.subject.content as object), id: 'post-7' } };
      expect((await ledger.cases.recallDecided({ ...nobody, subject: named }))!.answer).toMatchObject({
        subject: { id: 'post-7' },
      });
      const elsewhere = { ...other.opened, configuration: `sha256:${'0'.repeat(64)}` };
      expect(await ledger.cases.recallDecided(elsewhere)).toBeNull();
      const shown = { ...other.opened, settings: { moderation: { context: ['author'] } } };
      expect(await ledger.cases.recallDecided(shown)).toBeNull();
      // What was recalled is kept beside the first, and a text that was forgotten is judged again.
      await ledger.cases.keepDecided({ ...other, answer });
      await expectWhole(ledger, [one, { ...other, answer }]);
      expect(await countSingle()).toBe(2);
      expect(await problemsOf(ledger)).toEqual([]);
      await ledger.cases.forgetSubject(one.opened.subject.hash);
      expect(await ledger.cases.recallDecided(alike[2]!.opened)).toBeNull();
    });

    test('exported with it', async () => {
      const ledger = await fresh([...cases, ...alike]);
      const exported: unknown[] = [];
      for await (const line of ledger.export()) if (line.kind === 'debate') exported.push(line['context']);
      expect(exported).toHaveLength(cases.length + alike.length);
      for (const { opened: one } of alike) expect(exported).toContainEqual(one.context);
    });

    test('there again after a backup', async () => {
      await fresh([...cases, ...alike]);
      const restored = await opened.restoreBackup();
      await expectWhole(restored, [...cases, ...alike]);
      expect(await problemsOf(restored)).toEqual([]);
    });

    test('the rows of a case with the same context as soon as somebody decides', async () => {
      const ledger = await fresh();
      const { id, context } = cases[2]!.opened;
      await ledger.decisions.recordDecision({ case: id, label: 'unsafe', by: 'Ada' });
      expect(await countSingle()).toBe(cases.length - 1);
      await expectWhole(ledger, cases);
      expect(await count(`contexts where debate = '${id}'`)).toBe(1);
      expect(await count('listing where author is not null')).toBe(cases.length - 1);
      const { rows } = await ledger.cases.listCases({ author: context!.author!, thread: context!.thread! });
      expect(rows).toMatchObject([{ id, decided: true }]);
      await ledger.records.sequence();
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test.each([
      ['an author', `update listing set author = 'somebody else' where author = 'Zeisig'`],
      ['a thread', `update listing set thread = null where thread = 'thread-1'`],
      ['a channel', `update listing set channel = 'elsewhere' where channel = 'chat'`],
    ])('that somebody changed shows: %s', async (_what, statement) => {
      const ledger = await fresh();
      expect(await problemsOf(ledger)).toEqual([]);
      await opened.query(statement);
      expect((await problemsOf(ledger)).length).toBeGreaterThan(0);
    });

    test('one of two authors with the same text is forgotten, and the other is not', async () => {
      const [one, other] = alike as [GuardCase, GuardCase];
      const ledger = await fresh([one, other]);
      expect(await ledger.authors.planForgetting('author-0')).toEqual({
        subjects: 1,
        cases: 1,
        othersCases: 1,
        items: 0,
      });
      expect(await ledger.authors.forget('author-0')).toEqual({ subjects: 1, cases: 1, othersCases: 1, items: 0 });
      expect(await ledger.cases.findCase(one.opened.id)).toMatchObject({ content: null, context: null, answer: null });
      await expectWhole(ledger, [other]);
      expect(await countSingle()).toBe(1);
      expect(await readAll(ledger.authors.readCases('author-0'))).toEqual([]);
      expect(await count(`listing where author = 'author-0' or search is null and packed is not null`)).toBe(0);
      // What is left of the content is the other's.
      expect(await count('subjects where content is not null')).toBe(0);
      expect(await problemsOf(ledger)).toEqual([]);
      // With the last of them the text goes.
      expect(await ledger.authors.forget('author-1')).toEqual({ subjects: 1, cases: 1, othersCases: 0, items: 0 });
      expect(await countSingle()).toBe(0);
      expect(await count('subjects where content is not null')).toBe(0);
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test('of forty authors with the same text each is forgotten alone, whether they come together or not', async () => {
      const ledger = await fresh(alike.slice(0, 25));
      for (const one of alike.slice(25)) await keep(ledger, [one]);
      expect(await countSingle()).toBe(40);
      const about = { subject: alike[0]!.opened.subject.hash };
      expect((await ledger.cases.listCases(about, { limit: 500 })).rows).toHaveLength(40);
      const listed = alike.slice(0, 39);
      for (const [index, one] of listed.entries()) {
        const plan = { subjects: 1, cases: 1, othersCases: 39 - index, items: 0 };
        const { author } = one.opened.context!;
        expect(await ledger.authors.planForgetting(author!)).toEqual(plan);
        expect(await ledger.authors.forget(author!)).toEqual(plan);
      }
      // Nobody else was unfolded to find that out.
      expect(await countSingle()).toBe(1);
      await expectWhole(ledger, [alike[39]!]);
      expect(await problemsOf(ledger)).toEqual([]);
      expect(await ledger.cases.forgetSubject(about.subject)).toBe(1);
      expect(await countSingle()).toBe(0);
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test('forgotten with all others where a content is, and one of an author with a case in full stays theirs', async () => {
      const ledger = await fresh(alike.slice(0, 3));
      // One of the others has the rows of a case.
      await ledger.decisions.recordDecision({ case: alike[1]!.opened.id, label: 'safe', by: 'Ada' });
      expect(await ledger.authors.forget('author-0')).toEqual({ subjects: 1, cases: 1, othersCases: 2, items: 0 });
      await expectWhole(ledger, alike.slice(1, 3));
      expect(await ledger.authors.forget('author-1')).toEqual({ subjects: 1, cases: 1, othersCases: 1, items: 0 });
      await expectWhole(ledger, [alike[2]!]);
      expect(await ledger.cases.forgetSubject(alike[0]!.opened.subject.hash)).toBe(1);
      expect(await countSingle()).toBe(0);
      expect(await ledger.cases.findCase(alike[2]!.opened.id)).toMatchObject({ content: null, context: null });
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test('held with its author, whether the hold comes before it or after it', async () => {
      const ledger = await start();
      const [before, after, other] = [alike[0]!, alike[1]!, cases[0]!];
      const first = await ledger.holds.placeHold({ author: 'author-0', reason: 'A lawsuit.' }, actor);
      await keep(ledger, [before, after, other]);
      expect(await countSingle()).toBe(3);
      expect(await ledger.holds.findHoldsOn(before.opened.id)).toEqual([first]);
      // A hold covers every case about its content.
      expect(await ledger.holds.findHoldsOn(after.opened.id)).toEqual([first]);
      expect(await ledger.holds.findHoldsOn(other.opened.id)).toEqual([]);
      const second = await ledger.holds.placeHold({ author: 'author-1', reason: 'Another.' }, actor);
      expect(await ledger.holds.findHoldsOn(after.opened.id)).toEqual([first, second]);
      await ledger.holds.liftHold(first.id, 'It was settled.', actor);
      expect(await ledger.holds.findHoldsOn(before.opened.id)).toEqual([second]);
      const refused = { code: 'legal-hold' };
      await expect(ledger.cases.forgetSubject(before.opened.subject.hash)).rejects.toMatchObject(refused);
      for (const author of ['author-0', 'author-1'])
        await expect(ledger.authors.forget(author)).rejects.toMatchObject(refused);
      const soon = new Date(Date.now() + 60_000);
      expect(await ledger.prune({ what: 'cases', before: soon })).toMatchObject({ debates: 1, held: 2 });
      await expectWhole(ledger, [before, after]);
      expect(await ledger.prune({ what: 'contents', before: soon })).toMatchObject({ debates: 0, held: 2 });
      await expectWhole(ledger, [before, after]);
      await ledger.holds.liftHold(second.id, 'It was settled.', actor);
      expect(await ledger.authors.forget('author-1')).toMatchObject({ cases: 1, othersCases: 1 });
      expect(await problemsOf(ledger)).toEqual([]);
    });

    test('gone with its day, and with it who wrote it', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2126-01-10T10:00:00Z') });
      try {
        const ledger = await fresh([...cases, ...alike.slice(0, 38)]);
        vi.setSystemTime(new Date('2126-01-11T10:00:00Z'));
        await keep(ledger, [alike[38]!]);
        vi.setSystemTime(new Date('2126-01-11T11:00:00Z'));
        await keep(ledger, [alike[39]!]);
        // In the midst of a day.
        const before = new Date('2126-01-11T10:30:00Z');
        expect(await ledger.prune({ what: 'cases', before })).toMatchObject({ debates: cases.length + 39, held: 0 });
        expect(await count('listing where author is not null')).toBe(1);
        expect(await count('contexts')).toBe(0);
        expect(await readAll(ledger.authors.readCases('author-3'))).toEqual([]);
        await expectWhole(ledger, [alike[39]!]);
        expect(await ledger.authors.forget('author-39')).toMatchObject({ cases: 1, othersCases: 0 });
        expect(await countSingle()).toBe(0);
        expect(await problemsOf(ledger)).toEqual([]);
      } finally {
        vi.useRealTimers();
      }
    });

    test('never without its text, while others with the same text are forgotten', async () => {
      const ledger = await fresh(alike.slice(0, 20));
      const other = await opened.openAgain();
      await Promise.all([
        ...alike.slice(20).map((one) => keep(other, [one])),
        (async () => {
          for (let index = 0; index < 20; index += 1) await ledger.authors.forget(`author-${index}`);
        })(),
      ]);
      await expectWhole(other, alike.slice(20));
      expect(await countSingle()).toBe(20);
      expect(await count('subjects where content is not null')).toBe(0);
      expect(await problemsOf(other)).toEqual([]);
    });
  });
}
