import path from 'node:path';
import { AgonError } from '@agonhq/engine/agon-error';
import type { LedgerPlace } from '../open-ledger.ts';

const namePattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const longestName = 24;

/** A process may have many teams open: each has fewer connections than a ledger alone. */
export const teamConnections = 4;

/** Whether a text can be the name of a team: it is part of keys, of files and of the names of schemas. */
export function isTeamName(text: string): boolean {
  return text.length <= longestName && namePattern.test(text);
}

export function assertTeamName(text: string): void {
  if (!isTeamName(text))
    throw new AgonError(
      'bad-team-name',
      `${JSON.stringify(text)} is no name for a team.`,
      `Use at most ${longestName} small letters, digits and single hyphens, beginning with a letter: acme, trust-2.`,
    );
}

/**
 * The schema of a team's ledger. A name has no underscore: with two for a hyphen, no name has what is added for queues.
 */
export function nameTeamSchema(team: string): string {
  return `agon_team_${team.replaceAll('-', '__')}`;
}

/** Where the ledger of a team lies: in a schema of the same database, or in a file beside that of the installation. */
export function locateTeam(place: LedgerPlace, team: string): LedgerPlace {
  assertTeamName(team);
  if ('file' in place) {
    const { dir, name, ext } = path.parse(place.file);
    return { file: path.join(dir, `${name}.team-${team}${ext}`) };
  }
  const url = new URL(place.url);
  // The last one counts. Nothing else is on the path: what a team has not cannot be found with another.
  const options = [url.searchParams.get('options'), `-c search_path=${nameTeamSchema(team)}`].filter(Boolean);
  url.searchParams.set('options', options.join(' '));
  return { url: url.href.replaceAll('+', '%20') };
}

export function unknownTeam(name: string): AgonError {
  return new AgonError(
    'unknown-team',
    `There is no team ${JSON.stringify(name)}.`,
    'agon teams lists those there are.',
  );
}

export function teamExists(name: string): AgonError {
  return new AgonError(
    'team-exists',
    `There is a team ${name} already.`,
    `agon teams set ${name} --settings FILE changes it.`,
  );
}
