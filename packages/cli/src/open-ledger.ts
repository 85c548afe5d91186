import { existsSync } from 'node:fs';
import { AgonError } from '@agonhq/engine/agon-error';
import { findLedgerPlace, openLedger, withRetries, type Ledger, type LedgerPlace } from '@agonhq/ledger';
import type { Settings } from '@agonhq/core/settings';
import { formatError } from './print-error.ts';
import { readInstallation, type CommandSettings, type SettingsFlags } from './read-settings.ts';

/** The flags of every command that works on records in the ledger. */
export type LedgerFlags = Pick<
  SettingsFlags,
  'config' | 'team' | 'job' | 'ledger' | 'cache' | 'budgetUsd' | 'runBudgetUsd'
>;

/** The ledger that a command works on, the settings of the installation, and the jobs that there are. */
export interface OpenLedger extends CommandSettings {
  ledger: Ledger;
}

/** Opens the ledger, does something with it, and closes it. Only with `create` it is made where there is none. */
export async function withLedger<Result>(
  flags: LedgerFlags,
  work: (ledger: Ledger, given: CommandSettings) => Promise<Result>,
  { create = false } = {},
): Promise<Result> {
  const given = await readInstallation(flags);
  const ledger = tellUpgrade(await openLedger(requirePlace(given.settings, { create })));
  try {
    return await work(ledger, given);
  } finally {
    await ledger.close();
  }
}

/** Where the ledger of a command is. Only with `create` there need not be any yet. */
export function requirePlace(settings: Settings, { create }: { create: boolean }): LedgerPlace {
  if (settings.ledger === false)
    throw new AgonError('no-ledger', 'The settings turn the ledger off.', 'Name a ledger with --ledger FILE.');
  const place = locateLedger(settings);
  if (create || !('file' in place) || existsSync(place.file)) return place;
  throw new AgonError(
    'no-ledger',
    `There is no ledger ${place.file} yet.`,
    'Judge something to create it, or name another with --ledger FILE.',
  );
}

/** The ledger that was named, or the installation's own. */
export function locateLedger({ ledger }: Pick<Settings, 'ledger'>): LedgerPlace {
  return findLedgerPlace(process.env, ledger);
}

/** The ledger that a run is kept in: without one it could not be resumed. */
export async function openRunLedger(settings: Settings): Promise<Ledger> {
  if (settings.ledger === false)
    throw new AgonError(
      'no-ledger',
      'A run needs a ledger, and it is turned off.',
      'Leave out --no-ledger and AGON_LEDGER=false, or judge a file without a record: agon moderate --file FILE.',
    );
  return waitForServer(tellUpgrade(await openLedger(locateLedger(settings))));
}

/** Says that a ledger of an older schema was brought up to date. */
export function tellUpgrade(opened: Ledger): Ledger {
  if (opened.upgradedFrom !== null)
    process.stderr.write(`agon: the ledger was of schema ${opened.upgradedFrom} and was brought up to date.\n`);
  return opened;
}

/** A server that restarts is waited for; a file is there or it is not. */
export function waitForServer(opened: Ledger): Ledger {
  return opened.kind === 'postgresql'
    ? withRetries(opened, {
        onWait: (error) => process.stderr.write(`agon: waiting for the ledger. ${formatError(error)}\n`),
      })
    : opened;
}

/** The ledger that records a bench. The one that was named must open; figures do not depend on the default one. */
export async function openBenchLedger(settings: Settings): Promise<Ledger | null> {
  if (settings.ledger === false) return null;
  try {
    return await openLedger(locateLedger(settings));
  } catch (error) {
    if (settings.ledger !== undefined || !AgonError.is(error)) throw error;
    process.stderr.write(`agon: the bench is not recorded. ${formatError(error)}\n`);
    return null;
  }
}
