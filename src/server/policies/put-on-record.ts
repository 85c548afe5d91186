import type { Ledger } from '../../ledger/index.ts';
import type { Policy } from '../../policy/index.ts';

/** Keeps a policy, once. */
export async function putOnRecord({ policies }: Pick<Ledger, 'policies'>, policy: Policy): Promise<void> {
  const { hash, name, version } = policy;
  await policies.keepPolicy({ hash, name, version, document: policy });
}
