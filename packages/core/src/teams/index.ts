export { applyTeam, readTeamSettings } from './team-settings.ts';
