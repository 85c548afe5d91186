import { z } from 'zod';
import { schemas } from '../api/index.ts';
import type { Case, Decision, WaitingCase, ReviewStage } from '@agonhq/ledger';
import { actionOf, listActions, policyOnRecord } from '@agonhq/engine/policy';
import { measureRisk } from '@agonhq/engine/statistics';
import type { ReviewLease } from '@agonhq/ledger';
import { showReviewer, anonymousReviewer } from './review-leases.ts';
import { findTurns, type Answer } from '@agonhq/engine/debate';
import { hasScope, reviewerName, type Principal } from '../auth/principal.ts';

/** The two sides of a debate, the stern one first. */
const sides = ['strict-debater', 'loose-debater', 'auditor', 'detector'] as const;

/** What the machine had decided, for who has decided now. */
export function showMachineOpinion({ answer, label, risk, bar, disagreement, ...found }: Case) {
  const { categories, action, severity } = found;
  return {
    label: label as 'safe' | 'unsafe' | 'undecided',
    risk,
    bar,
    disagreement,
    categories: [...categories],
    action,
    severity,
    rule: answer && { id: answer.verdict.rule.id, why: answer.verdict.rule.why },
    sides: answer ? sides.flatMap((role) => findLastScore(answer, role)) : [],
  };
}

/** Of several seats the mean. */
function findLastScore({ transcript, provenance }: Answer, role: (typeof sides)[number]) {
  const last = new Map(
    findTurns(transcript)
      .filter((turn) => turn.role === role && turn.score !== null)
      .map(({ seat, score }) => [seat, score!]),
  );
  if (last.size === 0) return [];
  const score = [...last.values()].reduce((sum, one) => sum + one, 0) / last.size;
  return [{ role, risk: measureRisk(score, provenance.calibration ?? null).risk ?? score }];
}

/** A case as it waits. */
export function showWaitingCase(waiting: WaitingCase, heldFrom: ReviewLease | null) {
  return { ...waiting, heldBy: heldFrom && showReviewer(heldFrom.by) };
}

/** All that is needed to decide a case, and nothing of what the machine thinks of it. */
export function showReviewItem(
  waiting: WaitingCase,
  { content, context, attachments, answer, policy }: Case,
  decisions: readonly Decision[],
  hold: ReviewLease,
) {
  const rules = policyOnRecord(policy.document);
  return {
    ...showWaitingCase(waiting, null),
    content,
    context,
    sources: answer?.sources ?? [],
    attachments,
    ...readMedia(answer, new Set(attachments.map(({ hash }) => hash))),
    policy: {
      name: policy.name,
      version: policy.version,
      hash: policy.hash,
      clauses: rules.categories.flatMap(({ id: category, title, clauses }) =>
        clauses.map((clause) => {
          const { id, text, severity } = clause;
          return { id, category, title, text, severity, action: actionOf(clause) };
        }),
      ),
      actions: listActions(rules),
    },
    // A second review is independent of the first.
    earlier:
      waiting.stage === 'dispute'
        ? decisions.map(({ by, label, why, clause, action, at }) => ({ by, label, why, clause, action, at }))
        : [],
    heldUntil: hold.until,
  };
}

const withMedia = z.object({
  subject: z.object({
    images: schemas.queueItem.shape.images.default([]),
    recordings: schemas.queueItem.shape.recordings.default([]),
  }),
});

/** What was judged beside texts, as far as it is kept. Jobs without images or recordings have none. */
function readMedia(answer: unknown, kept: ReadonlySet<string>) {
  const { images, recordings } = withMedia.safeParse(answer).data?.subject ?? { images: [], recordings: [] };
  return {
    images: images.filter(({ hash }) => hash === null || kept.has(hash)),
    recordings: recordings.filter(({ hash }) => kept.has(hash)),
  };
}

interface Reviewer {
  name: string;
  /** Where they may decide once only: reviews are independent, and who has the scope `admin` may settle any dispute. */
  onceAt: readonly ReviewStage[];
}

export function identifyReviewer(principal: Principal, by: string | undefined): Reviewer {
  return {
    name: reviewerName(principal) ?? by ?? anonymousReviewer,
    onceAt: hasScope(principal, 'admin') ? ['second', 'done'] : ['second', 'dispute', 'done'],
  };
}
