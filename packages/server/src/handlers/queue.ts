import { AgonError } from '@agonhq/engine/agon-error';
import { giveFeedback, type Feedback } from '@agonhq/core/learning';
import type { Case, Ledger, RecordOptions, ReviewFilter, WaitingCase } from '@agonhq/ledger';
import { findRetriedCase } from '@agonhq/core/retrials';
import { describeDecision } from '../event-feed.ts';
import type { Handlers } from '../handler.ts';
import { findCasesAround } from '../cases/cases-around.ts';
import { showReviewItem, showWaitingCase, showMachineOpinion, identifyReviewer } from '../queue/blind-review.ts';
import { replyWithFile } from '../reply.ts';
import type { ServerContext } from '../server-context.ts';

type ReviewOperation = 'queue.list' | 'queue.hold' | 'queue.image' | 'queue.release' | 'queue.decide';

/** What waits for a person. Until they have decided, nothing here tells them what the machine thinks. */
export const queueHandlers: Handlers<ReviewOperation> = {
  async 'queue.list'({ principal, query: { by, limit, after, ...asked } }, { ledger, leases }) {
    const { stage, job, queue, assigned, overdue, sort } = asked;
    const reviewer = identifyReviewer(principal, by);
    const filter: ReviewFilter = {
      job,
      queue,
      by: reviewer,
      ...(assigned === undefined ? {} : { assigned: assigned === 'me' ? reviewer.name : null }),
      ...(overdue ? { dueBefore: new Date() } : {}),
    };
    const [{ rows, next }, counts] = await Promise.all([
      // What is overdue is found in the order of time.
      ledger.reviews.listWaiting({ ...filter, stage }, { limit, after: after ?? null, sort: overdue ? 'due' : sort }),
      ledger.reviews.countWaiting(filter),
    ]);
    const ids = rows.map(({ id }) => id);
    const others = await leases.findOthers(ids, reviewer.name);
    return { rows: rows.map((row) => showWaitingCase(row, others.get(row.id) ?? null)), next, counts };
  },

  async 'queue.hold'({ principal, params, body }, { ledger, leases }) {
    const { name, onceAt } = identifyReviewer(principal, body.by);
    const { found, waiting } = await findWaitingCase(ledger, params.id);
    const decisions = await ledger.decisions.listDecisions(found.id);
    if (onceAt.includes(waiting.stage) && decisions.some(({ by }) => by === name))
      throw new AgonError(
        'decided-already',
        `${name} has already decided case ${found.id}.`,
        'Take another one: the next decision is another person’s.',
      );
    return {
      ...showReviewItem(waiting, found, decisions, await leases.take(found.id, name)),
      around: await findCasesAround(ledger, found),
    };
  },

  async 'queue.image'({ params }, { ledger }) {
    const { found } = await findWaitingCase(ledger, params.id);
    const image = found.attachments.some(({ hash }) => hash === params.hash)
      ? await ledger.attachments.openAttachment(params.hash)
      : undefined;
    if (!image)
      throw new AgonError(
        'unknown-attachment',
        `Case ${params.id} has no image ${params.hash}.`,
        'The answer to POST /api/queue/{id}/hold names them.',
      );
    return replyWithFile(image);
  },

  async 'queue.release'({ principal, params, query }, { ledger, leases }) {
    const { id } = await findQueuedCase(ledger, params.id);
    await leases.release(id, identifyReviewer(principal, query.by).name);
    return null;
  },

  async 'queue.decide'({ principal, params, body: { by, ...given }, once }, context) {
    const found = await findQueuedCase(context.ledger, params.id);
    const decided = await recordReview(context, found.id, given, identifyReviewer(principal, by), { once });
    return { ...decided, machine: showMachineOpinion(found) };
  },
};

/** Records what a reviewer decided, tells everybody, and puts the case back. */
export async function recordReview(
  { jobs, ledger, leases, feed, settings }: Pick<ServerContext, 'jobs' | 'ledger' | 'leases' | 'feed' | 'settings'>,
  id: string,
  said: Pick<Feedback, 'label' | 'why' | 'clause' | 'action'>,
  { name, onceAt }: ReturnType<typeof identifyReviewer>,
  options: Pick<RecordOptions, 'onlyUndecided' | 'once'>,
) {
  const given = await giveFeedback(
    jobs,
    ledger,
    { case: id, ...said, by: name },
    { secondReview: settings.server?.secondReview, onceAt, onlyWaiting: true, ...options },
  );
  const { repeated, ...decided } = given;
  if (!repeated) feed.publish(describeDecision(given));
  await leases.release(id, name);
  return { ...decided, stage: (await ledger.reviews.findStage(id)) ?? ('done' as const) };
}

export async function findWaitingCase(ledger: Ledger, id: string): Promise<{ found: Case; waiting: WaitingCase }> {
  const found = await findQueuedCase(ledger, id);
  if (found.forgottenAt !== null)
    throw new AgonError(
      'forgotten-case',
      `What case ${found.id} judged was forgotten on ${found.forgottenAt.toISOString().slice(0, 10)}.`,
      'Take another one: GET /api/queue.',
    );
  const waiting = await ledger.reviews.findWaiting(found.id);
  if (!waiting)
    throw new AgonError(
      'not-waiting',
      `Case ${found.id} needs no review: the machine is sure of it, or people have settled it.`,
      'Take another one: GET /api/queue. Feedback can be given on any case.',
    );
  return { found, waiting };
}

export async function findQueuedCase(ledger: Ledger, id: string): Promise<Case> {
  const found = await findRetriedCase(ledger, id);
  if (found) return found;
  throw new AgonError('unknown-case', `There is no case ${id}.`, 'GET /api/queue lists those that wait.');
}
