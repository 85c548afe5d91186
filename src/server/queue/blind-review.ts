import type { Case, Decision, WaitingCase } from '../../ledger/index.ts';
import { policyOnRecord } from '../../policy/index.ts';
import { holderName, type Hold } from './review-leases.ts';

/** A case as it waits. */
export function blindRow(
  { id, job, stage, urgency, why, openedAt, modality, excerpt }: WaitingCase,
  heldFrom: Hold | null,
) {
  return {
    id,
    job: job as 'moderation' | 'evaluation',
    stage,
    urgency,
    why: [...why],
    openedAt: openedAt.toISOString(),
    modality,
    excerpt,
    heldBy: heldFrom && holderName(heldFrom.by),
  };
}

/** All that is needed to decide a case, and nothing of what the machine thinks of it. */
export function blindItem(
  waiting: WaitingCase,
  { content, attachments, answer, policy }: Case,
  decisions: readonly Decision[],
  hold: Hold,
) {
  const { categories } = policyOnRecord(policy.document);
  return {
    ...blindRow(waiting, null),
    content,
    sources: (answer?.sources ?? []).map((source) => ({ ...source })),
    attachments: [...attachments],
    policy: {
      name: policy.name,
      version: policy.version,
      hash: policy.hash,
      clauses: categories.flatMap(({ id: category, title, clauses }) =>
        clauses.map(({ id, text, severity }) => ({ id, category, title, text, severity })),
      ),
    },
    // A second review is independent of the first.
    earlier:
      waiting.stage === 'dispute'
        ? decisions.map(({ by, label, why, clause, at }) => ({ by, label, why, clause, at: at.toISOString() }))
        : [],
    heldUntil: hold.until.toISOString(),
  };
}
