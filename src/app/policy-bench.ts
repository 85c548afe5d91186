import type { Reasoner } from '../debate/index.ts';
import type { Policy } from '../policy/index.ts';
import { seedPrecedents, type KeptPrecedent } from '../precedents/index.ts';
import { createEmbeddedReasoner } from '../reasoners/index.ts';

/** What judging by a policy takes beside the policy. */
interface PolicyBench {
  /** The decided cases that ship with Agon, under the clauses that the policy has. */
  seeds: readonly KeptPrecedent[];
  embedded: Reasoner;
}

const made = new WeakMap<Policy, Promise<PolicyBench>>();

/**
 * Made once for each policy: past cases are judged again by an Agon each, and placing a policy's clauses takes longer
 * than a trial.
 */
export function policyBench(policy: Policy): Promise<PolicyBench> {
  let bench = made.get(policy);
  if (!bench) made.set(policy, (bench = makeBench(policy)));
  return bench;
}

async function makeBench(policy: Policy): Promise<PolicyBench> {
  const seeds = await seedPrecedents(policy);
  return {
    seeds,
    embedded: createEmbeddedReasoner(
      policy,
      seeds.flatMap(({ label, clause, text }) => (label === 'unsafe' && clause !== null ? [{ clause, text }] : [])),
    ),
  };
}
