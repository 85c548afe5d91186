import { sql, type Selectable } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import type { UnrecordedOpening } from '../cases/cases.ts';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { fixedQuery, insertNew } from '../database/fixed-query.ts';
import { fromStored, readMoment, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { addLeaves, makeLeaf } from '../records/leaves.ts';
import type { Tables } from '../schema/tables.ts';

export interface PolicyRow {
  hash: string;
  name: string;
  version: string;
  document: unknown;
  /** Null for what is older than this column. */
  keptAt: Date | null;
}

export interface PolicyStore {
  keepPolicy(policy: Pick<PolicyRow, 'hash' | 'name' | 'version' | 'document'>): Promise<void>;
  findPolicy(hash: string): Promise<PolicyRow | undefined>;
  /** Those whose hash begins so. */
  findPoliciesByPrefix(prefix: string): Promise<readonly PolicyRow[]>;
  /** With how many cases were judged by each; the newest first. Without their documents. */
  listPolicies(): Promise<readonly (Omit<PolicyRow, 'document'> & { cases: number })[]>;
  /** The one that was activated last; undefined when none ever was. */
  findActivePolicy(): Promise<PolicyRow | undefined>;
  activatePolicy(hash: string, by: string | null): Promise<void>;
}

export function policyStore({ db, kind, write }: Database): PolicyStore {
  return {
    keepPolicy: (policy) => write((trx) => keepPolicy(trx, kind, policy)),
    async findPolicy(hash) {
      const row = await db.selectFrom('policies').selectAll().where('hash', '=', toStorable(hash)).executeTakeFirst();
      return row && readPolicy(row);
    },
    async findPoliciesByPrefix(prefix) {
      const rows = await db
        .selectFrom('policies')
        .selectAll()
        .where(sql<boolean>`substr(${sql.ref('hash')}, 1, ${sql.lit(prefix.length)}) = ${toStorable(prefix)}`)
        .orderBy('hash')
        .limit(10)
        .execute();
      return rows.map(readPolicy);
    },
    async listPolicies() {
      const rows = await db
        .selectFrom('policies')
        .leftJoin('debates', 'debates.policy', 'policies.hash')
        .select(({ fn }) => [
          'policies.hash',
          'policies.name',
          'policies.policy_version',
          'policies.kept_at',
          fn.count('debates.id').as('cases'),
        ])
        .groupBy(['policies.hash', 'policies.name', 'policies.policy_version', 'policies.kept_at'])
        .orderBy(sql`coalesce(policies.kept_at, '')`, 'desc')
        .orderBy('policies.hash')
        .execute();
      const single = await db
        .selectFrom('listing')
        .innerJoin('setups', 'setups.id', 'listing.setup')
        .select(({ fn }) => ['setups.policy', fn.countAll().as('cases')])
        .groupBy('setups.policy')
        .execute();
      const more = new Map(single.map((row) => [row.policy, Number(row.cases)]));
      return rows.map(({ hash, name, policy_version, kept_at, cases }) => ({
        hash,
        name,
        version: policy_version,
        keptAt: readMoment(kept_at),
        cases: Number(cases) + (more.get(hash) ?? 0),
      }));
    },
    async findActivePolicy() {
      const row = await db
        .selectFrom('activations')
        .innerJoin('policies', 'policies.hash', 'activations.policy')
        .selectAll('policies')
        .orderBy('activations.position', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && readPolicy(row);
    },
    async activatePolicy(hash, by) {
      await write(async (trx) => {
        if (!(await trx.selectFrom('policies').select('hash').where('hash', '=', hash).executeTakeFirst()))
          throw new AgonError('unknown-policy', `There is no policy ${hash} on record.`, 'Put it on record first.');
        const activation = await trx
          .insertInto('activations')
          .values({ policy: hash, activated_by: toStorable(by), activated_at: new Date().toISOString() })
          .returningAll()
          .executeTakeFirstOrThrow();
        await addLeaves(trx, kind, [makeLeaf('activation', activation)]);
      });
    },
  };
}

/** A policy is long, and nearly always there already. */
export async function keepPolicy(
  trx: Trx,
  kind: Kind,
  { hash, name, version, document }: UnrecordedOpening['policy'],
): Promise<void> {
  if ((await findPolicy[kind](trx, { hash })).rows.length > 0) return;
  const row = {
    hash,
    version: storedVersion,
    name: toStorable(name),
    policy_version: toStorable(version),
    document: toStored(document),
    kept_at: new Date().toISOString(),
  };
  if (await insertNew(trx.insertInto('policies').values(row))) await addLeaves(trx, kind, [makeLeaf('policy', row)]);
}

const selectPolicy = (db: Db, { hash }: { hash: string }) =>
  db.selectFrom('policies').select('hash').where('hash', '=', hash);
const findPolicy = {
  sqlite: fixedQuery(selectPolicy),
  postgresql: fixedQuery((db, values: { hash: string }) => selectPolicy(db, values).forKeyShare()),
};

function readPolicy({
  hash,
  version,
  name,
  policy_version,
  document,
  kept_at,
}: Selectable<Tables['policies']>): PolicyRow {
  return {
    hash,
    name,
    version: policy_version,
    document: fromStored('policy', version, document),
    keptAt: readMoment(kept_at),
  };
}
