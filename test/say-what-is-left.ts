import { missingChromium } from './support/chromium.ts';

/* After `npm test`: the tests that it does not run, and what they need. */

console.log(`\nThe pages are tested in a browser: npm run test:browser. ${missingChromium() ?? ''}`.trimEnd());
