import { describe, expect, test } from 'vitest';
import type { Verdict } from '@agonhq/engine/debate';
import type { Ledger, UnrecordedOpening } from '@agonhq/ledger';
import { quarterlyAnalysis } from '../fixtures/analyses.ts';
import { answerTo, holdCase, openedCase, recordAnswer } from './ledger-cases.ts';

const sure: Partial<Verdict> = { label: 'safe', risk: 0.05, bar: 0.5, escalate: false, degraded: [] };
const unsure: Partial<Verdict> = { ...sure, escalate: true };

/** What every ledger does with cases that wait for a person. */
export function reviewContract(current: () => Ledger): void {
  describe('reviews', () => {
    const judge = (id: string, verdict: Partial<Verdict> = unsure, opened: Partial<UnrecordedOpening> = {}) =>
      holdCase(current(), openedCase(id, opened), verdict);
    const waiting = async (filter: Parameters<Ledger['reviews']['listWaiting']>[0] = {}) =>
      (await current().reviews.listWaiting(filter)).rows.map(({ id }) => id);
    const decide = (
      id: string,
      by: string,
      label: 'safe' | 'unsafe',
      options?: Parameters<Ledger['decisions']['recordDecision']>[1],
    ) => current().decisions.recordDecision({ case: id, label, by }, options);

    test('what is unsure waits, the worst first and of equals the oldest, and nothing is said of the verdict', async () => {
      const ledger = current();
      await judge('case-near', { ...sure, risk: 0.45 });
      await judge('case-sure', sure);
      await judge('case-older', { ...sure, risk: 0.48 });
      await judge('case-recent', { ...sure, risk: 0.48 }, { job: 'evaluation' });
      await judge('case-undecided', { ...unsure, label: 'undecided', risk: null, bar: null });
      await ledger.cases.openCase(openedCase('case-open'));
      expect(await waiting()).toEqual(['case-undecided', 'case-older', 'case-recent', 'case-near']);
      expect(await waiting({ job: 'evaluation' })).toEqual(['case-recent']);
      const [first] = (await ledger.reviews.listWaiting({})).rows;
      expect(first).toEqual({
        id: 'case-undecided',
        job: 'moderation',
        stage: 'first',
        urgency: 1,
        why: ['undecided', 'escalated'],
        openedAt: expect.any(Date),
        modality: 'text+image',
        excerpt: 'What was said in case-undecided.',
        queue: 'default',
        dueAt: null,
        assigned: null,
      });
      expect(await ledger.reviews.countWaiting({})).toEqual({ first: 4, second: 0, dispute: 0 });
      expect(await ledger.reviews.countWaiting({ job: 'evaluation' })).toEqual({ first: 1, second: 0, dispute: 0 });
      expect(await ledger.reviews.findStage('case-sure')).toBeNull();
      expect(await ledger.reviews.findStage('nobody')).toBeUndefined();
      expect(await ledger.reviews.findWaiting('case-older')).toMatchObject({ stage: 'first', why: ['near-threshold'] });
      expect(await ledger.reviews.findWaiting('case-sure')).toBeUndefined();
    });

    test('what may be grave waits ahead of what may be an insult, and the number does not tell', async () => {
      const ledger = current();
      const football = { ...unsure, label: 'unsafe', risk: 0.5994, severity: 'medium' } as const;
      await judge('case-football', football);
      await judge('case-unread', { ...unsure, label: 'undecided', risk: null, bar: null });
      await judge('case-attack', { ...unsure, label: 'unsafe', risk: 0.67, severity: 'critical' });
      expect(await waiting()).toEqual(['case-attack', 'case-unread', 'case-football']);
      const first = await ledger.reviews.listWaiting({}, { limit: 1 });
      expect(first.rows).toMatchObject([{ id: 'case-attack', urgency: 0.9 }]);
      const { rows } = await ledger.reviews.listWaiting({}, { limit: 1, after: first.next });
      expect(rows).toMatchObject([{ id: 'case-unread', urgency: 1 }]);
    });

    test('pages go on where the last one ended, over all stages', async () => {
      const ledger = current();
      for (let index = 0; index < 7; index += 1)
        await judge(`case-${index}`, { ...sure, risk: [0.48, 0.48, 0.42][index % 3]! });
      await decide('case-0', 'ann', 'unsafe');
      const all = await waiting();
      expect(all).toHaveLength(7);
      const seen: string[] = [];
      for (let after: string | null = null, more = true; more; more = after !== null) {
        const page = await ledger.reviews.listWaiting({}, { limit: 2, after });
        seen.push(...page.rows.map(({ id }) => id));
        after = page.next;
      }
      expect(seen).toEqual(all);
      await expect(ledger.reviews.listWaiting({}, { after: 'nowhere' })).rejects.toMatchObject({ code: 'bad-page' });
    });

    test('what people decided last of a content is found by its hash, if it corrected a verdict', async () => {
      const { decisions } = current();
      const [one, other] = [openedCase('case-one'), openedCase('case-other')];
      await judge('case-one');
      await judge('case-other', unsure, { subject: one.subject });
      const found = () => Promise.all([one, other].map(({ subject }) => decisions.findCorrection(subject.hash)));
      expect(await found()).toEqual([null, null]);
      await decide('case-one', 'dataset:air', 'unsafe');
      expect(await found(), 'a data set is nobody').toEqual([null, null]);
      await decide('case-one', 'ann', 'unsafe');
      expect(await found()).toMatchObject([{ case: 'case-one', label: 'unsafe' }, null]);
      await decide('case-other', 'bob', 'safe');
      expect(await found(), 'that confirmed its verdict').toEqual([null, null]);
    });

    test('replays and documents do not wait, an appeal does', async () => {
      const ledger = current();
      await judge('case-replay', unsure, { again: { of: 'case-0', how: 'replay' } });
      await judge('case-appeal', unsure, { again: { of: 'case-0', how: 'appeal' } });
      await ledger.cases.openCase(openedCase('docs-1', { job: 'documents' }));
      await recordAnswer(ledger, { ...quarterlyAnalysis, id: 'docs-1' });
      expect((await ledger.reviews.listWaiting({})).rows).toMatchObject([
        { id: 'case-appeal', why: ['escalated', 'appealed'] },
      ]);
    });

    test('a case goes from the first to the second to a dispute, and a third person settles it', async () => {
      const ledger = current();
      await judge('case-1');
      const once = { onceAt: ['second', 'dispute'] } as const;
      await decide('case-1', 'ann', 'unsafe', once);
      expect(await ledger.reviews.findStage('case-1')).toBe('second');
      expect(await waiting({ by: { name: 'ann', ...once } })).toEqual([]);
      expect(await ledger.reviews.countWaiting({ by: { name: 'ann', ...once } })).toEqual({
        first: 0,
        second: 0,
        dispute: 0,
      });
      expect(await waiting({ by: { name: 'bob', ...once } })).toEqual(['case-1']);
      await expect(decide('case-1', 'ann', 'safe', once)).rejects.toMatchObject({ code: 'decided-already' });
      // Sent twice, since the first answer was lost.
      await decide('case-1', 'ann', 'unsafe', once);
      await decide('case-1', 'bob', 'safe', once);
      expect((await ledger.reviews.listWaiting({ stage: 'dispute' })).rows).toMatchObject([
        { id: 'case-1', stage: 'dispute', why: ['reviewers-disagree', 'escalated'] },
      ]);
      await expect(decide('case-1', 'bob', 'unsafe', once)).rejects.toMatchObject({ code: 'decided-already' });
      expect(await ledger.reviews.countWaiting({ by: { name: 'bob', onceAt: ['second'] } })).toEqual({
        first: 0,
        second: 0,
        dispute: 1,
      });
      await decide('case-1', 'cleo', 'unsafe', once);
      expect(await ledger.reviews.findStage('case-1')).toBe('done');
      expect((await ledger.decisions.listDecisions('case-1')).map(({ by, label }) => [by, label])).toEqual([
        ['ann', 'unsafe'],
        ['bob', 'safe'],
        ['cleo', 'unsafe'],
      ]);
    });

    test(
      'feedback elsewhere moves a case on too: who contradicts a certain verdict calls for a second, labelled ' +
        'data for nobody',
      async () => {
        const ledger = current();
        await judge('case-sure', sure);
        await judge('case-known');
        await judge('case-always', sure);
        await judge('case-never');
        await decide('case-sure', 'feedback', 'unsafe');
        await decide('case-known', 'dataset:sample', 'unsafe');
        await decide('case-always', 'ann', 'safe', { secondReview: 'always' });
        await decide('case-never', 'ann', 'unsafe', { secondReview: 'never' });
        expect((await ledger.reviews.listWaiting({})).rows.map(({ id, why }) => [id, why])).toEqual([
          ['case-sure', ['second-review']],
          ['case-always', ['second-review']],
        ]);
        expect(await ledger.reviews.findStage('case-known')).toBe('done');
        expect(await ledger.reviews.findStage('case-never')).toBe('done');
      },
    );

    test('what was forgotten waits no more; brought and judged again, it does', async () => {
      const ledger = current();
      const opened = openedCase('case-1');
      await holdCase(ledger, opened, unsure);
      await ledger.cases.forgetSubject(opened.subject.hash);
      expect(await waiting()).toEqual([]);
      await holdCase(ledger, opened, unsure);
      expect(await waiting()).toEqual(['case-1']);
    });

    test('a verdict that was replaced is reviewed by what it is now', async () => {
      const ledger = current();
      await judge('case-1');
      await decide('case-1', 'ann', 'safe');
      expect(await ledger.reviews.findStage('case-1')).toBe('done');
      await recordAnswer(ledger, answerTo('case-1', { ...unsure, label: 'unsafe' }));
      expect(await ledger.reviews.findStage('case-1')).toBe('second');
    });
  });
}
