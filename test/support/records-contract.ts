import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JobCorrection } from '@agonhq/judges/job';
import type { Ledger, RecordProblem } from '@agonhq/ledger';
import { answerTo, holdCase, openedCase, precedentOf, recordAnswer } from './ledger-cases.ts';

export interface TamperedLedger {
  ledger: Ledger;
  /** What somebody does who has a password for the database, and no business there. */
  execute(statement: string): Promise<void>;
  /** The same ledger over connections of its own, as another process has them. */
  openAgain(): Promise<Ledger>;
}

const correction: Omit<JobCorrection, 'id' | 'at' | 'withdrawn'> = {
  case: 'case-1',
  claim: 'claim-02',
  text: 'The margin is 41 %.',
  verdict: 'supported',
  label: 'refuted',
  why: 'It is 14 %.',
  by: 'ann',
  matter: { figures: [41] },
};
const policy = openedCase('').policy;
const audited = (id: string, who = 'ann') => ({
  id,
  at: new Date('2026-11-17T10:00:00Z'),
  who,
  key: 'key-1',
  operation: 'queue.decide',
  target: 'case-1',
  what: { label: 'safe' },
  status: 200,
  request: 'req-1',
});

/** Some of everything that is entered. */
async function fill(ledger: Ledger): Promise<void> {
  await holdCase(ledger, openedCase('case-1'));
  await holdCase(ledger, openedCase('case-2'));
  await ledger.decisions.recordDecision({ case: 'case-1', label: 'safe', by: 'ann', why: 'A joke.' });
  await ledger.corrections.recordCorrection(correction);
  const edit = { case: 'case-1', finding: 'claim-02', wording: 'It is 14 %.', note: null, leftOut: false, by: 'ann' };
  await ledger.findings.editFinding({ ...edit, at: new Date() });
  await ledger.precedents.keepPrecedents([
    precedentOf('precedent-1', { provenance: { kind: 'learnt', subject: openedCase('case-1').subject.hash } }),
  ]);
  await ledger.policies.activatePolicy(policy.hash, 'ann');
  await ledger.audit.keepEntries([audited('20261117T100000000Z-1'), audited('20261117T100000000Z-2', 'ben')]);
}

async function problemsIn(ledger: Ledger): Promise<Pick<RecordProblem, 'what' | 'kind' | 'record'>[]> {
  const { problems } = await ledger.records.audit();
  return problems.map(({ what, kind, record }) => ({ what, kind, record }));
}

/** Whether every ledger notices that it was rewritten. */
export function recordsContract(maker: { make(): Promise<TamperedLedger> }): void {
  describe('an audit of the records', () => {
    let ledger: Ledger;
    let execute: TamperedLedger['execute'];
    let openAgain: TamperedLedger['openAgain'];
    beforeEach(async () => {
      ({ ledger, execute, openAgain } = await maker.make());
      await fill(ledger);
    });
    afterEach(() => ledger.close());

    test('finds nothing where nothing was touched, before and after what was written has its place', async () => {
      const before = await ledger.records.audit();
      expect(before).toMatchObject({ problems: [], problemCount: 0, trees: [], superseded: 0, forgotten: 0 });
      // A policy and its activation, two contents, cases and answers, three things that ann said, a precedent, two lines.
      expect(before).toMatchObject({ leaves: 14, waiting: 14 });
      expect(await ledger.records.sequence()).toBe(14);
      expect(await ledger.records.sequence()).toBe(0);
      const after = await ledger.records.audit();
      expect(after).toMatchObject({ problems: [], leaves: 14, waiting: 0, trees: [{ size: 14 }] });
      await holdCase(ledger, openedCase('case-3'));
      expect(await ledger.records.audit()).toMatchObject({ problems: [], leaves: 17, waiting: 3 });
    });

    test('lets pass what people change as they may: another answer, another word, what is withdrawn', async () => {
      await recordAnswer(ledger, answerTo('case-1', { label: 'safe' }));
      const [made] = await ledger.corrections.listCorrections();
      await ledger.corrections.withdrawCorrection(made!.id, { by: 'ben', why: 'No.' });
      const edit = { case: 'case-1', finding: 'claim-02', wording: null, note: null, leftOut: false, by: 'ann' };
      await ledger.findings.editFinding({ ...edit, at: new Date() });
      await ledger.precedents.keepPrecedents([precedentOf('precedent-1', { state: 'retired' })]);
      const [decision] = await ledger.decisions.listDecisions('case-1');
      await ledger.decisions.markLearnt([decision!.id]);
      await ledger.cases.holdCases(['case-2']);
      expect(await ledger.records.audit()).toMatchObject({ problems: [], superseded: 4 });
    });

    const alterations: Record<string, [statement: string, kind: string, record: string]> = {
      'the label of a verdict': [`update verdicts set label = 'safe' where debate = 'case-2'`, 'answer', 'case-2'],
      'a word of an answer': [
        `update verdicts set answer = replace(answer, 'mod', 'dom') where debate = 'case-1'`,
        'answer',
        'case-1',
      ],
      'who decided': [`update decisions set decided_by = 'ben'`, 'decision', 'case-1'],
      'what was judged': [
        `update subjects set content = '{"text":"Another."}' where hash = '${openedCase('case-1').subject.hash}'`,
        'subject',
        openedCase('case-1').subject.hash,
      ],
      'when a case was opened': [
        `update debates set opened_at = '2020-01-01T00:00:00.000Z' where id = 'case-1'`,
        'case',
        'case-1',
      ],
      'what was said of a claim': [`update corrections set why = 'Because.'`, 'correction', 'case-1'],
      'a line of the audit log': [
        `update audit set who = 'nobody' where who = 'ben'`,
        'audit',
        '20261117T100000000Z-2',
      ],
      'a policy': [`update policies set document = '{}'`, 'policy', policy.hash],
      'who put a policy in force': [`update activations set activated_by = 'ben'`, 'activation', '1'],
      'a precedent': [`update precedents set label = 'safe'`, 'precedent', 'precedent-1'],
    };
    test.each(Object.entries(alterations))(
      'names what was altered by hand: %s',
      async (_, [statement, kind, record]) => {
        await ledger.records.sequence();
        await execute(statement);
        expect(await problemsIn(ledger)).toEqual([{ what: 'altered', kind, record }]);
      },
    );

    test('names what was removed by hand, and what was added', async () => {
      await execute('delete from decisions');
      expect(await problemsIn(ledger)).toEqual([{ what: 'removed', kind: 'decision', record: 'case-1' }]);
      await ledger.decisions.recordDecision({ case: 'case-2', label: 'safe', by: 'ann' });
      await execute(
        `insert into decisions (id, version, case_id, label, decided_by, decided_at)
         values ('dec-forged', 1, 'case-2', 'unsafe', 'ann', '2026-11-17T10:00:00.000Z')`,
      );
      const { problems } = await ledger.records.audit();
      expect(problems.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^The decision dec-\w+ of case-1 was written \(.+\) and is gone; nobody forgot it\.$/),
        'The decision dec-forged of case-2 is in the database, but was never written by Agon.',
      ]);
    });

    test('notices when a leaf is altered along with its record, taken out or cut off', async () => {
      await ledger.records.sequence();
      await execute(`update record_leaves set written_at = '2020-01-01T00:00:00.000Z' where position = 3`);
      expect(await problemsIn(ledger)).toEqual([{ what: 'rewritten' }]);
      await execute('delete from record_leaves where position = 3');
      expect(await problemsIn(ledger)).toContainEqual({ what: 'rewritten' });
      await execute('delete from record_leaves where position >= 3');
      expect(await problemsIn(ledger)).toContainEqual({ what: 'rolled-back' });
    });

    test('holds the trees against roots that are known from elsewhere', async () => {
      await ledger.records.sequence();
      const { trees } = await ledger.records.audit();
      await holdCase(ledger, openedCase('case-3'));
      await ledger.records.sequence();
      const known = trees.map((tree) => ({ ...tree, source: 'checkpoint 1' }));
      expect(await ledger.records.audit({ known })).toMatchObject({ problems: [] });
      const wrong = known.map((tree) => ({ ...tree, root: 'ab'.repeat(32) }));
      expect((await ledger.records.audit({ known: wrong })).problems[0]?.message).toMatch(
        /^The list of what was written in \d{4}-\d\d was rewritten: its entries 1 to 14 .+ checkpoint 1 vouches for\.$/,
      );
      const ahead = known.map((tree) => ({ ...tree, size: 100 }));
      expect((await ledger.records.audit({ known: ahead })).problems).toMatchObject([{ what: 'rolled-back' }]);
      const gone = [{ ...known[0]!, month: '2020-01' }];
      expect((await ledger.records.audit({ known: gone })).problems).toMatchObject([{ what: 'rolled-back' }]);
    });

    test('counts what was forgotten as forgotten, however it was', async () => {
      await ledger.records.sequence();
      await ledger.cases.forgetSubject(openedCase('case-1').subject.hash);
      // Content, answer, edit, correction and precedent.
      expect(await ledger.records.audit()).toMatchObject({ problems: [], forgotten: 5 });
      await ledger.prune({ before: new Date(Date.now() + 60_000), what: 'contents' });
      expect(await ledger.records.audit()).toMatchObject({ problems: [], forgotten: 7 });
      await holdCase(ledger, openedCase('case-1'));
      expect(await ledger.records.audit()).toMatchObject({ problems: [] });
      await ledger.records.sequence();
      await ledger.prune({ before: new Date(Date.now() + 60_000), what: 'cases' });
      expect(await ledger.records.audit()).toMatchObject({ problems: [] });
      await holdCase(ledger, openedCase('case-1'));
      expect(await ledger.records.audit()).toMatchObject({ problems: [] });
    });

    test('notices when what was forgotten is altered, comes back, or was never forgotten', async () => {
      await ledger.prune({ before: new Date(Date.now() + 60_000), what: 'contents' });
      await execute(`update verdicts set label = 'safe' where debate = 'case-2'`);
      expect(await problemsIn(ledger)).toEqual([{ what: 'altered', kind: 'answer', record: 'case-2' }]);
      await execute(`update verdicts set label = 'unsafe' where debate = 'case-2'`);
      await execute('delete from corrections');
      expect(await problemsIn(ledger)).toEqual([{ what: 'removed', kind: 'correction', record: 'case-1' }]);
      await execute(`update record_leaves set salt = null where kind = 'correction'`);
      expect(await problemsIn(ledger)).toEqual([{ what: 'unsalted', kind: 'correction', record: 'case-1' }]);
    });

    test('a debate that was forgotten while it was held is on record as it ended', async () => {
      await ledger.cases.openCase(openedCase('case-4'));
      await ledger.cases.forgetSubject(openedCase('case-4').subject.hash);
      await recordAnswer(ledger, answerTo('case-4'));
      expect(await ledger.records.audit()).toMatchObject({ problems: [] });
    });

    test('nothing is lost where two write and forget while two others give places', async () => {
      const others = await Promise.all([openAgain(), openAgain(), openAgain()]);
      const [second, third, fourth] = others;
      const written = new AbortController();
      const write = async (writer: Ledger, name: string) => {
        for (let index = 0; index < 15; index += 1) {
          const opened = openedCase(`${name}-${index}`);
          await Promise.all([
            holdCase(writer, opened),
            writer.audit.keepEntries([audited(`20261117T11-${name}-${index}`)]),
          ]);
          if (index % 5 === 4) await writer.cases.forgetSubject(opened.subject.hash);
        }
      };
      const sequence = async (sequencer: Ledger) => {
        let placed = 0;
        while (!written.signal.aborted) placed += await sequencer.records.sequence();
        return placed;
      };
      const placing = [sequence(third), sequence(fourth)];
      await Promise.all([write(ledger, 'one'), write(second, 'two')]).finally(() => written.abort());
      const placed = (await Promise.all(placing)).reduce((sum, count) => sum + count, 0);
      const rest = await ledger.records.sequence();
      const report = await ledger.records.audit();
      expect(report).toMatchObject({ problems: [], waiting: 0, forgotten: 12 });
      // For each of 30 content, case, answer and line; for each of 6 that two were forgotten, and what two are now.
      expect(report.leaves).toBe(14 + 30 * 4 + 6 * 4);
      expect(placed + rest).toBe(report.leaves);
      for (const other of others) await other.close();
    });
  });
}
