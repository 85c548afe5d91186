import { describeAgreement } from '../figures/agreement-figures.ts';
import type { RaterAgreement } from '../figures/set-figures.ts';
import type { Vote } from './votes.ts';
import { majorityOf, type Ratings, ratio } from '@agonhq/engine/statistics';

/** An item that was put to people. */
export interface VotedItem {
  id: string;
  line: number;
  /** The label it came with; null where it had none, or nobody told. */
  gold: string | null;
}

export interface VotedDecision extends VotedItem {
  label: 'safe' | 'unsafe';
  /** In the order of the raters' names. */
  votes: readonly Vote[];
  /** The share of votes for the label. */
  agreement: number;
}

/** An item without a label that its raters would stand by. */
export interface OpenVotedItem extends VotedItem {
  why: 'tie' | 'missing-votes';
  votes: Record<string, string>;
  /** Who has not voted on it. */
  missing: string[];
}

/** What `agon bench screen resolve --json` prints. */
export interface ResolveReport {
  version: 1;
  items: number;
  decided: number;
  labels: { safe: number; unsafe: number };
  /** Decided without a dissenting vote. */
  unanimous: number;
  /** Items that came with a label; decided otherwise; and which. */
  changed: { labelled: number; items: { id: string; line: number; from: string; to: string }[] };
  open: OpenVotedItem[];
  /** Between people. The paper: IAA 83 %. */
  agreement: RaterAgreement;
  raters: { name: string; votes: number; withMajority: number | null }[];
}

export interface ResolveRules {
  raters: readonly string[];
  /** How many votes an item needs. */
  atLeast: number;
}

/** Puts every item to the vote. A label needs more votes than any other; a tie decides nothing. */
export function resolveVotes(
  items: readonly VotedItem[],
  byItem: ReadonlyMap<string, readonly Vote[]>,
  { raters, atLeast }: ResolveRules,
): { decisions: VotedDecision[]; report: ResolveReport } {
  const decisions: VotedDecision[] = [];
  const open: OpenVotedItem[] = [];
  for (const item of items) {
    const votes = byItem.get(item.id) ?? [];
    const { label, votes: most } = majorityOf(votes.map((vote) => vote.label));
    if (label !== null && votes.length >= atLeast)
      decisions.push({ ...item, label: label, votes, agreement: most / votes.length });
    else
      open.push({
        ...item,
        why: votes.length < atLeast ? 'missing-votes' : 'tie',
        votes: Object.fromEntries(votes.map((vote) => [vote.rater, vote.label])),
        missing: raters.filter((rater) => !votes.some((vote) => vote.rater === rater)),
      });
  }
  return { decisions, report: reportOf(items, byItem, raters, decisions, open) };
}

function reportOf(
  items: readonly VotedItem[],
  byItem: ReadonlyMap<string, readonly Vote[]>,
  raters: readonly string[],
  decisions: readonly VotedDecision[],
  open: OpenVotedItem[],
): ResolveReport {
  const labelled = decisions.filter(({ gold }) => gold !== null);
  return {
    version: 1,
    items: items.length,
    decided: decisions.length,
    labels: {
      safe: decisions.filter(({ label }) => label === 'safe').length,
      unsafe: decisions.filter(({ label }) => label === 'unsafe').length,
    },
    unanimous: decisions.filter(({ agreement }) => agreement === 1).length,
    changed: {
      labelled: labelled.length,
      items: labelled.flatMap(({ id, line, gold, label }) =>
        gold === label ? [] : [{ id, line, from: gold!, to: label }],
      ),
    },
    open,
    agreement: agreementOf(
      items.map(({ id }) => byItem.get(id) ?? []),
      raters,
    ),
    raters: raters.map((name) => {
      const cast = decisions.flatMap(({ votes, label }) =>
        votes.filter(({ rater }) => rater === name).map((vote) => vote.label === label),
      );
      const votes = items.reduce(
        (count, { id }) => count + (byItem.get(id) ?? []).filter(({ rater }) => rater === name).length,
        0,
      );
      return { name, votes, withMajority: ratio(cast.filter(Boolean).length, cast.length) };
    }),
  };
}

function agreementOf(items: readonly (readonly Vote[])[], raters: readonly string[]): RaterAgreement {
  const ratings = items
    .filter((votes) => votes.length > 1)
    .map((votes): Ratings => raters.map((rater) => votes.find((vote) => vote.rater === rater)?.label ?? null));
  return describeAgreement(ratings, raters.length);
}
