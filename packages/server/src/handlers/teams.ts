import { unknownTeam, type TeamRow } from '@agonhq/ledger';
import { readTeamSettings } from '@agonhq/core/teams';
import type { GroupOf, Handlers } from '../handler.ts';
import { noTeamsHere, type ServerContext } from '../server-context.ts';

/** The teams of the installation, for whoever runs it. */
export const teamHandlers: Handlers<GroupOf<'teams'>> = {
  async 'teams.list'(_, context) {
    assertInstallation(context);
    return { rows: (await context.ledger.teams.listTeams()).map(showTeam) };
  },

  async 'teams.get'({ params: { team } }, context) {
    assertInstallation(context);
    const row = await context.ledger.teams.findTeam(team);
    if (!row) throw unknownTeam(team);
    return showTeam(row);
  },

  async 'teams.create'({ body: { name, settings } }, context) {
    assertInstallation(context);
    const opened = await context.addTeam(name, readTeamSettings(context.jobs, settings, 'settings'));
    const { key } = await opened.keys.create({ name: 'admin', scopes: ['admin'] });
    return { ...showTeam((await context.ledger.teams.findTeam(name))!), key };
  },
};

/** A team knows of no other, nor of itself as one of several. */
function assertInstallation({ team }: Pick<ServerContext, 'team'>): void {
  if (team !== null) throw noTeamsHere();
}

function showTeam({ name, settings, createdAt }: TeamRow) {
  return { name, settings: settings as Record<string, unknown>, createdAt: createdAt.toISOString() };
}
