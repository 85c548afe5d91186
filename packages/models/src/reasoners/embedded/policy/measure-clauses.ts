import type { Policy } from '@agonhq/engine/policy';
import { clauseFinder, type ClauseCase, type NearClause } from '../clauses.ts';
import { embedText, loadEmbeddings } from '../kept-embeddings.ts';
import { embeddedModel } from '../embedded-model.ts';
import { openGuard } from '../guard.ts';
import { shippedWeights } from '../weights.ts';
import { readPolicy } from './policy-reader.ts';

/** How near a text stands to each clause of a policy, the nearest first. */
export function clauseResemblance(
  policy: Policy,
  cases: readonly ClauseCase[] = [],
): (text: string, options?: { signal?: AbortSignal }) => Promise<NearClause[]> {
  const clauses = clauseFinder(policy, loadEmbeddings, cases);
  return async (text, options) => clauses(await embedText(text, options));
}

/** How well the embedded reasoner tells the clauses of a policy that it was not trained for. */
export async function measureClauses(policy: Policy): Promise<ClauseReliability[]> {
  const fits = await readPolicy(policy, {
    openGuard,
    openEmbeddings: loadEmbeddings,
    cases: [],
    weights: shippedWeights,
  }).listFits();
  return fits.map(({ clause, recognised, of, judged }) => ({
    clause: clause.id,
    model: embeddedModel,
    recognised,
    of,
    judged,
  }));
}

/** Whether a clause can be told from its text and examples. */
export interface ClauseReliability {
  clause: string;
  model: string;
  /** Of its violations, how many are caught when each in turn is unknown. */
  recognised: number;
  of: number;
  /** Whether that is enough to rely on. */
  judged: boolean;
}
