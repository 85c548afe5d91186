import { hash, timingSafeEqual } from 'node:crypto';

/** Whether two texts are the same, in a time that does not tell where they differ, nor how long either is. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
