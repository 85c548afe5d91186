import { randomUUID } from 'node:crypto';
import { openLearning } from '../../app/index.ts';
import { learn } from '../../learning/index.ts';
import { lockLearning } from '../../runs/index.ts';
import { agonHome } from '../../settings/index.ts';
import type { Request } from '../handler.ts';
import { hearWork } from '../trials/run-work.ts';
import type { House } from '../server-context.ts';
import type { Reply } from '../reply.ts';

/** Learns from the mistakes on record, as `agon learn` does; whoever comes while somebody learns is told so at once. */
export async function learnOnServer(request: Request<'learning.learn'>, house: House): Promise<Reply> {
  const { ledger, settings, environment, courts } = house;
  const { all, review = settings.learn?.review, dryRun, limit } = request.body;
  const release = dryRun ? async () => {} : await lockLearning(ledger, agonHome(environment));
  let begun = false;
  try {
    return await hearWork(request, house, {
      key: randomUUID(),
      async run(signal, tell) {
        begun = true;
        let done = 0;
        try {
          const library = await courts.library();
          const learning = await openLearning(settings, ledger, environment, {
            policy: courts.policy(),
            seeds: courts.seeds,
            pool: courts.pool,
            library,
          });
          return await learn({
            ...learning,
            all,
            review,
            dryRun,
            limit,
            signal,
            onProgress: ({ case: id, outcome }) => tell('progress', { done: (done += 1), case: id, outcome }),
          });
        } finally {
          courts.changed();
          await release();
        }
      },
    });
  } catch (error) {
    if (!begun) await release();
    throw error;
  }
}
