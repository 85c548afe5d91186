import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger, NewCorrection } from '@agonhq/ledger';
import { exportedText, holdCase, openedCase } from './ledger-cases.ts';
import type { LedgerMaker } from './ledger-contract.ts';

const said = (change: Partial<NewCorrection> = {}): NewCorrection => ({
  case: 'case-1',
  claim: 'claim-02',
  text: 'The margin improved to 45 %.',
  verdict: 'contradicted',
  label: 'supported',
  why: 'It is the margin\0 before freight.',
  by: 'ann',
  matter: { statements: ['ratio(Gross profit[FY2024], Revenue[FY2024])'] },
  ...change,
});

/** What every ledger does with what people say of claims. */
export function correctionsContract(maker: LedgerMaker): void {
  describe('corrections', () => {
    let ledger: Ledger;
    beforeEach(async () => {
      ledger = await maker.make();
    });
    afterEach(() => ledger.close());
    const subject = { hash: 'sha256:report', content: { documents: [] } };

    test('the same is recorded once, a later one stands, a withdrawn one stays on record', async () => {
      await holdCase(ledger, openedCase('case-1', { subject }));
      const first = await ledger.corrections.recordCorrection(said());
      expect(first).toMatchObject({ ...said(), why: 'It is the margin� before freight.', withdrawn: null });
      expect(await ledger.corrections.recordCorrection(said())).toEqual(first);
      const second = await ledger.corrections.recordCorrection(said({ label: 'mixed', by: 'ben' }));
      const beside = await ledger.corrections.recordCorrection(said({ claim: 'claim-03' }));
      expect(await ledger.corrections.listCorrections({ case: 'case-1' })).toEqual([first, second, beside]);
      expect(await ledger.corrections.listCorrections({ standing: true })).toEqual([second, beside]);
      expect(await ledger.corrections.listCorrections({ job: 'nothing' })).toEqual([]);

      const withdrawn = await ledger.corrections.withdrawCorrection(second.id, { by: 'ben', why: 'I misread it.' });
      expect(withdrawn).toEqual({
        ...second,
        withdrawn: { by: 'ben', why: 'I misread it.', at: expect.any(Date) as Date },
      });
      expect(await ledger.corrections.withdrawCorrection(second.id, { by: 'eve', why: null })).toEqual(withdrawn);
      expect(await ledger.corrections.listCorrections({ standing: true })).toEqual([first, beside]);
      expect(await ledger.corrections.findCorrection(second.id)).toEqual(withdrawn);
      expect(await ledger.readStats()).toMatchObject({ corrections: 3 });
      await expect(ledger.corrections.withdrawCorrection('cor-0', { by: 'ben', why: null })).rejects.toMatchObject({
        code: 'unknown-correction',
      });
      await expect(ledger.corrections.recordCorrection(said({ case: 'nobody' }))).rejects.toMatchObject({
        code: 'unknown-case',
      });
    });

    test('go with an export, and are forgotten with what they are about', async () => {
      const soon = new Date(Date.now() + 60_000);
      await holdCase(ledger, openedCase('case-1', { subject }));
      const kept = await ledger.corrections.recordCorrection(said());
      const gone = await ledger.corrections.recordCorrection(said({ claim: 'claim-03' }));
      await ledger.corrections.withdrawCorrection(gone.id, { by: 'ann', why: null });
      const exported = await exportedText(ledger);
      for (const one of [kept, gone]) expect(exported).toContain(`"id":"${one.id}"`);

      await ledger.prune({ before: soon, what: 'contents' });
      expect(await ledger.corrections.findCorrection(kept.id), 'what was learnt outlives the content').toEqual(kept);
      await ledger.cases.forgetSubject(subject.hash);
      expect(await ledger.corrections.listCorrections()).toEqual([]);
      expect(await exportedText(ledger)).not.toContain('45 %');
    });
  });
}
