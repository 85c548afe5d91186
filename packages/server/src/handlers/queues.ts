import { readPages } from '@agonhq/core/async-items';
import { AgonError } from '@agonhq/engine/agon-error';
import {
  unknownQueue,
  type Ledger,
  type QueueCounts,
  type ReviewQueue,
  type SampleQuality,
  type WaitingCase,
} from '@agonhq/ledger';
import { embedCentred } from '@agonhq/models/reasoners';
import { wilsonInterval } from '@agonhq/engine/statistics';
import type { GroupOf, Handlers } from '../handler.ts';
import type { ServerContext } from '../server-context.ts';
import { findAlikeCases } from '../queue/alike-cases.ts';
import { identifyReviewer, showWaitingCase } from '../queue/blind-review.ts';
import { findQueuedCase, findWaitingCase, recordReview } from './queue.ts';

type AssigningOperation = 'queue.next' | 'queue.assign' | 'queue.alike' | 'queue.decideMany';

/** Somebody at another server may take it at the same moment: then it is theirs. */
async function takeIfFree(leases: ServerContext['leases'], caseId: string, by: string): Promise<boolean> {
  if (await leases.findOther(caseId, by)) return false;
  try {
    await leases.take(caseId, by);
    return true;
  } catch (error) {
    if (AgonError.is(error) && error.code === 'held-case') return false;
    throw error;
  }
}

/** Who takes which case, and decisions on alike ones. */
export const assigningHandlers: Handlers<AssigningOperation> = {
  async 'queue.next'({ principal, body: { by, stage, queue, sort, except } }, { ledger, leases }) {
    const reviewer = identifyReviewer(principal, by);
    if (queue !== undefined && queue !== standing.id) await findQueue(ledger, queue);
    const passed = new Set(except);
    const others = queue === undefined ? await listOthersQueues(ledger, reviewer.name) : [];
    // What one is to decide oneself comes first.
    for (const filter of [{ assigned: reviewer.name }, { assigned: null, notIn: others }])
      for await (const row of readWaiting(ledger, { ...filter, stage, queue, by: reviewer }, sort)) {
        if (passed.has(row.id) || !(await takeIfFree(leases, row.id, reviewer.name))) continue;
        return { case: showWaitingCase(row, null) };
      }
    return { case: null };
  },

  async 'queue.assign'({ params, body: { to } }, { ledger }) {
    const { found } = await findWaitingCase(ledger, params.id);
    await ledger.reviews.assignCase(found.id, to);
    return showWaitingCase((await findWaitingCase(ledger, found.id)).waiting, null);
  },

  async 'queue.alike'({ principal, params, query, signal }, { ledger, leases, longReads }) {
    const { name } = identifyReviewer(principal, query.by);
    const found = await findQueuedCase(ledger, params.id);
    if (found.forgottenAt !== null)
      throw new AgonError(
        'forgotten-case',
        `What case ${found.id} judged was forgotten.`,
        'Without its content it cannot be compared with others.',
      );
    // Whoever asks has mostly just decided it: it need not wait any more.
    const queue = await ledger.reviews.findQueueOf(found.id);
    const { rows, compared } = await longReads.take(
      () => findAlikeCases(ledger, found, { queue, reviewer: name, embed: embedCentred }),
      signal,
    );
    const ids = rows.map(({ id }) => id);
    const others = await leases.findOthers(ids, name);
    return {
      rows: rows.map(({ similarity, ...row }) => ({
        ...showWaitingCase(row, others.get(row.id) ?? null),
        similarity,
      })),
      compared,
    };
  },

  async 'queue.decideMany'({ principal, body: { by, cases, ...given }, once }, context) {
    const reviewer = identifyReviewer(principal, by);
    const rows = [];
    for (const id of new Set(cases))
      try {
        const { id: caseId } = await findQueuedCase(context.ledger, id);
        const other = await context.leases.findOther(caseId, reviewer.name);
        if (other && (await context.ledger.idempotency.findMade(once, caseId)) === null)
          throw new AgonError('held-case', `${other.by} is reviewing it.`, 'Leave it to them.');
        const decided = await recordReview(context, caseId, given, reviewer, { onlyUndecided: true, once });
        rows.push({ case: id, decided, problem: null });
      } catch (error) {
        // One that cannot be decided does not keep the others from it.
        if (!(error instanceof AgonError)) throw error;
        rows.push({ case: id, decided: null, problem: { code: error.code, detail: error.message } });
      }
    return { rows, recorded: rows.filter(({ decided }) => decided !== null).length };
  },
};

/** Whose queues these are: nobody else is offered their cases, unless they ask for that queue. */
async function listOthersQueues(ledger: Ledger, name: string): Promise<string[]> {
  return (await ledger.queues.listQueues())
    .filter(({ assignees }) => assignees.length > 0 && !assignees.includes(name))
    .map(({ id }) => id);
}

function readWaiting(
  { reviews }: Pick<Ledger, 'reviews'>,
  filter: Parameters<Ledger['reviews']['listWaiting']>[0],
  sort: 'urgency' | 'due',
): AsyncIterable<WaitingCase> {
  return readPages((after) => reviews.listWaiting(filter, { limit: 100, after, sort }));
}

/** Where everything waits that no queue takes. It is always there. */
const standing = { id: 'default', name: 'Default', rules: {}, dueMinutes: null, assignees: [], createdAt: null };

/** The queues themselves. Whoever changes them waits until every case is where it belongs. */
export const queuesHandlers: Handlers<GroupOf<'queues'>> = {
  async 'queues.list'(_, { ledger }) {
    const [queues, counts, quality] = await Promise.all([
      ledger.queues.listQueues(),
      ledger.queues.countQueues(),
      ledger.queues.readQuality(),
    ]);
    return {
      rows: [...queues, standing].map((queue) => showQueue(queue, counts.get(queue.id), quality.get(queue.id))),
    };
  },

  async 'queues.create'({ body, once }, context) {
    const { ledger } = context;
    const queue = await ledger.queues.createQueue(body, once);
    await refill(context);
    return showOne(ledger, queue);
  },

  async 'queues.change'({ params, body }, context) {
    const { ledger } = context;
    const queue = await ledger.queues.changeQueue(params.id, body);
    if (!queue) throw unknownQueue(params.id);
    await refill(context);
    return showOne(ledger, queue);
  },

  async 'queues.remove'({ params }, context) {
    if (!(await context.ledger.queues.removeQueue(params.id))) throw unknownQueue(params.id);
    await refill(context);
    return null;
  },
};

/** What is overdue in its new place is told at once. */
async function refill({ ledger, overdue }: ServerContext): Promise<void> {
  await ledger.queues.refillQueues();
  await overdue.check();
}

async function showOne({ queues }: Ledger, queue: ReviewQueue) {
  const [counts, quality] = await Promise.all([queues.countQueues(), queues.readQuality()]);
  return showQueue(queue, counts.get(queue.id), quality.get(queue.id));
}

function showQueue(
  queue: Omit<ReviewQueue, 'createdAt'> & { createdAt: Date | null },
  counts: QueueCounts = { waiting: { first: 0, second: 0, dispute: 0 }, overdue: 0, unassigned: 0, nextDue: null },
  { decided, right }: SampleQuality = { decided: 0, right: 0 },
) {
  return {
    ...queue,
    ...counts,
    quality:
      queue.rules.sample === undefined
        ? null
        : { of: decided, agreed: right, interval: wilsonInterval(right, decided) },
  };
}

async function findQueue(ledger: Ledger, id: string): Promise<ReviewQueue> {
  const queue = await ledger.queues.findQueue(id);
  if (!queue) throw unknownQueue(id);
  return queue;
}
