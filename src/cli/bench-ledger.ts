import { AgonError } from '../errors.ts';
import { ledgerPlace, openLedger, placeOf, type Ledger } from '../ledger/index.ts';
import type { Settings } from '../settings/index.ts';
import { errorLine } from './print-error.ts';

/**
 * The ledger that a bench is kept in: the one that was named, which must open; else the installation's own, without
 * which figures are as good.
 */
export async function openBenchLedger({ ledger }: Settings): Promise<Ledger | null> {
  if (ledger === false) return null;
  if (ledger !== undefined) return openLedger(placeOf(ledger));
  try {
    return await openLedger(ledgerPlace(process.env));
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    process.stderr.write(`agon: the bench is not kept on record. ${errorLine(error)}\n`);
    return null;
  }
}
