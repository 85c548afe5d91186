import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

let before = Promise.resolve();

/**
 * A turn of the loop for the caller alone: those who ask together would follow each other within one, and whoever
 * else waits after them all.
 */
export function waitForOwnTurn(): Promise<void> {
  return (before = before.then(() => turnOfTheLoop()));
}
