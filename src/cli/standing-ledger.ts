import { existsSync } from 'node:fs';
import { AgonError } from '../errors.ts';
import { ledgerPlace, openLedger, placeOf, type Ledger } from '../ledger/index.ts';
import type { Settings } from '../settings/index.ts';
import { installationSettingsFor, type SettingsFlags } from './settings-flags.ts';

/** The flags of every command that looks into the ledger. */
export type LedgerFlags = Pick<SettingsFlags, 'config' | 'ledger' | 'cache' | 'budgetUsd' | 'runBudgetUsd'>;

/**
 * Opens the ledger, does something with it, and closes it. Only a command that writes makes one where there is none.
 */
export async function withStandingLedger<Result>(
  flags: LedgerFlags,
  work: (ledger: Ledger, settings: Settings) => Promise<Result>,
  { make = false } = {},
): Promise<Result> {
  const settings = await installationSettingsFor(flags);
  if (settings.ledger === false)
    throw new AgonError('no-ledger', 'No ledger is kept: the settings say so.', 'Name one with --ledger FILE.');
  const place = settings.ledger === undefined ? ledgerPlace(process.env) : placeOf(settings.ledger);
  if (!make && 'file' in place && !existsSync(place.file)) {
    throw new AgonError(
      'no-ledger',
      `There is no ledger ${place.file} yet.`,
      'It is made when something is judged; --ledger FILE names another.',
    );
  }
  const ledger = await openLedger(place);
  try {
    return await work(ledger, settings);
  } finally {
    await ledger.close();
  }
}
