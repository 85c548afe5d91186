import { expect } from 'vitest';
import { replaceParts, type Ledger } from '@agonhq/ledger';

/** A ledger that is audited when it is closed: whatever a test has written, every record has its leaf. */
export function withAudit(ledger: Ledger): Ledger {
  return replaceParts(ledger, {
    close: () => async () => {
      const { problems } = await ledger.records.audit();
      await ledger.close();
      expect(problems).toEqual([]);
    },
  });
}
