import path from 'node:path';
import { agonHome } from '../agon-home.ts';

export type PartsEnvironment = Record<string, string | undefined>;

/** Where added parts lie: AGON_PARTS, or `parts` in Agon's own folder. */
export function partsFolder(environment: PartsEnvironment): string {
  return environment['AGON_PARTS'] || path.join(agonHome(environment), 'parts');
}

/** Where an added part lies. */
export function partFolder({ id, version }: { id: string; version: string }, environment: PartsEnvironment): string {
  return path.join(partsFolder(environment), `${id}-${version}`);
}
