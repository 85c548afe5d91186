import { sql, type ExpressionBuilder, type SelectQueryBuilder } from 'kysely';
import { unfoldBefore } from '../compact/unfold-case.ts';
import { pruneSingleRows } from '../compact/prune-rows.ts';
import type { Database, Kind, Trx } from '../database/database.ts';
import type { PruneOptions, PruneReport } from '../ledger.ts';
import { heldSubjects, isHeldItem } from '../holds/check-holds.ts';
import { forgetRecords } from '../records/leaves.ts';
import { dropInputs } from '../runs/item-outcomes.ts';
import type { Tables } from '../schema/tables.ts';
import { deleteUnusedAttachments, lockAttachments } from './attachments.ts';
import { forgetContent } from './forget-subject.ts';
import { deleteListing } from './listing.ts';
import { dropCalls } from '../calls/call-store.ts';

const nothing: PruneReport = { subjects: 0, debates: 0, entries: 0, cached: 0, items: 0, benches: 0, held: 0 };

/**
 * Takes away what is older and under no legal hold, all of it or, when something fails, none. A dry run does the same
 * and takes it back.
 */
export async function pruneLedger(
  database: Database,
  { before, what, dryRun = false }: PruneOptions,
): Promise<PruneReport> {
  const trx = await database.db.startTransaction().execute();
  try {
    await lockAttachments(trx, database.kind);
    const report = await prunings[what](trx, before.toISOString(), database.kind);
    await (dryRun ? trx.rollback() : trx.commit()).execute();
    if (!dryRun) await database.scrub();
    return report;
  } catch (error) {
    if (!trx.isCommitted && !trx.isRolledBack) await trx.rollback().execute();
    throw error;
  }
}

const prunings: Record<PruneOptions['what'], (trx: Trx, before: string, kind: Kind) => Promise<PruneReport>> = {
  async contents(trx, before, kind) {
    await unfoldBefore(trx, kind, before);
    const subjects = await trx
      .selectFrom('subjects')
      .select('hash')
      .where('forgotten_at', 'is', null)
      .where('opened_at', '<', before)
      .where(isFree(kind, 'subjects.hash'))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('debates')
              .select('debates.id')
              .whereRef('debates.subject', '=', 'subjects.hash')
              .where((debate) => debate.not(isUntouched(debate, before))),
          ),
        ),
      )
      .execute();
    const held = await countHeld(trx, kind, before, (debates) => debates.where('forgotten_at', 'is', null));
    const report = { ...nothing, subjects: subjects.length, held };
    const entries = await count(trx, 'entries');
    const cached = await count(trx, 'cache');
    for (const { hash } of subjects) report.debates += await forgetContent(trx, kind, hash);
    report.items = await pruneInputs(trx, before, kind);
    await deleteUnusedAttachments(trx);
    return {
      ...report,
      entries: entries - (await count(trx, 'entries')),
      cached: cached - (await count(trx, 'cache')),
    };
  },

  async cases(trx, before, kind) {
    const debates = await trx
      .selectFrom('debates')
      .select('debates.id')
      .where((debate) => isUntouched(debate, before))
      .where(isFree(kind, 'debates.subject'))
      .execute();
    const held = await countHeld(trx, kind, before);
    const items = await pruneInputs(trx, before, kind);
    const benches = await trx.deleteFrom('benches').where('touched_at', '<', before).executeTakeFirstOrThrow();
    const report = await dropDebates(
      trx,
      kind,
      debates.map(({ id }) => id),
    );
    const single = await pruneSingleRows(trx, kind, before);
    return {
      ...report,
      debates: report.debates + single.cases,
      subjects: report.subjects + single.contents,
      items,
      benches: Number(benches.numDeletedRows),
      held: held + single.held,
    };
  },

  async cache(trx, before) {
    const { numDeletedRows } = await trx.deleteFrom('cache').where('kept_at', '<', before).executeTakeFirstOrThrow();
    return { ...nothing, cached: Number(numDeletedRows) };
  },

  async unfinished(trx, before, kind) {
    const debates = await trx
      .selectFrom('debates')
      .select('debates.id')
      .where((debate) => isUntouched(debate, before))
      .where(isFree(kind, 'debates.subject'))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('verdicts').select('verdicts.debate').whereRef('verdicts.debate', '=', 'debates.id'))),
      )
      .execute();
    const report = await dropDebates(
      trx,
      kind,
      debates.map(({ id }) => id),
    );
    // A journal may be kept without a case.
    const looseCalls = await trx
      .selectFrom('calls')
      .select('debate')
      .distinct()
      .where('kept_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('debates').select('debates.id').whereRef('debates.id', '=', 'calls.debate'))),
      )
      .execute();
    for (const { debate } of looseCalls) await dropCalls(trx, kind, debate);
    const loose = await trx
      .deleteFrom('entries')
      .where('created_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('debates').select('debates.id').whereRef('debates.id', '=', 'entries.debate'))),
      )
      .executeTakeFirstOrThrow();
    return { ...report, entries: report.entries + Number(loose.numDeletedRows) };
  },
};

/** Runs that nobody went on with keep what came of their items; what was never judged goes. */
async function pruneInputs(trx: Trx, before: string, kind: Kind): Promise<number> {
  const error = {
    code: 'pruned',
    message: 'Its content was taken away before it was judged (`agon ledger prune`).',
    hint: 'Start a new run with the same input.',
  };
  return dropInputs(trx, kind, error, ({ and, not, exists, selectFrom }) => {
    const idle = selectFrom('runs')
      .select('runs.id')
      .whereRef('runs.id', '=', 'run_items.run')
      .where('runs.started_at', '<', before);
    const notEnded = idle.where(({ or, eb }) =>
      or([eb('runs.ended_at', 'is', null), eb('runs.ended_at', '<', before)]),
    );
    const isIdle = exists(
      notEnded.where(({ not: none, exists: some, selectFrom: from }) =>
        none(
          some(
            from('run_items as other')
              .select('other.position')
              .whereRef('other.run', '=', 'runs.id')
              .where('other.ended_at', '>=', before),
          ),
        ),
      ),
    );
    return and([isIdle, not(isHeldItem(kind, new Date()))]);
  });
}

/** Whether no hold covers a content. */
function isFree(kind: Kind, subject: string) {
  return sql<boolean>`${sql.ref(subject)} not in ${heldSubjects(kind, new Date())}`;
}

type OldDebates = SelectQueryBuilder<Tables, 'debates', object>;

/** How many cases would go but for a hold. */
async function countHeld(
  trx: Trx,
  kind: Kind,
  before: string,
  narrow: (debates: OldDebates) => OldDebates = (debates) => debates,
): Promise<number> {
  const { cases } = await narrow(
    trx
      .selectFrom('debates')
      .where((debate) => isUntouched(debate, before))
      .where(sql<boolean>`debates.subject in ${heldSubjects(kind, new Date())}`),
  )
    .select(({ fn }) => fn.countAll().as('cases'))
    .executeTakeFirstOrThrow();
  return Number(cases);
}

/** Neither opened, nor argued, nor closed since. */
function isUntouched({ and, not, exists, selectFrom, eb }: ExpressionBuilder<Tables, 'debates'>, before: string) {
  return and([
    eb('debates.opened_at', '<', before),
    not(
      exists(
        selectFrom('verdicts')
          .select('verdicts.debate')
          .whereRef('verdicts.debate', '=', 'debates.id')
          .where('verdicts.closed_at', '>=', before),
      ),
    ),
    not(
      exists(
        selectFrom('entries')
          .select('entries.id')
          .whereRef('entries.debate', '=', 'debates.id')
          .where('entries.created_at', '>=', before),
      ),
    ),
  ]);
}

async function dropDebates(trx: Trx, kind: Kind, ids: readonly string[]): Promise<PruneReport> {
  const report = { ...nothing, debates: ids.length };
  for (const id of ids) {
    const { numDeletedRows } = await trx.deleteFrom('entries').where('debate', '=', id).executeTakeFirstOrThrow();
    report.entries += Number(numDeletedRows);
    await dropCalls(trx, kind, id);
    // Its verdict and its decisions go with it.
    const { opened_at } = await trx
      .deleteFrom('debates')
      .where('id', '=', id)
      .returning('opened_at')
      .executeTakeFirstOrThrow();
    await deleteListing(trx, { opened_at, id });
  }
  await forgetRecords(trx, kind, 'removed', ids);
  const subjects = await trx
    .deleteFrom('subjects')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('debates').select('debates.id').whereRef('debates.subject', '=', 'subjects.hash'))),
    )
    .returning('hash')
    .execute();
  const hashes = subjects.map(({ hash }) => hash);
  await forgetRecords(trx, kind, 'removed', hashes);
  await deleteUnusedAttachments(trx);
  return { ...report, subjects: subjects.length };
}

async function count(trx: Trx, table: 'entries' | 'cache'): Promise<number> {
  const { rows } = await trx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('rows'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}
