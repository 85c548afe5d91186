import type { Insertable } from 'kysely';
import type { AnswerDescription, JobAnswer } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { fixedQuery, oneOf } from '../database/fixed-query.ts';
import { momentOf } from '../database/moment.ts';
import { fromStored, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { closeInOneStatement, openInOneStatement } from '../postgres/write-case.ts';
import { keepPictures } from '../pictures/picture-store.ts';
import { addLeaves, makeLeaf, type NewLeaf } from '../records/leaves.ts';
import { computeFirstStage, updateStage } from '../reviews/review-stage.ts';
import { keepPolicy } from '../server/policy-store.ts';
import type { Tables } from '../schema/tables.ts';
import { keepContext } from './context-store.ts';
import { hasAttachments, keepAttachments, listAttachments, lockAttachments } from './attachments.ts';
import { findSummaries } from './case-summaries.ts';
import { gatherWrites } from '../database/gather-writes.ts';
import { decidedKeeper } from '../compact/keep-decided.ts';
import { recallDecided } from '../compact/recall-decided.ts';
import { unfoldCases } from '../compact/unfold-case.ts';
import type { Cases, UnrecordedOpening } from './cases.ts';
import { findCase, findCompactCase, findVerdicts } from './find-case.ts';
import { forgetSubject } from './forget-subject.ts';
import {
  makeExcerpt,
  makeFoundExcerpt,
  indexWords,
  insertListing,
  makeListedVerdict,
  nameCaseLanguage,
  updateListedVerdict,
  type ListedVerdict,
} from './listing.ts';
import { listCases, readNewestTexts } from './list-cases.ts';
import { hashWithoutUsage, readVerdict } from './verdict-columns.ts';

export function caseStore(database: Database): Cases {
  const { db, kind, write } = database;
  let keepCompact: ReturnType<typeof decidedKeeper> | undefined;
  const cases: Cases = {
    async keepDecided(decided) {
      const { opened, answer, description } = decided;
      keepCompact ??= decidedKeeper(database);
      if (await keepCompact(decided)) return answer;
      const standing = (await findCompactCase(db, kind, opened.id))?.answer;
      // The same judgement, which took longer or less long.
      if (standing?.seal === answer.seal) return standing;
      await cases.openCase(opened);
      return cases.closeCase(answer, description);
    },
    recallDecided: gatherWrites((opened: readonly UnrecordedOpening[]) => recallDecided(db, kind, opened), {
      atOnce: 2,
    }),
    async openCase(opened) {
      const now = new Date().toISOString();
      const plainCase = kind === 'postgresql' && !opened.subject.attachments?.length && !opened.context;
      const subject = subjectRow(opened, now);
      const language = toStorable(opened.context?.language ?? (await nameCaseLanguage(subject.excerpt)));
      const words = indexWords(subject.search);
      if (plainCase && (await openInOneStatement(db, subject, debateRow(opened, now), { ...words, language }))) return;
      await write((trx) => openCase(trx, kind, opened, language));
    },
    async closeCase(answer, description) {
      const { pictures = [] } = description.index;
      const found = makeFoundExcerpt(answer);
      const keepBeside = async (trx: Trx) => {
        if (pictures.length > 0) await keepPictures(trx, answer.id, pictures);
        await keepFoundExcerpt(trx, answer.id, found);
      };
      if (kind === 'postgresql') {
        const { row, listed } = makeVerdictRow(answer, description);
        if (await closeInOneStatement(db, row, listed, computeFirstStage(listed))) {
          if (pictures.length > 0 || found !== null) await write(keepBeside);
          return answer;
        }
      }
      return write(async (trx) => {
        const standing = await closeCase(trx, kind, answer, description);
        await keepBeside(trx);
        return standing;
      });
    },
    async holdCases(ids) {
      if (ids.length === 0) return;
      await write((trx) =>
        trx
          .updateTable('debates')
          .set({ seen_at: momentOf(kind) })
          .where(oneOf(kind, 'id', ids))
          .execute(),
      );
    },
    async interruptCase(id, problem) {
      await write((trx) =>
        trx
          .updateTable('debates')
          .set({ problem: toStored(problem) })
          .where('id', '=', id)
          .where('forgotten_at', 'is', null)
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('verdicts').select('debate').where('debate', '=', id))),
          )
          .execute(),
      );
    },
    findCase: (id) => findCase(db, kind, id),
    async listAttachments(id) {
      const row = await db
        .selectFrom('debates')
        .select('subject')
        .where('id', '=', id)
        .where('forgotten_at', 'is', null)
        .executeTakeFirst();
      return row ? listAttachments(db, row.subject) : [];
    },
    findVerdicts: (ids) => findVerdicts(db, kind, ids),
    listCases: (filter, options) => listCases(db, kind, filter, options),
    readNewestTexts: (job, most) => readNewestTexts(db, job, most),
    findSummaries: (ids) => findSummaries(db, kind, ids),
    async forgetSubject(subject) {
      const debates = await write((trx) => forgetSubject(trx, kind, subject));
      await database.scrub();
      return debates;
    },
  };
  return cases;
}

async function openCase(trx: Trx, kind: Kind, opened: UnrecordedOpening, language: string | null): Promise<void> {
  const { subject, policy } = opened;
  const now = new Date().toISOString();
  const attachments = subject.attachments ?? [];
  if (attachments.length > 0) await lockAttachments(trx, kind);
  await unfoldCases(trx, kind, [opened.id]);
  await keepPolicy(trx, kind, policy);

  // A subject that was forgotten is here again because somebody brought it again.
  const row = subjectRow(opened, now);
  const { rows: brought } = await insertSubject(trx, row);
  // One that was judged without its files gets them when they are brought.
  if (attachments.length > 0 && (brought.length > 0 || !(await hasAttachments(trx, subject.hash))))
    await keepAttachments(trx, subject.hash, attachments);
  const own = debateRow(opened, now);
  const {
    rows: [debate],
  } = await insertDebate(trx, own);
  const leaves: NewLeaf[] = [];
  if (brought.length > 0) leaves.push(makeLeaf('subject', row));
  // One that was forgotten is on record as it was opened first.
  if (debate?.opened_at === now) leaves.push(makeLeaf('case', own));
  await addLeaves(trx, kind, leaves);
  if (!debate) {
    await holdAgain(trx, { id: opened.id, seen_at: now });
    return;
  }
  if (opened.context) await keepContext(trx, opened.id, debate.opened_at, opened.context);
  await insertListing(trx, {
    opened_at: debate.opened_at,
    id: opened.id,
    job: opened.job,
    run: opened.run ?? null,
    language,
    channel: toStorable(opened.context?.channel ?? null),
    shadow: Number(opened.again?.how === 'shadow'),
    ...indexWords(row.search),
  });
}

function subjectRow({ subject }: UnrecordedOpening, now: string): Tables['subjects'] {
  const excerpt = makeExcerpt(subject.content);
  return {
    hash: subject.hash,
    opened_at: now,
    version: storedVersion,
    content: toStored(subject.content),
    excerpt,
    search: excerpt.toLowerCase(),
    forgotten_at: null,
  };
}

function debateRow(
  { id, job, subject, configuration, settings, policy, run = null, again = null }: UnrecordedOpening,
  now: string,
): Insertable<Tables['debates']> {
  return {
    id,
    version: storedVersion,
    job,
    subject: subject.hash,
    configuration,
    settings: toStored(settings),
    policy: policy.hash,
    run,
    again_of: again?.of ?? null,
    again_how: again?.how ?? null,
    opened_at: now,
    forgotten_at: null,
    seen_at: now,
    problem: null,
  };
}

const insertSubject = fixedQuery((db, { hash, opened_at, ...content }: Insertable<Tables['subjects']>) =>
  db
    .insertInto('subjects')
    .values({ hash, opened_at, ...content })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet(content).where('subjects.forgotten_at', 'is not', null),
    )
    .returning('hash'),
);

const insertDebate = fixedQuery((db, debate: Insertable<Tables['debates']>) =>
  db
    .insertInto('debates')
    .values(debate)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ forgotten_at: null }).where('debates.forgotten_at', 'is not', null),
    )
    .returning('opened_at'),
);

/** It is held again; what stopped it no longer does. */
const holdAgain = fixedQuery((db, { id, seen_at }: { id: string; seen_at: string }) =>
  db.updateTable('debates').set({ seen_at, problem: null }).where('id', '=', id),
);

async function closeCase(trx: Trx, kind: Kind, answer: JobAnswer, description: AnswerDescription): Promise<JobAnswer> {
  const {
    rows: [debate],
  } = await findDebate[kind](trx, { id: answer.id });
  if (!debate) throw unknownCase(answer.id);
  const {
    rows: [standing],
  } = await findVerdict(trx, { id: answer.id });
  // A trial that was recalled ends as it did; only what it cost to recall differs, and the first record of it stands.
  const recorded = standing?.answer ? fromStored('verdict', standing.version, standing.answer) : null;
  if (recorded && hashWithoutUsage(recorded) === hashWithoutUsage(answer)) return recorded;
  const { row, listed } = makeVerdictRow(answer, description);
  const kept = debate.forgotten_at === null ? row : { ...row, answer: null };
  await keepVerdict(trx, kept);
  await addLeaves(trx, kind, [makeLeaf('answer', kept)]);
  await updateListedVerdict(trx, { id: answer.id, ...listed });
  await updateStage(trx, answer.id);
  return answer;
}

/** A subject without words of its own is listed by those that tools found in it. */
async function keepFoundExcerpt(trx: Trx, id: string, excerpt: string | null): Promise<void> {
  if (excerpt === null) return;
  const debate = await trx
    .selectFrom('debates')
    .select(['subject', 'opened_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!debate) return;
  const search = excerpt.toLowerCase();
  const { numUpdatedRows } = await trx
    .updateTable('subjects')
    .set({ excerpt, search })
    .where('hash', '=', debate.subject)
    .where('excerpt', '=', '')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n)
    await trx
      .updateTable('listing')
      .set(indexWords(search))
      .where('opened_at', '=', debate.opened_at)
      .where('id', '=', id)
      .execute();
}

function makeVerdictRow(
  answer: JobAnswer,
  description: AnswerDescription,
): { row: Insertable<Tables['verdicts']>; listed: ListedVerdict } {
  const { columns, marks } = readVerdict(answer, description);
  const row = {
    debate: answer.id,
    version: storedVersion,
    ...columns,
    answer: toStored(answer),
    seal: answer.seal,
    closed_at: new Date().toISOString(),
  };
  return { row, listed: makeListedVerdict(columns, marks) };
}

const selectDebate = (db: Db, { id }: { id: string }) =>
  db.selectFrom('debates').select('forgotten_at').where('id', '=', id);
const findDebate = {
  sqlite: fixedQuery(selectDebate),
  postgresql: fixedQuery((db, values: { id: string }) => selectDebate(db, values).forShare()),
};

const findVerdict = fixedQuery((db, { id }: { id: string }) =>
  db.selectFrom('verdicts').select(['version', 'answer']).where('debate', '=', id),
);

const keepVerdict = fixedQuery((db, { debate, ...row }: Insertable<Tables['verdicts']>) =>
  db
    .insertInto('verdicts')
    .values({ debate, ...row })
    .onConflict((conflict) => conflict.column('debate').doUpdateSet(row)),
);

export function unknownCase(id: string): AgonError {
  return new AgonError('unknown-case', `The ledger has no case ${id}.`, {
    library: 'List the cases, or open another ledger.',
    cli: '`agon cases` lists them; --ledger FILE names another ledger.',
    api: 'GET /api/cases lists them.',
  });
}
