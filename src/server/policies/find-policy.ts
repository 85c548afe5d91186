import { AgonError } from '../../errors.ts';
import { policyOnRecord, type Policy } from '../../policy/index.ts';
import type { ServerContext } from '../server-context.ts';
import type { Ledger } from '../../ledger/index.ts';

/** From so many letters on, the beginning of a hash may stand for it. */
const shortest = 12;

/** A policy that a request names: `active`, its hash, or how its hash begins (with or without `sha256:`). */
export async function findPolicy(
  words: string,
  { agons, ledger }: Pick<ServerContext, 'agons' | 'ledger'>,
): Promise<Policy> {
  const inForce = agons.activePolicy();
  const wanted = words.startsWith('sha256:') ? words : `sha256:${words}`;
  if (words === 'active' || wanted === inForce.hash) return inForce;
  if (wanted.length >= 'sha256:'.length + shortest) {
    if (inForce.hash.startsWith(wanted)) return inForce;
    const found = await ledger.policies.findPoliciesByPrefix(wanted);
    if (found.length === 1) return policyOnRecord(found[0]!.document);
    if (found.length > 1)
      throw new AgonError('unknown-policy', `${found.length} policies begin with ${words}.`, 'Give more of the hash.');
  }
  throw new AgonError('unknown-policy', `There is no policy ${words} on record.`, 'GET /api/policies lists them.');
}

/** Keeps a policy, once. */
export async function keepPolicy({ policies }: Pick<Ledger, 'policies'>, policy: Policy): Promise<void> {
  const { hash, name, version } = policy;
  await policies.keepPolicy({ hash, name, version, document: policy });
}
