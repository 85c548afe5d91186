import { hashOf } from '../../hash.ts';
import { rulebook } from './verdicts/adjudicate-claim.ts';
import type { DocumentsProvenance } from './analysis.ts';
import { documentSeats } from './plan.ts';
import { hashPrompts } from './prompts-hash.ts';
import { describePlan } from './protocol.ts';
import type { AnalysisSetup } from './setup.ts';

/** What every analysis of a setup says it was made by. */
export function buildDocumentsProvenance({ plan, reasoners, embed, version }: AnalysisSetup): DocumentsProvenance {
  const seats = documentSeats[plan.method];
  const prompts = hashPrompts(plan.method);
  const fingerprints = Object.fromEntries(seats.map((seat) => [seat, reasoners[seat].fingerprint]));
  // How many debates run at a time changes nothing that they say.
  const { concurrency: _, ...said } = plan;
  return {
    agon: version,
    protocol: describePlan(plan),
    policy: rulebook,
    prompts,
    models: Object.fromEntries(seats.map((seat) => [seat, reasoners[seat].id])),
    precedents: null,
    configuration: hashOf({ plan: said, rules: rulebook.hash, prompts, fingerprints, embedded: embed !== null }),
    plan,
  };
}
