import type { Db } from '../database/database.ts';
import { pageSize, readPages } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';

export async function* exportPolicies(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readPages(db.selectFrom('policies').selectAll().orderBy('hash').limit(pageSize), (query, { hash }) =>
    query.where('hash', '>', hash),
  );
  for await (const { hash, version, name, policy_version, document, kept_at } of rows)
    yield {
      kind: 'policy',
      version,
      hash,
      name,
      policyVersion: policy_version,
      document: fromStored('policy', version, document),
      ...(kept_at === null ? {} : { keptAt: kept_at }),
    };
}

export async function* exportLibrary(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('precedents').select(['id', 'version', 'precedent']).orderBy('id').limit(pageSize);
  const rows = readPages(query, (all, { id }) => all.where('id', '>', id));
  for await (const { version, precedent } of rows)
    yield { kind: 'precedent', version, precedent: fromStored('precedent', version, precedent) };
}
