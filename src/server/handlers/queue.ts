import { AgonError } from '../../errors.ts';
import { giveFeedback } from '../../learning/index.ts';
import type { Case, Ledger, WaitingCase } from '../../ledger/index.ts';
import { findCase } from '../../retrials/index.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { blindItem, blindRow, machineOpinion, reviewerIn } from '../queue/blind-review.ts';
import { brought } from '../reply.ts';

/** What waits for a person. Until they have decided, nothing here tells them what the machine thinks. */
export const queueHandlers: Handlers<GroupOf<'queue'>> = {
  async 'queue.list'({ principal, query: { stage, job, by, limit, after } }, { ledger, holds }) {
    const reviewer = reviewerIn(principal, by);
    const filter = { job, by: reviewer };
    const [{ rows, next }, counts] = await Promise.all([
      ledger.reviews.listWaiting({ ...filter, stage }, { limit, after: after ?? null }),
      ledger.reviews.countWaiting(filter),
    ]);
    return { rows: rows.map((row) => blindRow(row, holds.heldFrom(row.id, reviewer.name))), next, counts };
  },

  async 'queue.hold'({ principal, params, body }, { ledger, holds }) {
    const { name, onceAt } = reviewerIn(principal, body.by);
    const { found, waiting } = await waitingCase(ledger, params.id);
    const decisions = await ledger.decisions.listDecisions(found.id);
    if (onceAt.includes(waiting.stage) && decisions.some(({ by }) => by === name))
      throw new AgonError(
        'decided-already',
        `${name} has decided case ${found.id} already.`,
        'Take another one: another person decides this one next.',
      );
    return blindItem(waiting, found, decisions, holds.take(found.id, name));
  },

  async 'queue.image'({ params }, { ledger }) {
    const { found } = await waitingCase(ledger, params.id);
    const image = found.attachments.some(({ hash }) => hash === params.hash)
      ? await ledger.attachments.findAttachment(params.hash)
      : undefined;
    if (!image)
      throw new AgonError(
        'unknown-attachment',
        `Case ${params.id} has no image ${params.hash}.`,
        'The answer to POST /api/queue/{id}/hold names them.',
      );
    return brought(image.data, image.mediaType);
  },

  async 'queue.release'({ principal, params, query }, { ledger, holds }) {
    const { id } = await onRecord(ledger, params.id);
    holds.release(id, reviewerIn(principal, query.by).name);
    return null;
  },

  async 'queue.decide'({ principal, params, body: { by, ...given } }, { ledger, holds, news, settings }) {
    const { name, onceAt } = reviewerIn(principal, by);
    const found = await onRecord(ledger, params.id);
    const { repeated, ...decided } = await giveFeedback(
      ledger,
      { case: found.id, ...given, by: name },
      { secondReview: settings.server?.secondReview, onceAt, onlyWaiting: true },
    );
    if (!repeated)
      news.tell({
        type: 'decision',
        at: new Date().toISOString(),
        case: found.id,
        label: decided.label,
        verdict: decided.verdict,
        by: name,
      });
    holds.release(found.id, name);
    return { ...decided, stage: (await ledger.reviews.findStage(found.id)) ?? 'done', machine: machineOpinion(found) };
  },
};

async function waitingCase(ledger: Ledger, id: string): Promise<{ found: Case; waiting: WaitingCase }> {
  const found = await onRecord(ledger, id);
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
      `Case ${found.id} waits for nobody: the machine is sure of it, or people have settled it.`,
      'Take another one: GET /api/queue. Feedback can be given on any case.',
    );
  return { found, waiting };
}

async function onRecord(ledger: Ledger, id: string): Promise<Case> {
  const found = await findCase(ledger, id);
  if (found) return found;
  throw new AgonError('unknown-case', `There is no case ${id}.`, 'GET /api/queue lists those that wait.');
}
