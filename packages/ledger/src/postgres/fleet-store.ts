import { sql } from 'kysely';
import type { Database, Trx } from '../database/database.ts';
import { putRow } from '../database/fixed-query.ts';
import { toStorable } from '../database/stored-json.ts';
import type { Fleet, Share, ShareClaim } from '../runs/workers.ts';
import { computeShare, type HeldShare } from './fair-share.ts';

/** A worker that was not heard of for so long is gone. */
const deadAfterMs = 30_000;
/** Far less than a lease. */
const stalledMs = 2_000;
/** A bucket is empty when a turn begins: many turns would waste many calls. */
const turnSeconds = 120;
/** Longer than anybody asks what became of a worker. */
const forgottenAfter = sql`interval '1 day'`;

/** The moments are the server's: workers' clocks need not agree. */
export function fleetStore({ db, write }: Database): Fleet {
  return {
    async recordBeat({ id, host, pid, version, concurrency, running, judged, failed, state }) {
      const told = {
        host: toStorable(host),
        pid,
        version,
        concurrency,
        running,
        judged,
        failed,
        state,
        seen_at: sql<Date>`now()`,
      };
      await db
        .insertInto('workers')
        .values({ id, ...told, started_at: sql<Date>`now()` })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(told))
        .execute();
      await db
        .deleteFrom('workers')
        .where('seen_at', '<', sql<Date>`now() - ${forgottenAfter}`)
        .execute();
    },

    async removeWorker(worker) {
      await write(async (trx) => {
        // A worker claims for each of its runs, under its name and theirs.
        await trx
          .deleteFrom('shares')
          .where(({ or, eb }) => or([eb('worker', '=', worker), sql<boolean>`starts_with(worker, ${`${worker}/`})`]))
          .execute();
        await trx.deleteFrom('workers').where('id', '=', worker).execute();
      });
    },

    async listWorkers() {
      const rows = await db
        .selectFrom('workers')
        .selectAll()
        .select(sql<boolean>`seen_at > now() - ${deadAfterMs} * interval '1 millisecond'`.as('alive'))
        .orderBy('started_at')
        .orderBy('id')
        .execute();
      return rows.map(({ started_at, seen_at, ...worker }) => ({ ...worker, startedAt: started_at, seenAt: seen_at }));
    },

    claimShare: (claim) => write((trx) => claimShare(trx, claim)),
  };
}

/** Claims on a model come one after the other. */
async function claimShare(trx: Trx, claim: ShareClaim): Promise<Share> {
  const { worker, model, wanted, leaseMs } = claim;
  const lock = sql`pg_advisory_xact_lock(hashtextextended(current_schema() || '.shares.' || ${model}::text, 0))`;
  // A process that is stopped or cut off right now must not keep the others from claiming: the server ends its session.
  const impatience = sql`set_config('idle_in_transaction_session_timeout', ${String(stalledMs)}, true)`;
  const {
    rows: [moment],
  } = await sql<{
    turn: number;
  }>`select ${impatience}, ${lock}, 
    floor(extract(epoch from clock_timestamp()) / ${turnSeconds})::integer as turn`.execute(trx);
  // Not now(): that is when the wait for the lock began.
  await trx
    .deleteFrom('shares')
    .where('model', '=', model)
    .where('until', '<=', sql<Date>`clock_timestamp()`)
    .execute();
  const rows = await trx.selectFrom('shares').selectAll().where('model', '=', model).execute();
  const shares = rows.map((row): HeldShare => ({
    worker: row.worker,
    wanted: row.wanted,
    concurrency: row.concurrency,
    requestsPerMinute: row.requests_per_minute ?? 0,
    tokensPerMinute: row.tokens_per_minute ?? 0,
  }));
  const { share, held } = computeShare({ ...claim, turn: moment!.turn }, shares);
  const row = {
    wanted,
    concurrency: held,
    requests_per_minute: share.requestsPerMinute ?? null,
    tokens_per_minute: share.tokensPerMinute ?? null,
    until: sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`,
  };
  await putRow(trx, 'shares', { model, worker }, row);
  return share;
}
