import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '@agonhq/ledger';
import { exportedText, holdCase, openedCase } from './ledger-cases.ts';
import type { LedgerMaker } from './ledger-contract.ts';

const ids = ({ rows }: { rows: readonly { id: string }[] }) => rows.map(({ id }) => id);

/** What every ledger does with actions, and with what is known about an item beside what it says. */
export function actionsContract(maker: LedgerMaker): void {
  describe('actions and contexts', () => {
    let ledger: Ledger;
    beforeEach(async () => {
      ledger = await maker.make();
    });
    afterEach(() => ledger.close());

    test('what a verdict proposes is listed, filtered by and counted; what a person decides stands beside it', async () => {
      await holdCase(ledger, openedCase('case-1'), { action: 'remove', severity: 'high' });
      await holdCase(ledger, openedCase('case-2'), { action: 'age-gate', severity: 'medium' });
      await holdCase(ledger, openedCase('case-3'));
      expect(await ledger.cases.findCase('case-1')).toMatchObject({ action: 'remove', severity: 'high' });
      expect(await ledger.cases.findCase('case-3')).toMatchObject({ action: null, severity: null });
      expect(ids(await ledger.cases.listCases({ action: 'age-gate' }))).toEqual(['case-2']);
      expect(ids(await ledger.cases.listCases({ severity: 'high' }))).toEqual(['case-1']);
      expect((await ledger.cases.findVerdicts(['case-2'])).get('case-2')).toMatchObject({
        action: 'age-gate',
      });

      const said = { case: 'case-1', label: 'unsafe', by: 'ann', action: 'warn' } as const;
      const decision = await ledger.decisions.recordDecision(said);
      expect(decision).toMatchObject({ action: 'warn' });
      expect(await ledger.decisions.recordDecision(said)).toEqual(decision);
      await ledger.decisions.recordDecision({ ...said, action: 'remove' });
      expect((await ledger.decisions.listDecisions('case-1')).map(({ action }) => action)).toEqual(['warn', 'remove']);

      const time = { from: new Date(0), to: new Date(Date.now() + 1000) };
      for await (const { groups, decided } of ledger.figures.readFigures(time)) {
        expect(new Set(groups.map(({ action }) => action))).toEqual(new Set(['age-gate', 'remove', null]));
        expect(decided).toMatchObject([{ id: 'case-1', action: 'remove', decisions: [{ action: 'warn' }, {}] }]);
      }
    });

    test('cases are found by author and thread; the same content has a context in each of its cases', async () => {
      const text = 'Buy now!';
      const context = { author: 'user\0-1', thread: 'thread-1', reports: 3, links: ['https://example.com'] };
      await holdCase(ledger, openedCase('case-1', { text, context }));
      await holdCase(ledger, openedCase('case-2', { text, context: { author: 'user-2', thread: 'thread-1' } }));
      await holdCase(ledger, openedCase('case-3', { text }));
      expect(ids(await ledger.cases.listCases({ author: 'user-2' }))).toEqual(['case-2']);
      expect(ids(await ledger.cases.listCases({ author: 'user\0-1' }))).toEqual(['case-1']);
      expect(ids(await ledger.cases.listCases({ thread: 'thread-1' })).toSorted()).toEqual(['case-1', 'case-2']);
      expect(ids(await ledger.cases.listCases({ author: 'user-2', thread: 'thread-9' }))).toEqual([]);
      expect(await ledger.cases.findCase('case-2')).toMatchObject({
        author: 'user-2',
        thread: 'thread-1',
        content: { text },
        context: { author: 'user-2', thread: 'thread-1' },
      });
      expect(await ledger.cases.findCase('case-3')).toMatchObject({ author: null, context: null });
    });

    test('stand in an export; a context is forgotten with its content', async () => {
      const context = { author: 'user-1', thread: 'thread-1', note: 'a secret' };
      const opened = openedCase('case-1', { context });
      await holdCase(ledger, opened, { action: 'remove', severity: 'high' });
      await ledger.decisions.recordDecision({ case: 'case-1', label: 'unsafe', by: 'ann', action: 'warn' });
      const text = await exportedText(ledger);
      expect(text).toContain(JSON.stringify(context));
      expect(text).toContain('"action":"warn"');

      await ledger.cases.forgetSubject(opened.subject.hash);
      expect(await ledger.cases.findCase('case-1')).toMatchObject({ context: null, author: null, action: 'remove' });
      expect(ids(await ledger.cases.listCases({ author: 'user-1' }))).toEqual([]);
      expect(await exportedText(ledger)).not.toContain('a secret');
    });
  });
}
