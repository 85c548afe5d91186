import type { Ledger } from './ledger.ts';
import type { LedgerPlace } from './ledger-place.ts';

/**
 * Opens the ledger, makes it where there is none, and brings an older one up to date. The database's own code is
 * loaded only now.
 *
 * @example const ledger = await openLedger({ file: 'ledger.sqlite' })
 */
export async function openLedger(place: LedgerPlace): Promise<Ledger> {
  const { ledgerOn } = await import('./ledger-on.ts');
  if ('file' in place) return ledgerOn(await (await import('./sqlite/open-sqlite.ts')).openSqlite(place));
  return ledgerOn(await (await import('./postgres/open-postgres.ts')).openPostgres(place.url));
}
