import { createAgon, type Settings } from '@agonhq/core';
import { openLedger } from '@agonhq/ledger';
import { libraryOf } from './bench-settings.ts';
import { mediumPost } from './cases/index.ts';

/*
 * Judges without a pause in a process of its own and counts. Arguments: the provider's URL, the job, calls at once, the
 * ledger's file or nothing.
 */

export interface Count {
  calls: number;
  wallMs: number;
  cpuMs: number;
}

const [url, job, atOnce, file] = process.argv.slice(2) as [string, 'debate' | 'judge', string, string | undefined];
const settings: Settings = {
  seats: { debaters: 'fake:model', arbiter: 'fake:model', judge: 'fake:model' },
  providers: { fake: { baseUrl: `${url}/v1` } },
  // The model's limit is what the ideal is counted from; there is always somebody who waits for it.
  defaults: { concurrency: Number(atOnce), retries: 0 },
  moderation: { earlyStop: false },
  evaluation: { method: 'judge' },
};
const ledger = file ? await openLedger({ file }) : undefined;
const agon = await createAgon(settings, {
  environment: {},
  secret: 'bench',
  precedents: libraryOf([]),
  ...(ledger ? { ledger } : {}),
});
const { text } = mediumPost.content;
const stop = new AbortController();

/** Items that are worked on: a debate waits for its turns, so more of them than calls keep the model busy. */
const lanes = Array.from({ length: Number(atOnce) * 2 }, async (_, lane) => {
  for (let index = 0; !stop.signal.aborted; index++) {
    const words = `${text} (${lane}, ${index})`;
    const answer =
      job === 'debate'
        ? await agon.moderate({ text: words })
        : await agon.evaluate({ prompt: 'What do you make of this?', response: words });
    if (answer.verdict.degraded.length > 0)
      throw new Error(`a degraded answer: ${JSON.stringify(answer.verdict.degraded)}`);
  }
});

process.on('message', (milliseconds: number) => void count(milliseconds).then((counted) => process.send!(counted)));
process.on('disconnect', () => {
  stop.abort();
  void Promise.all(lanes).then(() => ledger?.close());
});
process.send!('ready');

async function count(milliseconds: number): Promise<Count> {
  const before = agon.spent().calls;
  const cpu = process.cpuUsage();
  const started = performance.now();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const { user, system } = process.cpuUsage(cpu);
  return { calls: agon.spent().calls - before, wallMs: performance.now() - started, cpuMs: (user + system) / 1_000 };
}
