import { z } from 'zod';
import { findTurns } from '../../debate/index.ts';
import type { ModerationAnswer } from '../../jobs/moderation/index.ts';
import type { Policy } from '../../policy/index.ts';
import type { KeptPrecedent } from '../../precedents/index.ts';
import { embeddedModel } from '../../reasoners/index.ts';
import { belongings } from './category-map.ts';
import { categoryScores, type CategoryScores } from './category-scores.ts';
import { resemblancesOf } from './resemblances.ts';

/** The scores of an answer, by what its verdict and its debaters named and by what its content resembles. */
export async function scoresOf(
  answer: ModerationAnswer,
  policy: Policy,
  seeds: readonly KeptPrecedent[],
  signal: AbortSignal,
): Promise<CategoryScores> {
  const { preprocessor: _, ...seats } = answer.provenance.models;
  // The embedded judge names the nearest clause; a model that can read names all that hold.
  const namesAll = Object.values(seats).some((model) => model !== embeddedModel);
  return categoryScores({
    verdict: answer.verdict,
    resemblances: await resemblancesOf(answer, policy, seeds, signal),
    argued: new Set(namesAll ? clausesArgued(answer) : []),
    namesAll,
    belongings: belongings(policy),
  });
}

const clauses = z.object({ clauses: z.array(z.string()) });
const naming = z.union([
  clauses.transform((named) => named.clauses),
  z.object({ risk: clauses }).transform(({ risk }) => risk.clauses),
]);

function clausesArgued({ transcript }: ModerationAnswer): string[] {
  return findTurns(transcript).flatMap(({ answer, fallback }) =>
    fallback ? [] : (naming.safeParse(answer).data ?? []),
  );
}
