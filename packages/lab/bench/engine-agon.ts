import { createAgon } from '@agonhq/core';
import { benchSettings } from './bench-settings.ts';
import { mediumPost } from './cases/index.ts';
import { serveMeasurements } from './measure.ts';

/* Agon's own debate, measured in a process of its own. Arguments: the provider's URL, and the order of turns. */

const [url, turns] = process.argv.slice(2) as [string, 'together' | 'alternate'];
const agon = await createAgon(benchSettings(url, turns), { environment: {}, secret: 'bench' });
serveMeasurements(async (index) => {
  const answer = await agon.moderate({ text: `${mediumPost.content.text} (${index})` });
  if (answer.usage.calls !== 6 || answer.verdict.degraded.length > 0)
    throw new Error(`a debate of ${answer.usage.calls} calls, degraded or not full`);
});
