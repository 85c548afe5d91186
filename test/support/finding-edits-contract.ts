import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FindingEdit } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { exportedText, holdCase, openedCase } from './ledger-cases.ts';
import type { LedgerMaker } from './ledger-contract.ts';

const edited = (change: Partial<FindingEdit> = {}): FindingEdit => ({
  case: 'case-1',
  finding: 'claim-02',
  wording: 'The margin is 41 %.',
  note: 'Ask the\0 auditor.',
  leftOut: false,
  by: 'ann',
  at: new Date('2026-11-17T10:00:00Z'),
  ...change,
});

/** What every ledger does with what people make of findings. */
export function findingEditsContract(maker: LedgerMaker): void {
  describe('edits of findings', () => {
    let ledger: Ledger;
    beforeEach(async () => {
      ledger = await maker.make();
    });
    afterEach(() => ledger.close());
    const subject = { hash: 'sha256:report', content: { documents: [] } };
    const kept = { ...edited(), note: 'Ask the� auditor.' };

    test('the last word on a finding stands, and one that says nothing takes it away', async () => {
      await holdCase(ledger, openedCase('case-1', { subject }));
      await ledger.findings.editFinding(edited({ wording: 'Wrong.' }));
      await ledger.findings.editFinding(edited());
      const beside = edited({ finding: 'number-3', wording: null, note: null, leftOut: true, by: 'ben' });
      await ledger.findings.editFinding(beside);
      expect(await ledger.findings.listEdits('case-1')).toEqual([kept, beside]);
      await ledger.findings.editFinding({ ...beside, leftOut: false });
      expect(await ledger.findings.listEdits('case-1')).toEqual([kept]);
      await expect(ledger.findings.editFinding(edited({ case: 'nobody' }))).rejects.toMatchObject({
        code: 'unknown-case',
      });
    });

    test('go with an export, and are forgotten and pruned with the content', async () => {
      const edit = async () => {
        await holdCase(ledger, openedCase('case-1', { subject }));
        await ledger.findings.editFinding(edited());
        await ledger.findings.editFinding(edited({ finding: 'claim-03', leftOut: true }));
      };
      await edit();
      expect(await exportedText(ledger)).toContain('41 %');
      await ledger.prune({ before: new Date(Date.now() + 60_000), what: 'contents' });
      expect(await ledger.findings.listEdits('case-1')).toEqual([]);

      await edit();
      await ledger.cases.forgetSubject(subject.hash);
      expect(await ledger.findings.listEdits('case-1')).toEqual([]);
      expect(await exportedText(ledger)).not.toContain('41 %');
    });
  });
}
