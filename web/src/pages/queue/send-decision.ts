import { client } from '../../api/client.ts';
import { describeProblem } from '../../api/problem.ts';
import type { QueueDecided } from '../../api/types.ts';
import { invalidateQueue } from './queue-query.ts';
import { reviewSession, type Unsent } from './review-session.ts';

/** Sends a decision. One that the server did not hear is kept, to be sent again; sent twice, it is on record once. */
export async function sendDecision(unsent: Unsent): Promise<QueueDecided> {
  try {
    const decided = await client.queue.decide(unsent.id, { ...unsent.decision, ...unsent.by });
    reviewSession.sent(unsent.id);
    void invalidateQueue();
    return decided;
  } catch (error) {
    const { status } = describeProblem(error);
    if (status === null || status >= 500) reviewSession.keepUnsent(unsent);
    else reviewSession.dropUnsent(unsent.id);
    throw error;
  }
}
