import { sql, type Insertable, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import { indexWords, readStoredMarks } from '../cases/listing.ts';
import { toStored } from '../database/stored-json.ts';
import type { Listing, Tables } from '../tables/tables.ts';

/** Answers are large. */
const atOnce = 200;

/** The narrow table that lists of cases are filtered by, filled with the cases that are there. */
export function listingSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const real = kind === 'sqlite' ? 'real' : 'double precision';
  const long = kind === 'sqlite' ? 'integer' : 'bigint';
  const end = kind === 'sqlite' ? 'strict, without rowid' : '';
  const statements = [
    // What is short and sought most comes first: SQLite reads a row up to the column that it needs.
    `create table listing (
      opened_at ${text} not null, id ${text} not null, job ${text} not null, label ${text},
      escalate integer not null, degraded integer not null, decided integer not null, modality ${text},
      confidence ${real}, disagreement ${real}, pairs_1 ${long}, pairs_2 ${long}, pairs_3 ${long}, pairs_4 ${long},
      run ${text}, categories ${text} not null, models ${text} not null, search ${text},
      primary key (opened_at, id)
    ) ${end}`,
    `create index debates_by_again on debates (again_of) where again_of is not null`,
  ];
  return {
    async up(db: Kysely<Tables>) {
      for (const statement of statements) await sql.raw(statement).execute(db);
      await listOlder(db);
    },
  };
}

/** Confidence, disagreement and models come from the answer; where it was forgotten, nobody knows them any more. */
async function listOlder(db: Kysely<Tables>): Promise<void> {
  for (let after: [string, string] = ['', '']; ;) {
    const rows = await db
      .selectFrom('debates')
      .innerJoin('subjects', 'subjects.hash', 'debates.subject')
      .leftJoin('verdicts', 'verdicts.debate', 'debates.id')
      .select([
        'debates.opened_at',
        'debates.id',
        'debates.job',
        'debates.run',
        'debates.forgotten_at',
        'subjects.search',
        'verdicts.label',
        'verdicts.escalate',
        'verdicts.degraded',
        'verdicts.modality',
        'verdicts.categories',
        'verdicts.answer',
      ])
      .select(({ exists, selectFrom }) =>
        exists(selectFrom('decisions').select('decisions.id').whereRef('decisions.case_id', '=', 'debates.id')).as(
          'decided',
        ),
      )
      .where(({ eb, refTuple, tuple }) => eb(refTuple('debates.opened_at', 'debates.id'), '>', tuple(...after)))
      .orderBy('debates.opened_at')
      .orderBy('debates.id')
      .limit(atOnce)
      .execute();
    if (rows.length === 0) return;
    await db
      .insertInto('listing')
      // The columns of this schema: later ones have more.
      .values(
        rows.map(
          ({
            opened_at,
            id,
            job,
            run,
            decided,
            forgotten_at,
            search,
            label,
            escalate,
            degraded,
            modality,
            categories,
            answer,
          }) => {
            const { confidence, disagreement, models } = readStoredMarks(answer);
            return {
              opened_at,
              id,
              job,
              run,
              decided: Number(decided),
              ...indexWords(forgotten_at === null ? search : null),
              label,
              escalate: escalate ?? 0,
              degraded: degraded ?? 0,
              modality,
              categories: categories ?? '[]',
              confidence,
              disagreement,
              models: toStored(models),
            } as Insertable<Listing>;
          },
        ),
      )
      .execute();
    const last = rows.at(-1)!;
    after = [last.opened_at, last.id];
  }
}
