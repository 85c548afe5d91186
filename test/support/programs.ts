import { describe, test } from 'vitest';
import { isWhole } from './slow.ts';

/**
 * Whether there is what `npm ci` does not bring: curl, ffmpeg, kcat. `npm run test:all` says which of them is missing
 * before it begins (test/say-what-is-missing.ts); `npm test` does without.
 */
export const hasPrograms = isWhole;
export const testWithPrograms = test.skipIf(!hasPrograms);
export const describeWithPrograms = describe.skipIf(!hasPrograms);
