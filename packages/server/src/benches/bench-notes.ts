import { z } from 'zod';
import type { Ledger } from '@agonhq/ledger';

const cost = z.object({ usage: z.object({ costUsd: z.number().nullable() }) });
const kept = z.union([z.object({ claims: z.array(cost) }), cost.transform((one) => ({ claims: [one] }))]);
const problemSchema = z.object({ problem: z.string().nullable() });

/** What the judgements of a bench have cost so far; null where a price is not known. */
export async function sumJudgementCosts({ benches }: Pick<Ledger, 'benches'>, id: string): Promise<number | null> {
  let sum: number | null = 0;
  for await (const { result } of benches.readJudgements(id)) {
    const read = kept.safeParse(result);
    if (!read.success) continue;
    for (const { usage } of read.data.claims) sum = sum === null || usage.costUsd === null ? null : sum + usage.costUsd;
  }
  return sum;
}

/** Keeps why a bench ended before its end; null once it goes on. */
export function keepProblem({ benches }: Pick<Ledger, 'benches'>, id: string, problem: string | null): Promise<void> {
  return benches.keepAttached(id, 'problem', { problem });
}

/** Why a bench ended before its end, where a server measured it. */
export async function readProblem({ benches }: Pick<Ledger, 'benches'>, id: string): Promise<string | null> {
  const read = problemSchema.safeParse(await benches.findAttached(id, 'problem'));
  return read.success ? read.data.problem : null;
}
