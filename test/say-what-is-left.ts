import { missingChromium } from './support/chromium.ts';

/* After `npm test`: the tests that it does not run, and what they need. */

console.log('\nWhat takes long or needs ffmpeg or kcat is left for npm run test:all; test/README.md lists it.');
console.log(`The pages are tested in a browser: npm run test:browser. ${missingChromium() ?? ''}`.trimEnd());
