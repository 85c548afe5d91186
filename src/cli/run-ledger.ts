import { AgonError } from '../errors.ts';
import { ledgerPlace, openLedger, patiently, placeOf, type Ledger } from '../ledger/index.ts';
import type { Settings } from '../settings/index.ts';
import { errorLine } from './print-error.ts';

/** The ledger that a run is kept in: without one there would be nothing to resume. */
export async function openRunLedger({ ledger }: Settings): Promise<Ledger> {
  if (ledger === false)
    throw new AgonError(
      'no-ledger',
      'A run is kept in a ledger, and none is to be kept.',
      'Leave --no-ledger out (and AGON_LEDGER=false), or judge a file without a record: agon moderate --file.',
    );
  return waitedFor(await openLedger(ledger === undefined ? ledgerPlace(process.env) : placeOf(ledger)));
}

/** A server that restarts is waited for; a file is there or it is not. */
export function waitedFor(opened: Ledger): Ledger {
  return opened.kind === 'postgresql'
    ? patiently(opened, {
        onWait: (error) => process.stderr.write(`agon: waiting for the ledger. ${errorLine(error)}\n`),
      })
    : opened;
}
