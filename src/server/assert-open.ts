import { AgonError } from '../errors.ts';
import type { House } from './server-context.ts';

/** Throws when the server is about to stop: nothing new is begun. */
export function assertOpen({ draining }: Pick<House, 'draining'>): void {
  if (draining.aborted)
    throw new AgonError('draining', 'The server is about to stop.', 'Ask again: another will answer.');
}
