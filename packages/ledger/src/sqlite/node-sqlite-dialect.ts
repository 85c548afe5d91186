import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { isBusy, nameSqliteError } from './sqlite-errors.ts';

const preparedAtMost = 200;

export interface DialectOptions {
  database: DatabaseSync;
  /** For messages. */
  file: string;
  /** How long another process may hold the lock. */
  lockTimeoutMs: number;
}

/** Kysely on node:sqlite. */
export function nodeSqliteDialect(options: DialectOptions): Dialect {
  return {
    createDriver: () => new NodeSqliteDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new LockedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Migrations run in one transaction, which begins with the lock: of two processes the second finds them done. */
class LockedAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class NodeSqliteDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: NodeSqliteConnection;

  constructor(options: DialectOptions) {
    this.#database = options.database;
    this.#connection = new NodeSqliteConnection(options);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  /**
   * A transaction that begins by reading could not write once another process has: whoever will write locks at once.
   */
  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(settings.accessMode === 'read only' ? 'begin' : 'begin immediate'));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }

  /** Some failures, a full disk among them, have already rolled back. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#database.close();
  }
}

/** `answers`: whether it gives rows back. */
interface Prepared {
  statement: StatementSync;
  answers: boolean;
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #options: DialectOptions;
  readonly #prepared = new Map<string, Prepared>();

  constructor(options: DialectOptions) {
    this.#options = options;
  }

  /** SQLite waits in this very thread; so it waits briefly, and between its attempts the debates go on. */
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const deadline = performance.now() + this.#options.lockTimeoutMs;
    for (;;) {
      try {
        return this.#execute(sql, parameters as SQLInputValue[]);
      } catch (error) {
        if (!isBusy(error) || this.#options.database.isTransaction || performance.now() > deadline)
          throw nameSqliteError(error, this.#options.file);
        await pause(10 + Math.random() * 40);
      }
    }
  }

  #execute<Row>(sql: string, parameters: SQLInputValue[]): QueryResult<Row> {
    const { statement, answers } = this.#prepare(sql);
    if (answers) return { rows: statement.all(...parameters) as Row[] };
    const { changes } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    if (this.#prepared.size >= preparedAtMost) this.#prepared.clear();
    const statement = this.#options.database.prepare(sql);
    const prepared = { statement, answers: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  // The one connection would be held while the reader does something else: stores read page by page.
  streamQuery(): never {
    throw new Error('Rows are read page by page.');
  }
}
