import { client } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import type { QueueDecided } from '../../api/types.ts';
import { queueChanged } from './queue-query.ts';
import { reviewSession, type Unsent } from './review-session.ts';

/** Sends a decision. One that the server did not hear is kept, to be sent again; sent twice, it is on record once. */
export async function sendDecision(unsent: Unsent): Promise<QueueDecided> {
  try {
    const decided = await client.queue.decide(unsent.id, { ...unsent.decision, ...unsent.by });
    reviewSession.sent(unsent.id);
    void queueChanged();
    return decided;
  } catch (error) {
    const { status } = problemOf(error);
    if (status === null || status >= 500) reviewSession.keepUnsent(unsent);
    else reviewSession.dropUnsent(unsent.id);
    throw error;
  }
}
