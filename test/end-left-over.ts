import { afterAll, afterEach } from 'vitest';
import { endAll, leftOver } from './support/left-over.ts';

/* Set up for every file anew; modules that files share are loaded once for many of them. */

afterEach(() => endAll(leftOver.ofTest));
afterAll(() => endAll(leftOver.ofFile), 60_000);
