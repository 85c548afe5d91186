import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Verdict } from '@agonhq/engine/debate';
import type { Ledger, NewQueue, UnrecordedOpening } from '@agonhq/ledger';
import { answerTo, exportedText, holdCase, openedCase } from './ledger-cases.ts';
import type { LedgerMaker } from './ledger-contract.ts';

const sure: Partial<Verdict> = {
  label: 'safe',
  risk: 0.05,
  bar: 0.5,
  escalate: false,
  degraded: [],
  categories: [],
};
const unsure: Partial<Verdict> = { ...sure, escalate: true };
const fraud: Partial<Verdict> = {
  ...unsure,
  label: 'unsafe',
  risk: 0.8,
  bar: 0.5,
  categories: [{ id: 'fraud', clause: 'fraud.scams' }],
};

/** What every ledger does with queues of reviewers. */
export function queuesContract({ make }: LedgerMaker): void {
  describe('queues', () => {
    let ledger: Ledger;
    beforeEach(async () => {
      ledger = await make();
    });
    afterEach(() => ledger.close());

    const judge = (
      id: string,
      verdict: Partial<Verdict> = unsure,
      opened: Partial<UnrecordedOpening> & { text?: string } = {},
    ) => holdCase(ledger, openedCase(id, opened), verdict);
    const create = (name: string, change: Partial<NewQueue> = {}) =>
      ledger.queues.createQueue({ name, rules: {}, dueMinutes: null, assignees: [], ...change });
    const inQueue = async (queue: string) =>
      (await ledger.reviews.listWaiting({ queue })).rows.map(({ id }) => id).toSorted();

    test('a case comes into the first queue whose rules it meets, else into the default one', async () => {
      const scams = await create('Scams', { rules: { clauses: ['fraud'], risk: { from: 0.5, to: 1 } } });
      const forum = await create('Forum', { rules: { channels: ['forum'] } });
      const german = await create('German', { rules: { languages: ['de'] } });
      await judge('case-scam', fraud, { context: { channel: 'forum' } });
      await judge('case-forum', unsure, { context: { channel: 'forum' } });
      await judge('case-tagged', unsure, { context: { language: 'de-AT' } });
      await judge('case-german', unsure, { text: 'Wo ist der Bahnhof, und wann fährt der nächste Zug nach Hause?' });
      await judge('case-other');
      await judge('case-sure', sure, { context: { channel: 'forum' } });
      expect(await inQueue(scams.id)).toEqual(['case-scam']);
      expect(await inQueue(forum.id)).toEqual(['case-forum']);
      expect(await inQueue(german.id)).toEqual(['case-german', 'case-tagged']);
      expect(await inQueue('default')).toEqual(['case-other']);
      expect((await ledger.reviews.listWaiting({})).rows).toHaveLength(5);
      expect((await ledger.reviews.listWaiting({ notIn: [german.id, 'default'] })).rows).toHaveLength(2);
    });

    test('names are taken once, and the order can be changed', async () => {
      const [one, two, three] = [await create('One'), await create('Two'), await create('Three')];
      await expect(create('Two')).rejects.toMatchObject({ code: 'queue-exists' });
      await expect(ledger.queues.changeQueue(one.id, { name: 'Two' })).rejects.toMatchObject({ code: 'queue-exists' });
      await ledger.queues.changeQueue(three.id, { position: 0, dueMinutes: 60, assignees: ['ann'] });
      expect(await ledger.queues.listQueues()).toEqual([{ ...three, dueMinutes: 60, assignees: ['ann'] }, one, two]);
      expect(await ledger.queues.findQueue(two.id)).toEqual(two);
      expect(await ledger.queues.changeQueue('nothing', { name: 'Four' })).toBeUndefined();
      expect(await ledger.queues.removeQueue(one.id)).toBe(true);
      expect(await ledger.queues.removeQueue(one.id)).toBe(false);
    });

    test('what is there already moves when queues are refilled, and back when one is removed', async () => {
      for (let index = 0; index < 12; index += 1) await judge(`case-${index}`, index % 3 === 0 ? fraud : unsure);
      const scams = await create('Scams', { rules: { clauses: ['fraud.scams'] } });
      expect(await inQueue(scams.id)).toEqual([]);
      expect(await ledger.queues.refillQueues()).toBe(4);
      expect(await inQueue(scams.id)).toHaveLength(4);
      expect(await ledger.queues.refillQueues()).toBe(0);
      await ledger.queues.changeQueue(scams.id, { rules: { clauses: ['weapons'] } });
      expect(await ledger.queues.refillQueues()).toBe(4);
      expect(await inQueue(scams.id)).toEqual([]);
      await ledger.queues.changeQueue(scams.id, { rules: {} });
      await ledger.queues.refillQueues();
      await ledger.queues.removeQueue(scams.id);
      await ledger.queues.refillQueues();
      expect(await inQueue('default')).toHaveLength(12);
    });

    test('a queue says by when, what is due comes first, and what is overdue is counted', async () => {
      const soon = await create('Soon', { rules: { clauses: ['fraud'] }, dueMinutes: 30 });
      const late = await create('Late', { rules: { channels: ['forum'] }, dueMinutes: 600 });
      await judge('case-undue');
      await judge('case-late', unsure, { context: { channel: 'forum' } });
      await judge('case-soon', { ...fraud, escalate: false, risk: 0.52 });
      const { rows } = await ledger.reviews.listWaiting({}, { sort: 'due' });
      expect(rows.map(({ id }) => id)).toEqual(['case-soon', 'case-late', 'case-undue']);
      expect(rows.map(({ queue }) => queue)).toEqual([soon.id, late.id, 'default']);
      expect(rows[2]!.dueAt).toBeNull();
      const minutes = (rows[0]!.dueAt!.getTime() - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(28);
      expect(minutes).toBeLessThanOrEqual(30);
      const seen: string[] = [];
      for (let after: string | null = null, more = true; more; more = after !== null) {
        const page = await ledger.reviews.listWaiting({}, { sort: 'due', limit: 1, after });
        seen.push(...page.rows.map(({ id }) => id));
        after = page.next;
      }
      expect(seen).toEqual(['case-soon', 'case-late', 'case-undue']);

      const hence = new Date(Date.now() + 3_600_000);
      expect(await ledger.queues.countQueues(hence)).toEqual(
        new Map([
          [
            soon.id,
            { waiting: { first: 1, second: 0, dispute: 0 }, overdue: 1, unassigned: 1, nextDue: rows[0]!.dueAt },
          ],
          [
            late.id,
            { waiting: { first: 1, second: 0, dispute: 0 }, overdue: 0, unassigned: 1, nextDue: rows[1]!.dueAt },
          ],
          ['default', { waiting: { first: 1, second: 0, dispute: 0 }, overdue: 0, unassigned: 1, nextDue: null }],
        ]),
      );
      expect((await ledger.reviews.listWaiting({ dueBefore: hence }, { sort: 'due' })).rows).toMatchObject([
        { id: 'case-soon' },
      ]);
      expect(await ledger.reviews.countWaiting({ dueBefore: hence })).toMatchObject({ first: 1 });
    });

    test('what becomes overdue is told once for each time by which it was due, with what is sent of it', async () => {
      const soon = await create('Soon', { rules: { clauses: ['fraud'] }, dueMinutes: 30 });
      await create('Late', { rules: { channels: ['forum'] }, dueMinutes: 600 });
      await judge('case-undue');
      await judge('case-late', unsure, { context: { channel: 'forum' } });
      await holdCase(ledger, openedCase('case-soon'), fraud, {
        subject: { ...(answerTo('case-soon').subject as object), id: 'post-4711' },
      });
      const hence = new Date(Date.now() + 3_600_000);
      const take = (now = hence) =>
        ledger.queues.takeOverdue(now, ({ id, dueAt }) => [
          { id: `delivery-${id}-${dueAt.toISOString()}`, webhook: 'webhook-1', event: 'overdue', payload: { id } },
        ]);
      expect(await take(new Date()), 'nothing is overdue yet').toEqual([]);
      const failing = () =>
        ledger.queues.takeOverdue(hence, () => {
          throw new Error('the disk is full');
        });
      await expect(failing()).rejects.toThrow('the disk is full');
      const [dueAt] = (await ledger.reviews.listWaiting({}, { sort: 'due' })).rows.map((row) => row.dueAt!);
      // What could not be put on record was not told. Of two who ask at once, one tells.
      const both = await Promise.all([take(), take()]);
      expect(both.flat()).toEqual([
        {
          id: 'case-soon',
          item: 'post-4711',
          job: 'moderation',
          stage: 'first',
          queue: { id: soon.id, name: 'Soon' },
          dueAt,
          assigned: null,
        },
      ]);
      const id = `delivery-case-soon-${dueAt!.toISOString()}`;
      expect(
        (await ledger.webhooks.listDeliveries('webhook-1', { limit: 9 })).rows.find((one) => one.id === id),
      ).toMatchObject({ event: 'overdue', state: 'waiting', payload: { id: 'case-soon' } });
      expect(await take()).toEqual([]);
      // Another time is other news; one that was told is not told again.
      await ledger.queues.changeQueue(soon.id, { dueMinutes: 40 });
      await ledger.queues.refillQueues();
      expect((await take()).map((one) => [one.id, one.dueAt.getTime() - dueAt!.getTime()])).toEqual([
        ['case-soon', 600_000],
      ]);
      await ledger.queues.changeQueue(soon.id, { dueMinutes: 30 });
      await ledger.queues.refillQueues();
      expect(await take()).toEqual([]);
      const tomorrow = new Date(Date.now() + 86_400_000);
      await ledger.reviews.assignCase('case-late', 'ann');
      expect(await take(tomorrow)).toMatchObject([{ id: 'case-late', assigned: 'ann', queue: { name: 'Late' } }]);
    });

    test('a case is assigned to a person until they have decided', async () => {
      await judge('case-1');
      await judge('case-2');
      await judge('case-sure', sure);
      expect(await ledger.reviews.assignCase('case-1', 'ann')).toBe(true);
      expect(await ledger.reviews.assignCase('case-sure', 'ann')).toBe(false);
      const assigned = async (to: string | null) =>
        (await ledger.reviews.listWaiting({ assigned: to })).rows.map(({ id }) => id);
      expect(await assigned('ann')).toEqual(['case-1']);
      expect(await assigned(null)).toEqual(['case-2']);
      await ledger.decisions.recordDecision({ case: 'case-1', label: 'unsafe', by: 'ann' });
      expect(await ledger.reviews.findWaiting('case-1')).toMatchObject({ stage: 'second', assigned: null });
      await ledger.reviews.assignCase('case-2', 'ann');
      await ledger.reviews.assignCase('case-2', null);
      expect(await assigned('ann')).toEqual([]);
    });

    test('a quality sample draws of what the machine was sure of, and people say how good it was', async () => {
      const checks = await create('Checks', { rules: { sample: 1, job: 'moderation' }, dueMinutes: 60 });
      await create('Everything');
      await judge('case-right', sure);
      await judge('case-wrong', sure);
      await judge('case-unsure');
      await judge('case-evaluation', sure, { job: 'evaluation' });
      expect(await inQueue(checks.id)).toEqual(['case-right', 'case-wrong']);
      expect(await ledger.reviews.findWaiting('case-right')).toMatchObject({
        stage: 'first',
        why: ['sampled'],
        urgency: 0,
      });
      const waits = { onlyWaiting: true };
      await ledger.decisions.recordDecision({ case: 'case-right', label: 'safe', by: 'ann' }, waits);
      await ledger.decisions.recordDecision({ case: 'case-wrong', label: 'unsafe', by: 'ann' }, waits);
      expect(await ledger.reviews.findStage('case-right')).toBe('done');
      expect(await ledger.reviews.findStage('case-wrong')).toBe('second');
      expect(await ledger.queues.readQuality()).toEqual(new Map([[checks.id, { decided: 2, right: 1 }]]));

      await judge('case-later', sure);
      await ledger.queues.changeQueue(checks.id, { rules: { sample: 0 } });
      await ledger.queues.refillQueues();
      expect(await ledger.reviews.findStage('case-later')).toBeNull();
      // What was decided of it stays part of it, and what is disputed waits on.
      expect(await ledger.reviews.findStage('case-wrong')).toBe('second');
      const decided: string[] = [];
      const time = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
      for await (const slice of ledger.figures.readFigures(time))
        decided.push(...slice.decided.filter(({ sampled }) => sampled).map(({ id }) => id));
      expect(decided.toSorted()).toEqual(['case-right', 'case-wrong']);
    });

    test('queues and who is to decide stand in an export', async () => {
      await create('Forum', { rules: { channels: ['forum'] }, dueMinutes: 45, assignees: ['ann', 'bob'] });
      const gone = await create('Checks', { rules: { sample: 1 } });
      await judge('case-forum', unsure, { context: { channel: 'forum' } });
      await judge('case-checked', sure);
      await ledger.decisions.recordDecision({ case: 'case-checked', label: 'safe', by: 'ann' });
      await ledger.reviews.assignCase('case-forum', 'bob');
      await ledger.queues.removeQueue(gone.id);
      const text = await exportedText(ledger);
      expect(text.match(/^{"kind":"queue",.+"name":"Forum"/gm)).toHaveLength(1);
      expect(text.match(/^{"kind":"assignment",.+"case":"case-forum"/gm)).toHaveLength(1);
    });

    test('what was forgotten waits nowhere', async () => {
      const all = await create('All', { rules: { languages: ['en'] } });
      const text = 'The ferry leaves at noon, and the bakery opens at six in the morning.';
      await judge('case-1', unsure, { text });
      expect(await inQueue(all.id)).toEqual(['case-1']);
      await ledger.cases.forgetSubject(openedCase('case-1', { text }).subject.hash);
      await ledger.queues.refillQueues();
      expect(await inQueue(all.id)).toEqual([]);
      expect(await ledger.queues.countQueues()).toEqual(new Map());
    });
  });
}
