import { sql, type Insertable, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import { indexWords, readStoredMarks } from '../cases/listing.ts';
import { toStored } from '../database/stored-json.ts';
import type { Listing, Tables } from '../tables/tables.ts';
import { isReviewed, computeStage } from '../reviews/review-stage.ts';
import { measureUrgency } from '../reviews/urgency.ts';

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

/** Datasets that people label: projects, their items and images, votes and adjudications. */
export function annotationSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const end = kind === 'sqlite' ? 'strict' : '';
  const item = `foreign key (project, position) references annotation_items (project, position) on delete cascade`;
  const statements = [
    `create table annotation_projects (
      id ${text} primary key, version integer not null, name ${text} not null, labels ${text} not null,
      votes integer not null, guidelines ${text}, created_by ${text}, created_at ${text} not null
    ) ${end}`,
    // How far an item has come is told by its votes; kept beside it, since it is what items are looked for by.
    `create table annotation_items (
      project ${text} not null references annotation_projects (id) on delete cascade, position integer not null,
      version integer not null, key ${text} not null, content ${text} not null,
      voted integer not null, state ${text} not null, label ${text}, primary key (project, position)
    ) ${end}`,
    `create index annotation_items_by_need on annotation_items (project, state, voted desc, position)`,
    `create table annotation_images (
      project ${text} not null, position integer not null, number integer not null, name ${text} not null,
      attachment ${text} not null references attachments (hash),
      primary key (project, position, number), ${item}
    ) ${end}`,
    `create index annotation_images_by_attachment on annotation_images (attachment)`,
    `create table annotation_votes (
      project ${text} not null, position integer not null, voter ${text} not null, version integer not null,
      label ${text} not null, why ${text}, viewed ${text} not null, took_ms integer, voted_at ${text} not null,
      primary key (project, position, voter), ${item}
    ) ${end}`,
    `create index annotation_votes_by_voter on annotation_votes (project, voter)`,
    `create table annotation_adjudications (
      project ${text} not null, position integer not null, version integer not null, label ${text} not null,
      why ${text} not null, decided_by ${text} not null, decided_at ${text} not null,
      primary key (project, position), ${item}
    ) ${end}`,
  ];
  return {
    async up(db) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}

/** Figures of verdicts, and where a case stands with its reviewers, filled in for the cases that are there. */
export function reviewSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const real = kind === 'sqlite' ? 'real' : 'double precision';
  const columns = [
    `score ${real}`,
    `probability ${real}`,
    `cost_usd ${real}`,
    `latency_ms ${real}`,
    `urgency ${real} not null default 0`,
    `stage ${text}`,
  ];
  return {
    async up(db: Kysely<Tables>) {
      for (const column of columns) await sql.raw(`alter table listing add column ${column}`).execute(db);
      await fillIn(db);
      // With the job at its end, so that the cases of one are counted without being looked up.
      await sql
        .raw(
          'create index listing_by_urgency on listing (stage, urgency desc, opened_at, id, job) where stage is ' +
            'not null',
        )
        .execute(db);
    },
  };
}

async function fillIn(db: Kysely<Tables>): Promise<void> {
  for (let after: [string, string] = ['', '']; ;) {
    const rows = await closedAfter(db, after);
    if (rows.length === 0) return;
    const decisions = await decisionsOn(
      db,
      rows.filter(({ decided }) => decided === 1).map(({ id }) => id),
    );
    await db
      .insertInto('listing')
      .values(
        rows.map(({ answer, score, probability, again_how, forgotten_at, ...row }) => {
          const { costUsd, latencyMs } = readStoredMarks(answer);
          const urgency = measureUrgency({ ...row, score });
          const reviewed = isReviewed({ job: row.job, again_how, forgotten_at });
          const stage = reviewed
            ? computeStage({ label: row.label, unsure: urgency > 0, decisions: decisions.get(row.id) ?? [] })
            : null;
          return {
            ...row,
            score,
            probability,
            cost_usd: costUsd,
            latency_ms: latencyMs,
            urgency,
            stage,
          } as Insertable<Listing>;
        }),
      )
      .onConflict((conflict) =>
        conflict.columns(['opened_at', 'id']).doUpdateSet(({ ref }) => ({
          score: ref('excluded.score'),
          probability: ref('excluded.probability'),
          cost_usd: ref('excluded.cost_usd'),
          latency_ms: ref('excluded.latency_ms'),
          urgency: ref('excluded.urgency'),
          stage: ref('excluded.stage'),
        })),
      )
      .execute();
    const last = rows.at(-1)!;
    after = [last.opened_at, last.id];
  }
}

function closedAfter(db: Kysely<Tables>, after: [string, string]) {
  return db
    .selectFrom('listing')
    .innerJoin('debates', 'debates.id', 'listing.id')
    .innerJoin('verdicts', 'verdicts.debate', 'listing.id')
    .select([
      'listing.opened_at',
      'listing.id',
      'listing.job',
      'listing.label',
      'listing.escalate',
      'listing.degraded',
      'listing.decided',
      'listing.confidence',
      'listing.disagreement',
      'listing.categories',
      'listing.models',
      'verdicts.score',
      'verdicts.probability',
      'verdicts.answer',
      'debates.again_how',
      'debates.forgotten_at',
    ])
    .where(({ eb, refTuple, tuple }) => eb(refTuple('listing.opened_at', 'listing.id'), '>', tuple(...after)))
    .orderBy('listing.opened_at')
    .orderBy('listing.id')
    .limit(atOnce)
    .execute();
}

async function decisionsOn(db: Kysely<Tables>, ids: readonly string[]) {
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('decisions')
          .select(['case_id', 'label', 'decided_by as by'])
          .where('case_id', 'in', ids)
          .orderBy('decided_at')
          .orderBy('position')
          .execute();
  return Map.groupBy(rows, ({ case_id }) => case_id);
}
