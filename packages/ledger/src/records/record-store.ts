import type { Selectable } from 'kysely';
import { unfoldCases } from '../compact/unfold-case.ts';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import type { Tables } from '../schema/tables.ts';
import { auditRecords, type AuditOptions, type RecordsReport } from './audit-records.ts';
import { proveRecords, type ProvedLeaf } from './prove-records.ts';
import { lockTrees, readTreeHeads, sequenceLeaves, type TreeHead } from './sequence-leaves.ts';

/** A checkpoint as it is kept beside the records: whoever vouches for them keeps a copy elsewhere. */
export interface KeptCheckpoint {
  number: number;
  madeAt: Date;
  /** What was signed and by whom, byte for byte. */
  envelope: string;
  /** What a time stamping authority said of these bytes, in DER. */
  timeStamp: Uint8Array | null;
  timeStampProblem: string | null;
}

/** What a checkpoint is made from. */
export interface RecordsState {
  /** Of this ledger, made with it. */
  ledger: string;
  trees: readonly TreeHead[];
  last: KeptCheckpoint | null;
}

export interface Records {
  /** Gives what was written its places in the trees; says how much there was. */
  sequence(): Promise<number>;
  readState(): Promise<RecordsState>;
  /**
   * Keeps the envelope that is made from the state of the trees, under the next number, or none where it is null. No
   * other comes in between.
   */
  keepCheckpoint(make: (state: RecordsState, now: Date) => string | null): Promise<KeptCheckpoint | null>;
  keepTimeStamp(number: number, result: { token: Uint8Array } | { problem: string }): Promise<void>;
  /** In their order. */
  listCheckpoints(): Promise<readonly KeptCheckpoint[]>;
  /** Gives a case that is a single row leaves of its own, which can be proved. */
  enterCase(id: string): Promise<void>;
  /** Leads from what was written about some records to the roots of trees. */
  prove(records: readonly string[], heads: readonly TreeHead[]): Promise<readonly ProvedLeaf[]>;
  /** Changes nothing, and sees one moment while others write. */
  audit(options?: AuditOptions): Promise<RecordsReport>;
}

export function recordStore(database: Database): Records {
  const { db, kind, write } = database;
  return {
    sequence: () => sequenceLeaves(database),
    readState: () => readState(db),
    keepCheckpoint: (make) => write((trx) => keepCheckpoint(trx, kind, make)),
    async keepTimeStamp(number, result) {
      const time_stamp = 'token' in result ? result.token : null;
      const time_stamp_problem = 'problem' in result ? result.problem : null;
      await write((trx) =>
        trx
          .updateTable('checkpoints')
          .set({ time_stamp, time_stamp_problem })
          .where('number', '=', number)
          .where('time_stamp', 'is', null)
          .execute(),
      );
    },
    async listCheckpoints() {
      return (await db.selectFrom('checkpoints').selectAll().orderBy('number').execute()).map(readCheckpoint);
    },
    enterCase: (id) => write((trx) => unfoldCases(trx, kind, [id])),
    prove: (records, heads) => proveRecords(database, records, heads),
    audit: (options) => auditRecords(database, options),
  };
}

async function keepCheckpoint(
  trx: Trx,
  kind: Kind,
  make: (state: RecordsState, now: Date) => string | null,
): Promise<KeptCheckpoint | null> {
  await lockTrees(trx, kind);
  const state = await readState(trx);
  const now = new Date();
  const envelope = make(state, now);
  if (envelope === null) return null;
  const row = {
    number: (state.last?.number ?? 0) + 1,
    made_at: now.toISOString(),
    envelope,
    time_stamp: null,
    time_stamp_problem: null,
  };
  await trx.insertInto('checkpoints').values(row).execute();
  return readCheckpoint(row);
}

async function readState(db: Db): Promise<RecordsState> {
  const { value: ledger } = await db
    .selectFrom('meta')
    .select('value')
    .where('key', '=', 'ledger')
    .executeTakeFirstOrThrow();
  const last = await db.selectFrom('checkpoints').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst();
  return { ledger, trees: await readTreeHeads(db), last: last ? readCheckpoint(last) : null };
}

function readCheckpoint(row: Selectable<Tables['checkpoints']>): KeptCheckpoint {
  const { number, made_at, envelope, time_stamp, time_stamp_problem } = row;
  return {
    number,
    madeAt: new Date(made_at),
    envelope,
    timeStamp: time_stamp && new Uint8Array(time_stamp),
    timeStampProblem: time_stamp_problem,
  };
}
