import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import type { TeamRow } from '@agonhq/ledger';
import { listSettings, mergeSettings, readSettings, type Settings } from '../settings/index.ts';

/**
 * What a team may set for itself, beside the blocks of jobs: how it judges, what that may cost, how long it is kept.
 */
const own = [
  /^seats\./,
  /^(sensitivity|embedding)$/,
  /^(budget|defaults|models|learn|statements)(\.|$)/,
  /^server\.(concurrency|queue|ratePerMinute|secondReview|keepContentsDays|keepCasesDays|webhooks)$/,
];

/**
 * Reads what a team sets otherwise than its installation. Addresses and keys of providers, the server itself and files
 * of the machine are the installation's.
 */
export function readTeamSettings(jobs: Jobs, value: unknown, origin: string): Settings {
  const settings = readSettings(jobs, value ?? {}, origin);
  for (const place of listPlaces(settings))
    if (!isOwn(jobs, place))
      throw new AgonError(
        'bad-settings',
        `${origin}: ${place} is for the installation to set, not for a team.`,
        'A team sets seats, sensitivity, budget, defaults, models, learn, statements, the blocks of jobs, and of ' +
          'server: concurrency, queue, ratePerMinute, secondReview, keepContentsDays, keepCasesDays, webhooks.',
      );
  return settings;
}

function isOwn(jobs: Jobs, place: string): boolean {
  const row = listSettings(jobs).find((setting) => setting.path === place || place.startsWith(`${setting.path}.`));
  if (row?.notes.isPath) return false;
  return (row?.job ?? null) !== null || own.some((pattern) => pattern.test(place));
}

/** Where something is set: `budget.runUsd`. */
function listPlaces(value: unknown, names: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [names.join('.')];
  const here = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return here.flatMap(([name, inner]) => listPlaces(inner, [...names, name]));
}

/**
 * The settings of a team: those of its installation, with its own over them. The policy is the team's, which it puts in
 * force on its ledger; a folder of answers is one of its own.
 */
export function applyTeam(jobs: Jobs, installation: Settings, team: Pick<TeamRow, 'name' | 'settings'>): Settings {
  const { policy: _, ledger: __, teams: ___, server: { webhooks: ____, ...server } = {}, ...shared } = installation;
  const cache =
    typeof shared.cache === 'object'
      ? { directory: path.join(shared.cache.directory, `team-${team.name}`) }
      : shared.cache;
  return mergeSettings({ ...shared, cache, server }, readTeamSettings(jobs, team.settings, `team ${team.name}`));
}
