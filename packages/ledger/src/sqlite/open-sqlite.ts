import { mkdir, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause, setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import type { Database, Db, Trx, Write } from '../database/database.ts';
import { migrateDatabase, refuseForeignTables } from '../migrations/migrate.ts';
import type { Tables } from '../schema/tables.ts';
import { nodeSqliteDialect } from './node-sqlite-dialect.ts';
import { isBusy, makeReadOnlyError, nameSqliteError } from './sqlite-errors.ts';
import { AgonError } from '@agonhq/engine/agon-error';

/** How long SQLite itself waits for a lock, with the thread standing still. */
const stillMs = 50;

export interface SqliteOptions {
  file: string;
  /** How long another process may hold the lock before it is an error. */
  lockTimeoutMs?: number;
  /** False to leave its schema as it is: for those who look after the ledger itself. */
  migrate?: boolean;
}

/** Opens a ledger in a file, and makes it where there is none. */
export async function openSqlite({ file, lockTimeoutMs = 30_000, migrate = true }: SqliteOptions): Promise<Database> {
  await createFile(file);
  const connect = (readOnly: boolean) => connectTo(file, lockTimeoutMs, readOnly);
  const db = await connect(false);
  let upgradedFrom: number | null;
  try {
    upgradedFrom = migrate ? await migrateDatabase(db, 'sqlite', file) : null;
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const { write, idle } = createGroupCommit(db);
  return {
    kind: 'sqlite',
    place: file,
    db,
    write,
    vectors: false,
    upgradedFrom,
    async snapshot() {
      const reader = await connect(true);
      const moment = await reader.startTransaction().setAccessMode('read only').execute();
      return {
        db: moment,
        async [Symbol.asyncDispose]() {
          await moment.commit().execute();
          await reader.destroy();
        },
      };
    },
    bytes: async () => (await readFileSize(file)) + (await readFileSize(`${file}-wal`)),
    // Deleted rows are overwritten with zeros; this takes them out of the log too, unless a reader still needs it.
    scrub: async () => void (await sql`pragma wal_checkpoint(truncate)`.execute(db)),
    async close() {
      await idle();
      await db.destroy();
    },
  };
}

async function createFile(file: string): Promise<void> {
  try {
    await mkdir(path.dirname(path.resolve(file)), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw makeReadOnlyError(file, error);
  }
  // What was judged is nobody else's business. A file that cannot be made is left to SQLite, which says why.
  const made = await open(file, 'wx', 0o600).catch(() => null);
  await made?.close();
}

async function connectTo(file: string, lockTimeoutMs: number, readOnly: boolean): Promise<Kysely<Tables>> {
  const deadline = performance.now() + lockTimeoutMs;
  for (;;) {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(file, { timeout: stillMs, readOnly, enableForeignKeyConstraints: true });
      if (!readOnly) {
        // Before anything is written: WAL changes the file.
        refuseForeignTables(
          database
            .prepare("select name from sqlite_schema where type = 'table'")
            .all()
            .map(({ name }) => String(name)),
          'sqlite',
          file,
        );
        // SQLite does not wait where it turns a new file to WAL: another process may be doing just that.
        database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on');
      }
      // Kysely closes only what it has used.
      const db = new Kysely<Tables>({ dialect: nodeSqliteDialect({ database, file, lockTimeoutMs }) });
      await sql`select count(*) from sqlite_schema`.execute(db);
      return db;
    } catch (error) {
      if (database?.isOpen) database.close();
      if (!isBusy(error) || performance.now() > deadline) throw nameSqliteError(error, file);
      await pause(10 + Math.random() * 40);
    }
  }
}

async function readFileSize(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

interface Waiting {
  /** Does the work; says how its caller is told once it is on disk. */
  run(trx: Trx): Promise<() => void>;
  reject(error: unknown): void;
}

/**
 * A commit waits for the disk, and the thread with it. So what is asked for at the same moment is committed together;
 * each is told only when it is on disk, and one that fails takes no other with it.
 */
function createGroupCommit(db: Db): { write: Write; idle(): Promise<void> } {
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;

  async function commitAll(): Promise<void> {
    for (await turnOfTheLoop(); waiting.length > 0; await turnOfTheLoop()) {
      const group = waiting;
      waiting = [];
      await commitTogether(db, group);
    }
    running = null;
  }

  return {
    write: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ run: async (trx) => work(trx).then((result) => () => resolve(result)), reject });
        running ??= commitAll();
      }),
    idle: async () => void (await running),
  };
}

async function commitTogether(db: Db, group: readonly Waiting[]): Promise<void> {
  try {
    const told = await db.transaction().execute(async (trx) => {
      const outcomes: (() => void)[] = [];
      for (const { run } of group) outcomes.push(await run(trx));
      return outcomes;
    });
    for (const tell of told) tell();
  } catch (error) {
    const nobodyCan = AgonError.is(error) && error.code === 'locked-ledger';
    if (nobodyCan || group.length === 1) for (const { reject } of group) reject(error);
    // Nothing of it was kept: each once more by itself, and only the one that cannot hears of it.
    else for (const one of group) await commitTogether(db, [one]);
  }
}
