import { findLedgerPlace, locateTeam, openLedger } from '@agonhq/ledger';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import type { Settings } from '@agonhq/core/settings';
import { applyTeam } from '@agonhq/core/teams';

/** The settings with which a command works for a team: its own over those of the installation, on its ledger. */
export async function readTeamLayer(jobs: Jobs, name: string, installation: Settings): Promise<Settings> {
  if (installation.ledger === false)
    throw new AgonError('no-ledger', 'Teams are kept in a ledger, and it is turned off.', 'Leave out --no-ledger.');
  const place = findLedgerPlace(process.env, installation.ledger);
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
    return { ...applyTeam(jobs, installation, team), ledger: 'url' in own ? own.url : own.file };
  } finally {
    await ledger.close();
  }
}
