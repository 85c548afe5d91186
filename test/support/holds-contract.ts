import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ledger } from '@agonhq/ledger';
import { holdCase, openedCase } from './ledger-cases.ts';
import { itemAt, startRun } from './run-items.ts';
import type { TamperedLedger } from './records-contract.ts';

const actor = { by: 'mara', key: 'key-1', request: 'req-1' };
const soon = () => new Date(Date.now() + 60_000);

/** What every ledger does with what must not be taken away. */
export function holdsContract({ make }: { make(): Promise<TamperedLedger> }): void {
  let made: TamperedLedger;
  let ledger: Ledger;
  beforeEach(async () => {
    made = await make();
    ({ ledger } = made);
    await holdCase(ledger, openedCase('case-1', { context: { author: 'user-1' } }));
    await holdCase(ledger, openedCase('case-2', { context: { author: 'user-2' } }));
  });
  afterEach(async () => {
    const { problems } = await ledger.records.audit();
    await ledger.close();
    expect(problems).toEqual([]);
  });
  const subjectOf = (id: string) => openedCase(id).subject.hash;

  test('what a hold covers is neither forgotten nor pruned, and the refusal names the hold', async () => {
    const hold = await ledger.holds.placeHold({ case: 'case-1', reason: 'Lawsuit 12/26.' }, actor);
    await expect(ledger.cases.forgetSubject(subjectOf('case-1'))).rejects.toMatchObject({
      code: 'legal-hold',
      message: expect.stringContaining(hold.id) as string,
    });
    expect(await ledger.prune({ before: soon(), what: 'contents', dryRun: true })).toMatchObject({
      debates: 1,
      subjects: 1,
      held: 1,
    });
    expect(await ledger.prune({ before: soon(), what: 'contents' })).toMatchObject({ debates: 1, held: 1 });
    expect(await ledger.prune({ before: soon(), what: 'cases' })).toMatchObject({ debates: 1, held: 1 });
    expect(await ledger.cases.findCase('case-1')).toMatchObject({ content: { text: 'What was said in case-1.' } });
    expect(await ledger.cases.findCase('case-2')).toBeUndefined();
    await ledger.holds.liftHold(hold.id, 'It was settled.', actor);
    expect(await ledger.cases.forgetSubject(subjectOf('case-1'))).toBe(1);
  });

  test('a hold covers a case that nobody ended', async () => {
    await ledger.cases.openCase(openedCase('case-3'));
    const hold = await ledger.holds.placeHold({ case: 'case-3', reason: 'A lawsuit.' }, actor);
    expect(await ledger.prune({ before: soon(), what: 'unfinished' })).toMatchObject({ debates: 0, subjects: 0 });
    await ledger.holds.liftHold(hold.id, 'It was settled.', actor);
    expect(await ledger.prune({ before: soon(), what: 'unfinished' })).toMatchObject({ debates: 1, subjects: 1 });
  });

  test('a hold covers every case about the same content', async () => {
    await holdCase(
      ledger,
      openedCase('case-3', { text: 'What was said in case-1.', again: { of: 'case-1', how: 'appeal' } }),
    );
    const hold = await ledger.holds.placeHold({ case: 'case-3', reason: 'A lawsuit.' }, actor);
    expect(await ledger.holds.findHoldsOn('case-1')).toEqual([hold]);
    expect(await ledger.holds.findHoldsOn('case-2')).toEqual([]);
    expect(await ledger.prune({ before: soon(), what: 'cases' })).toMatchObject({ debates: 1, held: 2 });
  });

  test('a hold on an author covers cases that come later, and items that wait', async () => {
    const hold = await ledger.holds.placeHold({ author: 'user-9', reason: 'An order of the court.' }, actor);
    await holdCase(ledger, openedCase('case-9', { context: { author: 'user-9' } }));
    expect(await ledger.holds.findHoldsOn('case-9')).toEqual([hold]);
    await expect(ledger.cases.forgetSubject(subjectOf('case-9'))).rejects.toMatchObject({ code: 'legal-hold' });
    const item = (position: number, author: string) => itemAt(position, { input: { text: 'x', context: { author } } });
    await startRun(ledger, 'run-1', [item(1, 'user-9'), item(2, 'user-1')]);
    await expect(ledger.cases.forgetSubject(itemAt(1).hash)).rejects.toMatchObject({ code: 'legal-hold' });
    expect(await ledger.prune({ before: soon(), what: 'cases' })).toMatchObject({ debates: 2, held: 1, items: 1 });
    expect(await ledger.runs.countItems('run-1')).toMatchObject({ waiting: 1, failed: 1 });
  });

  test('a hold ends by itself where it says until when', async () => {
    const until = new Date(Date.now() + 3_600_000);
    const hold = await ledger.holds.placeHold({ case: 'case-1', reason: 'A request.', until }, actor);
    expect(await ledger.holds.listHolds({ inForce: true })).toEqual([hold]);
    // As if the hour were over: the log says so too.
    const over = new Date(Date.now() - 1_000).toISOString();
    await made.execute(`update legal_holds set until = '${over}'`);
    expect(await ledger.holds.listHolds({ inForce: true })).toEqual([]);
    expect(await ledger.holds.findHoldsOn('case-1')).toEqual([]);
    expect(await ledger.prune({ before: soon(), what: 'contents', dryRun: true })).toMatchObject({
      debates: 2,
      held: 0,
    });
    await made.execute(`update legal_holds set until = '${until.toISOString()}'`);
  });

  test('placing and lifting stand in the audit log, in its tree, and a hold that somebody tampers with is found', async () => {
    const hold = await ledger.holds.placeHold({ author: 'user-1', reason: 'A lawsuit.' }, actor);
    await ledger.holds.liftHold(hold.id, 'It was settled.', { by: 'jo' });
    const { rows } = await ledger.audit.listEntries({}, { limit: 10 });
    expect(rows.toReversed()).toMatchObject([
      {
        operation: 'holds.place',
        who: 'mara',
        key: 'key-1',
        target: hold.id,
        what: { author: 'user-1', reason: 'A lawsuit.' },
        status: 201,
        request: 'req-1',
      },
      { operation: 'holds.lift', who: 'jo', key: null, target: hold.id, what: { why: 'It was settled.' }, status: 200 },
    ]);
    await made.execute('create table kept_holds as select * from legal_holds');
    await made.execute('create table kept_audit as select * from audit');
    await made.execute('update legal_holds set lifted_at = null, lifted_by = null, lifted_why = null');
    expect((await ledger.records.audit()).problems).toMatchObject([{ what: 'altered', record: hold.id }]);
    await made.execute('delete from legal_holds');
    expect((await ledger.records.audit()).problems).toMatchObject([{ what: 'removed', record: hold.id }]);
    await made.execute("delete from audit where operation like 'holds.%'");
    expect((await ledger.records.audit()).problems).toHaveLength(2);
    await made.execute('insert into legal_holds select * from kept_holds');
    await made.execute("insert into audit select * from kept_audit where operation like 'holds.%'");
    expect(await ledger.holds.listHolds()).toMatchObject([{ id: hold.id, lifted: { by: 'jo' } }]);
  });

  test('a hold without a reason, on nothing, on both or on a case that is not there is refused', async () => {
    for (const hold of [
      { case: 'case-1', reason: ' ' },
      { reason: 'x' },
      { case: 'case-1', author: 'user-1', reason: 'x' },
      { case: 'case-1', reason: 'x', until: new Date(0) },
    ])
      await expect(ledger.holds.placeHold(hold, actor)).rejects.toMatchObject({ code: 'bad-hold' });
    await expect(ledger.holds.placeHold({ case: 'no-case', reason: 'x' }, actor)).rejects.toMatchObject({
      code: 'unknown-case',
    });
    await expect(ledger.holds.liftHold('hold-0', 'x', actor)).rejects.toMatchObject({ code: 'unknown-hold' });
    const { id } = await ledger.holds.placeHold({ case: 'case-1', reason: 'x' }, actor);
    await ledger.holds.liftHold(id, 'y', actor);
    await expect(ledger.holds.liftHold(id, 'y', actor)).rejects.toMatchObject({ code: 'lifted-already' });
    expect(await ledger.audit.listEntries({}, { limit: 10 })).toMatchObject({ rows: [{}, {}] });
  });

  test('a hold is lifted in the very millisecond in which it was placed, and by a clock that is behind', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      for (const behind of [0, 0, 0, 0, 0, 0, 5_000]) {
        const { id } = await ledger.holds.placeHold({ case: 'case-1', reason: 'x' }, actor);
        vi.setSystemTime(Date.now() - behind);
        expect((await ledger.holds.liftHold(id, 'y', actor)).lifted).toMatchObject({ why: 'y' });
      }
      expect((await ledger.records.audit()).problems).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a hold that is placed while others forget is there before, or what it would hold is gone', async () => {
    const another = await made.openAgain();
    const [placed, forgotten] = await Promise.allSettled([
      ledger.holds.placeHold({ case: 'case-1', reason: 'A lawsuit.' }, actor),
      another.cases.forgetSubject(subjectOf('case-1')),
    ]);
    const content = (await ledger.cases.findCase('case-1'))?.content;
    expect(placed.status).toBe('fulfilled');
    expect(content === null).toBe(forgotten.status === 'fulfilled');
    await another.close();
  });
}
