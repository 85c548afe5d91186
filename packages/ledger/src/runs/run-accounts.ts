import type { Database, Kind, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import type { CallCost, RunStore } from './runs.ts';

/** Sums of prices are off by less than that. */
const rounding = 1e-12;

interface Allowance {
  tokens?: number;
  usd?: number;
}

/** What a run has spent and set aside. A transaction takes the row of the call first and that of the account last. */
export function runAccounts({
  db,
  kind,
  write,
}: Database): Pick<RunStore, 'reserveCall' | 'settleCall' | 'readCommitted'> {
  return {
    async reserveCall(run, call, worst, allowance) {
      if (worst.usd === null && allowance.usd !== undefined) return false;
      return write((trx) =>
        reserveCall(trx, run, call, { tokens: Math.ceil(worst.tokens), usd: worst.usd ?? 0 }, allowance),
      );
    },
    settleCall: (run, call, actual) => write((trx) => settleCall(trx, kind, run, call, actual)),
    async readCommitted(run) {
      const row = await db
        .selectFrom('run_accounts')
        .select(['tokens', 'usd'])
        .where('run', '=', run)
        .executeTakeFirst();
      return { tokens: row?.tokens ?? 0, usd: row?.usd ?? 0 };
    },
  };
}

async function reserveCall(
  trx: Trx,
  run: string,
  call: string,
  worst: { tokens: number; usd: number },
  allowance: Allowance,
): Promise<boolean> {
  const noted = await insertNew(trx.insertInto('reservations').values({ call, run, ...worst, settled: 0 }));
  if (!noted) return true;
  let covered = await chargeAccount(trx, run, worst, allowance);
  if (!covered) {
    await openAccount(trx, run);
    covered = await chargeAccount(trx, run, worst, allowance);
  }
  if (!covered) await trx.deleteFrom('reservations').where('call', '=', call).execute();
  return covered;
}

/** One conditional update: on PostgreSQL whoever comes second sees what the first has left. */
async function chargeAccount(
  trx: Trx,
  run: string,
  { tokens, usd }: { tokens: number; usd: number },
  allowance: Allowance,
): Promise<boolean> {
  let query = trx
    .updateTable('run_accounts')
    .set(({ eb }) => ({ tokens: eb('tokens', '+', tokens), usd: eb('usd', '+', usd) }))
    .where('run', '=', run);
  if (allowance.tokens !== undefined) query = query.where('tokens', '<=', Math.floor(allowance.tokens) - tokens);
  if (allowance.usd !== undefined) query = query.where('usd', '<=', allowance.usd + rounding - usd);
  return (await query.returning('run').executeTakeFirst()) !== undefined;
}

async function openAccount(trx: Trx, run: string): Promise<void> {
  await insertNew(trx.insertInto('run_accounts').values({ run, tokens: 0, usd: 0 }));
}

async function settleCall(trx: Trx, kind: Kind, run: string, call: string, actual: CallCost): Promise<void> {
  const reserved = await trx
    .selectFrom('reservations')
    .select(['tokens', 'usd', 'settled'])
    .where('call', '=', call)
    .$if(kind === 'postgresql', (query) => query.forUpdate())
    .executeTakeFirst();
  if (reserved?.settled === 1) return;
  // Of a call whose price nobody knows, what was set aside stays.
  const [tokens, usd] = [Math.ceil(actual.tokens), actual.usd ?? reserved?.usd ?? 0];
  const row = { tokens, usd, settled: 1 };
  if (reserved) await trx.updateTable('reservations').set(row).where('call', '=', call).execute();
  // Nothing was set aside for it: what it cost counts all the same.
  else if (!(await insertNew(trx.insertInto('reservations').values({ call, run, ...row })))) return;
  const change = { tokens: tokens - (reserved?.tokens ?? 0), usd: usd - (reserved?.usd ?? 0) };
  if (!(await chargeAccount(trx, run, change, {}))) {
    await openAccount(trx, run);
    await chargeAccount(trx, run, change, {});
  }
}
