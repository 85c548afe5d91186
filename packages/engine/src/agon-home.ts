import { homedir } from 'node:os';
import path from 'node:path';

/** Agon's own folder: AGON_HOME, or ~/.agon. */
export function agonHome(environment: Record<string, string | undefined>): string {
  return environment['AGON_HOME'] || path.join(homedir(), '.agon');
}
