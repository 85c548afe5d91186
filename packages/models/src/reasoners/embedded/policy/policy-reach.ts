import type { Clause, Policy } from '@agonhq/engine/policy';
import { clauseFinder, type ClauseCase, type NearClause } from '../clauses.ts';
import type { KeptEmbeddings } from '../kept-embeddings.ts';
import type { ClauseWeights } from '../weights.ts';
import { joinExample, pickClauses, type SortedClauses } from './own-clauses.ts';

/** How much of a harm that the guard model sees is forbidden by the policy. */
export interface PolicyReach {
  /** From 0, none of it, to 1. */
  share: number;
  /** The clause in force that it falls under; null where it falls under none. */
  under: NearClause | null;
  /** The kind of harm that the policy allows or does not mention; null where it is forbidden. */
  beyond: NearClause | null;
}

interface ReachParts {
  policy: Policy;
  defaults: Policy;
  sorted: SortedClauses;
  /** The user's own clauses whose violations the guard finds harmful: its risk counts for them too. */
  harmful: readonly Clause[];
  cases: readonly ClauseCase[];
  embeddings: KeptEmbeddings;
  weights: ClauseWeights;
}

/**
 * Finds out what of a harm the policy forbids: the kind of harm is told by the nearest clause among those in force and
 * those of the default policy that are allowed or left out. A harm that fits both is forbidden. A clause of the user's
 * own stands for the kinds of harm that its violations are nearest to.
 */
export async function measureReach(parts: ReachParts): Promise<(embedding: Float32Array) => Promise<PolicyReach>> {
  const { policy, defaults, sorted, harmful, cases, embeddings, weights } = parts;
  const { leastResemblance, margin, spread } = weights;
  const open = async () => embeddings;
  const inForce = clauseFinder(pickClauses([policy], [...sorted.known, ...harmful]), open, cases);
  const dropped = clauseFinder(pickClauses([policy, defaults], sorted.dropped), open, cases);
  const hasInForce = sorted.known.length + harmful.length > 0;
  const standIns = await findStandIns();

  async function findStandIns(): Promise<ReadonlyMap<string, Clause>> {
    const found = new Map<string, Clause>();
    if (sorted.dropped.length === 0) return found;
    for (const clause of harmful)
      for (const example of clause.violations) {
        const near = await dropped(await embeddings.embed(joinExample(example)));
        const [nearest] = near.toSorted((a, b) => b.similarity - a.similarity);
        if (nearest && nearest.similarity >= leastResemblance && !isAllowedHere(nearest.id))
          found.set(nearest.id, clause);
      }
    return found;
  }

  /** What the user switched off stays off, whatever a clause beside it says. */
  function isAllowedHere(id: string): boolean {
    return policy.categories.some(({ clauses }) => clauses.some((clause) => clause.id === id));
  }

  return async (embedding) => {
    const forbidden = hasInForce ? [...(await inForce(embedding))] : [];
    const others = (sorted.dropped.length > 0 ? await dropped(embedding) : []).flatMap((near) => {
      const standIn = standIns.get(near.id);
      if (!standIn) return [near];
      forbidden.push({ ...near, id: standIn.id, text: standIn.text });
      return [];
    });
    const [under = null] = forbidden.toSorted((a, b) => b.standing - a.standing);
    const [beyond = null] = others;
    const near = Math.max(...forbidden.map(({ similarity }) => similarity));
    if (!under || near < leastResemblance) return { share: 0, under: null, beyond };
    const behind = Math.max(...others.map(({ similarity }) => similarity)) - near - margin;
    const share = behind <= 0 ? 1 : Math.exp(-behind / spread);
    return share >= 0.5 ? { share, under, beyond: null } : { share, under: null, beyond };
  };
}
