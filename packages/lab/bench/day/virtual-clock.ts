import pg from 'pg';

/** The clock of a database that stands still until it is moved. */
export interface VirtualClock {
  /** Of ledgers whose statements are to read it. */
  url: string;
  moveTo(ms: number): Promise<void>;
  /** The server was started at this moment, as far as anybody can tell. */
  restartAt(ms: number): Promise<void>;
  close(): Promise<void>;
}

const ledger = 'day';
const functions = ['now', 'clock_timestamp', 'transaction_timestamp'];

/**
 * Puts functions in front of PostgreSQL's own: a schema that stands before `pg_catalog` in the path is asked first, so
 * that the statements of the queue run as they are, at another time.
 */
export async function openVirtualClock(database: string, startMs: number): Promise<VirtualClock> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const read = (column: string) => `returns timestamptz language sql stable as 'select ${column} from clock.moment'`;
  await client.query(`
    create schema clock;
    create schema ${ledger};
    create table clock.moment (at timestamptz not null, started timestamptz not null);
    insert into clock.moment values (to_timestamp(${startMs / 1_000}), to_timestamp(${startMs / 1_000 - 86_400}));
    ${functions.map((name) => `create function clock.${name}() ${read('at')};`).join('\n')}
    create function clock.pg_postmaster_start_time() ${read('started')};`);
  const at = new URL(database);
  at.searchParams.set('options', `-c search_path=${ledger},clock,pg_catalog`);
  return {
    url: at.href,
    async moveTo(ms) {
      await client.query('update clock.moment set at = to_timestamp($1)', [ms / 1_000]);
    },
    async restartAt(ms) {
      await client.query('update clock.moment set started = to_timestamp($1)', [ms / 1_000]);
    },
    close: () => client.end(),
  };
}
