import { ask, readBodies } from './captured-bodies.ts';
import { serveMeasurements } from './measure.ts';

/*
 * The floor: the same calls with plain fetch and nothing around them. Arguments: the provider's URL, the order of
 * turns, the bodies.
 */

const [url, turns, file] = process.argv.slice(2) as [string, 'together' | 'alternate', string];
const { supporter, strict, loose, arbiter } = await readBodies(file);
serveMeasurements(async () => {
  await ask(url, supporter);
  for (const round of [0, 1] as const) {
    if (turns === 'together') await Promise.all([ask(url, strict[round]), ask(url, loose[round])]);
    else {
      await ask(url, strict[round]);
      await ask(url, loose[round]);
    }
  }
  await ask(url, arbiter);
});
