import { sql, type Insertable, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Kind } from '../database/database.ts';
import { readStoredMarks } from '../cases/listing.ts';
import { isReviewed, computeStage } from '../reviews/review-stage.ts';
import type { Listing, Tables } from '../tables/tables.ts';
import { measureUrgency } from '../reviews/urgency.ts';

/** Answers are large. */
const atOnce = 200;

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
          } satisfies Insertable<Listing>;
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
