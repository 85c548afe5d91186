import { existsSync } from 'node:fs';
import { AgonError } from '../errors.ts';
import { findLedgerPlace, openLedger, parseLedgerPlace, type Ledger, withRetries } from '../ledger/index.ts';
import type { Settings } from '../settings/index.ts';
import { readInstallationSettings, type SettingsFlags } from './settings-flags.ts';
import { formatError } from './print-error.ts';

/** The flags of every command that looks into the ledger. */
export type LedgerFlags = Pick<SettingsFlags, 'config' | 'ledger' | 'cache' | 'budgetUsd' | 'runBudgetUsd'>;

/**
 * Opens the ledger, does something with it, and closes it. Only a command that writes makes one where there is none.
 */
export async function withLedger<Result>(
  flags: LedgerFlags,
  work: (ledger: Ledger, settings: Settings) => Promise<Result>,
  { make = false } = {},
): Promise<Result> {
  const settings = await readInstallationSettings(flags);
  if (settings.ledger === false)
    throw new AgonError('no-ledger', 'No ledger is kept: the settings say so.', 'Name one with --ledger FILE.');
  const place = settings.ledger === undefined ? findLedgerPlace(process.env) : parseLedgerPlace(settings.ledger);
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

/** The ledger that a run is kept in: without one there would be nothing to resume. */
export async function openRunLedger({ ledger }: Settings): Promise<Ledger> {
  if (ledger === false)
    throw new AgonError(
      'no-ledger',
      'A run is kept in a ledger, and none is to be kept.',
      'Leave --no-ledger out (and AGON_LEDGER=false), or judge a file without a record: agon moderate --file.',
    );
  return waitForServer(
    await openLedger(ledger === undefined ? findLedgerPlace(process.env) : parseLedgerPlace(ledger)),
  );
}

/** A server that restarts is waited for; a file is there or it is not. */
export function waitForServer(opened: Ledger): Ledger {
  return opened.kind === 'postgresql'
    ? withRetries(opened, {
        onWait: (error) => process.stderr.write(`agon: waiting for the ledger. ${formatError(error)}\n`),
      })
    : opened;
}

/**
 * The ledger that a bench is kept in: the one that was named, which must open; else the installation's own, without
 * which figures are as good.
 */
export async function openBenchLedger({ ledger }: Settings): Promise<Ledger | null> {
  if (ledger === false) return null;
  if (ledger !== undefined) return openLedger(parseLedgerPlace(ledger));
  try {
    return await openLedger(findLedgerPlace(process.env));
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    process.stderr.write(`agon: the bench is not kept on record. ${formatError(error)}\n`);
    return null;
  }
}
