import { showCorrection, sumDisclosures } from '@agonhq/engine/debate';
import type { Case, Ledger } from '../index.ts';

/** All that is on record about a case of an author, as a line of JSON. Those who reviewed it are not named. */
export async function collectAuthorCase(ledger: Ledger, found: Case, { nameOf }: Pseudonyms): Promise<object> {
  const { id } = found;
  const calls = await ledger.calls.listCalls(id);
  const [decisions, corrections, edits, review, annotations, holds] = await Promise.all([
    ledger.decisions.listDecisions(id),
    ledger.corrections.listCorrections({ case: id }),
    ledger.findings.listEdits(id),
    ledger.authors.readReview(id),
    ledger.authors.findAnnotations(found.subject),
    ledger.holds.findHoldsOn(id),
  ]);
  return {
    case: id,
    job: found.job,
    run: found.run,
    again: found.again,
    openedAt: found.openedAt,
    closedAt: found.closedAt,
    forgottenAt: found.forgottenAt,
    policy: { name: found.policy.name, version: found.policy.version, hash: found.policy.hash },
    subject: found.subject,
    content: found.content,
    context: found.context,
    files: found.attachments.map(({ hash, mediaType, bytes }) => ({ hash, mediaType, bytes })),
    verdict: {
      label: found.label,
      risk: found.risk,
      bar: found.bar,
      rule: found.rule,
      categories: found.categories,
      action: found.action,
      severity: found.severity,
      seal: found.seal,
    },
    answer: found.answer,
    decisions: decisions.map(({ by, ...decision }) => ({ ...decision, by: nameOf(by) })),
    corrections: corrections.map((correction) => hideNames(showCorrection(correction), nameOf)),
    edits: edits.map(({ by, ...edit }) => ({ ...edit, by: nameOf(by) })),
    review: review && { ...review, assigned: review.assigned === null ? null : nameOf(review.assigned) },
    annotations: annotations.map(({ votes, ...item }) => ({
      ...item,
      votes: votes.map(({ voter, ...vote }) => ({ ...vote, voter: nameOf(voter) })),
    })),
    disclosures: sumDisclosures(calls.map(({ call }) => call)),
    prompts: calls.map(({ key, keptAt, call }) => ({ turn: key, at: keptAt, call })),
    holds: holds.map(({ id: hold, at, until }) => ({ id: hold, at, until })),
  };
}

type Correction = ReturnType<typeof showCorrection>;

function hideNames({ by, withdrawn, ...rest }: Correction, nameOf: Pseudonyms['nameOf']): object {
  return { ...rest, by: nameOf(by), withdrawn: withdrawn && { ...withdrawn, by: nameOf(withdrawn.by) } };
}

/** Names of people who worked on a case, as somebody else may see them. */
interface Pseudonyms {
  /** The same person has the same name throughout an archive, and no other's. */
  nameOf(person: string): string;
}

/** Kinds of origin that are no person's name. */
const origins = /^(?:dataset:|feedback$)/;

/**
 * Names in the order in which people are met.
 *
 * @example createPseudonyms().nameOf('mara') // 'reviewer 1'
 */
export function createPseudonyms(): Pseudonyms {
  const names = new Map<string, string>();
  return {
    nameOf(person) {
      if (origins.test(person)) return person;
      if (!names.has(person)) names.set(person, `reviewer ${names.size + 1}`);
      return names.get(person)!;
    },
  };
}
