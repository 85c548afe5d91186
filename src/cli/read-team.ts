import { findLedgerPlace, locateTeam, openLedger, parseLedgerPlace, type LedgerPlace } from '../ledger/index.ts';
import { AgonError } from '../errors.ts';
import type { Settings } from '../settings/index.ts';
import { applyTeam } from '../teams/index.ts';

/** Where the installation's own ledger lies. */
export function locateInstallation({ ledger }: Pick<Settings, 'ledger'>): LedgerPlace {
  return ledger === undefined || ledger === false ? findLedgerPlace(process.env) : parseLedgerPlace(ledger);
}

/** The settings with which a command works for a team: its own over those of the installation, on its ledger. */
export async function readTeamLayer(name: string, installation: Settings): Promise<Settings> {
  if (installation.ledger === false)
    throw new AgonError('no-ledger', 'Teams are kept in a ledger, and it is turned off.', 'Leave out --no-ledger.');
  const place = locateInstallation(installation);
  const own = locateTeam(place, name);
  const ledger = await openLedger(place);
  try {
    const team = await ledger.teams.findTeam(name);
    if (!team)
      throw new AgonError(
        'unknown-team',
        `There is no team ${name} here.`,
        'agon teams lists those there are; agon teams add NAME adds one.',
      );
    return { ...applyTeam(installation, team), ledger: 'url' in own ? own.url : own.file };
  } finally {
    await ledger.close();
  }
}
