import { rm } from 'node:fs/promises';
import { sql, type Selectable } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Database, Db, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { fromStored, storedVersion, toStored } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import { assertTeamName, locateTeam, nameTeamSchema } from './team-place.ts';

/** A team as the ledger of its installation knows it. Everything else of it is in a ledger of its own. */
export interface TeamRow {
  name: string;
  /** What it sets otherwise than the installation. */
  settings: unknown;
  createdAt: Date;
}

export interface TeamStore {
  /** Makes a place for a team's ledger; false where there is a team of this name. */
  addTeam(name: string, settings: unknown): Promise<boolean>;
  findTeam(name: string): Promise<TeamRow | undefined>;
  /** By name. */
  listTeams(): Promise<readonly TeamRow[]>;
  /** False where there is no such team. */
  changeTeam(name: string, settings: unknown): Promise<boolean>;
  /**
   * Items of runs that wait for a worker, by team; null is the installation's own. No more than a million are counted.
   */
  countQueuedItems(): Promise<ReadonlyMap<string | null, number>>;
  /** Which of them have runs that are not at their end; null is the installation itself. */
  listBusyTeams(): Promise<readonly (string | null)[]>;
  /** Takes a team away with its ledger and all that is in it; false where there is no such team. */
  removeTeam(name: string): Promise<boolean>;
}

export function teamStore({ kind, db, place, write }: Database): TeamStore {
  /** Asks the installation, and each team; those in files of their own are asked there. */
  async function inEach<Found>(ask: (schema: string | null) => Promise<Found>): Promise<[string | null, Found][]> {
    const found: [string | null, Found][] = [[null, await ask(null)]];
    if (kind === 'sqlite') return found;
    const { rows } = await sql<{ name: string }>`
      select teams.name from teams join pg_tables on tablename = 'run_items'
      and schemaname = 'agon_team_' || replace(teams.name, '-', '__') order by teams.name`.execute(db);
    for (const { name } of rows) found.push([name, await ask(nameTeamSchema(name))]);
    return found;
  }

  return {
    async addTeam(name, settings) {
      assertTeamName(name);
      return write(async (trx) => {
        const added = await insertNew(
          trx.insertInto('teams').values({
            name,
            version: storedVersion,
            settings: toStored(settings),
            created_at: new Date().toISOString(),
          }),
        );
        if (added && kind === 'postgresql') await makeSchema(trx, nameTeamSchema(name), place);
        return added;
      });
    },
    async findTeam(name) {
      const row = await db.selectFrom('teams').selectAll().where('name', '=', name).executeTakeFirst();
      return row && readTeam(row);
    },
    async listTeams() {
      return (await db.selectFrom('teams').selectAll().orderBy('name').execute()).map(readTeam);
    },
    async changeTeam(name, settings) {
      const changed = await write((trx) =>
        trx
          .updateTable('teams')
          .set({ version: storedVersion, settings: toStored(settings) })
          .where('name', '=', name)
          .returning('name')
          .executeTakeFirst(),
      );
      return changed !== undefined;
    },
    async countQueuedItems() {
      return new Map(await inEach((schema) => countWaiting(db, schema)));
    },
    async listBusyTeams() {
      const found = await inEach((schema) => hasRuns(db, schema));
      return found.filter(([, isBusy]) => isBusy).map(([team]) => team);
    },
    async removeTeam(name) {
      const removed = await write(async (trx) => {
        const gone = await trx.deleteFrom('teams').where('name', '=', name).returning('name').executeTakeFirst();
        if (gone && kind === 'postgresql')
          await sql`drop schema if exists ${sql.id(nameTeamSchema(name))} cascade`.execute(trx);
        return gone !== undefined;
      });
      if (removed && kind === 'sqlite') await deleteFiles(place, name);
      return removed;
    },
  };
}

function readTeam({ name, version, settings, created_at }: Selectable<Tables['teams']>): TeamRow {
  return { name, settings: fromStored('team', version, settings), createdAt: new Date(created_at) };
}

const mostCounted = 1_000_000;

async function countWaiting(db: Db, schema: string | null): Promise<number> {
  const [items, runs] = ['run_items', 'runs'].map((table) => sql.table(schema === null ? table : `${schema}.${table}`));
  const { rows } = await sql<{ waiting: number | string }>`
    select count(*) as waiting from (
      select 1 from ${runs} as runs join ${items} as items on items.run = runs.id
      where runs.state = 'running' and items.state = 'waiting' limit ${sql.lit(mostCounted)}
    ) as found`.execute(db);
  return Number(rows[0]!.waiting);
}

async function hasRuns(db: Db, schema: string | null): Promise<boolean> {
  const runs = sql.table(schema === null ? 'runs' : `${schema}.runs`);
  const { rows } = await sql`
    select 1 from ${runs} as runs where state = 'running' and settings is not null limit 1`.execute(db);
  return rows.length > 0;
}

async function makeSchema(trx: Trx, schema: string, place: string): Promise<void> {
  try {
    await sql`create schema ${sql.id(schema)}`.execute(trx);
  } catch (error) {
    if (!AgonError.is(error) || error.code !== 'ledger-refused') throw error;
    throw new AgonError(
      error.code,
      `PostgreSQL at ${place} does not let this user make the schema ${schema}.`,
      'Let the owner of the database run: grant create on database NAME to USER',
      { cause: error },
    );
  }
}

async function deleteFiles(place: string, name: string): Promise<void> {
  const { file } = locateTeam({ file: place }, name) as { file: string };
  for (const part of [file, `${file}-wal`, `${file}-shm`]) await rm(part, { force: true });
}
