import type { PastDecision } from '@agonhq/engine/debate';
import type { Selectable } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import { unknownCase } from '../cases/case-store.ts';
import { unfoldCases } from '../compact/unfold-case.ts';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { insertNew, oneOf } from '../database/fixed-query.ts';
import { gatherWrites } from '../database/gather-writes.ts';
import { readMoment, storedVersion, toStorable } from '../database/stored-json.ts';
import { addLeaves, makeLeaf } from '../records/leaves.ts';
import { makeOnce } from '../server/make-once.ts';
import type { Tables } from '../schema/tables.ts';
import { findStageWith, updateStage, type ReviewStage, type SecondReview } from './review-stage.ts';

/**
 * What a person, or labelled data, says the truth of a case is. Never changed: a later one stands over an earlier
 * one.
 */
export interface Decision {
  id: string;
  /** The debate's id. */
  case: string;
  label: 'safe' | 'unsafe';
  why: string | null;
  clause: string | null;
  /** What is to be done; null where nobody said, and for what is older. */
  action: string | null;
  /** Who decided: a name, `feedback`, `dataset:NAME`. */
  by: string;
  at: Date;
  /** When the curator took it up; null until then. */
  learntAt: Date | null;
}

export type NewDecision = Pick<Decision, 'case' | 'label' | 'by'> &
  Partial<Pick<Decision, 'why' | 'clause' | 'action' | 'at'>>;

export interface RecordOptions {
  /** Which decisions a second person must confirm; those that contradict the verdict by default. */
  secondReview?: SecondReview;
  /** The stages of a review at which who has decided already may not decide again: reviews are independent. */
  onceAt?: readonly ReviewStage[];
  /** Refused unless the case waits for a person: who reviews does not decide over what others have settled. */
  onlyWaiting?: boolean;
  /** Refused where somebody has decided it: who decides many at once has looked at none of them again. */
  onlyUndecided?: boolean;
  /** The request that it is the only decision of on this case. */
  once?: KeyedRequest | undefined;
}

export interface Decisions {
  /** The same decision by the same person is recorded once. The case moves on to the next stage of its review. */
  recordDecision(decision: NewDecision, options?: RecordOptions): Promise<Decision>;
  /** In the order they were made. */
  listDecisions(caseId: string): Promise<readonly Decision[]>;
  /**
   * What a person decided last of the content with this hash, in whichever case, if that was another label than the
   * verdict's; null otherwise. Looked up with others that are asked for at once.
   */
  findCorrection(subject: string): Promise<PastDecision | null>;
  /** The standing decision of each case, the oldest first, with what was decided before. */
  readStandingDecisions(filter?: {
    wrong?: boolean;
    unlearnt?: boolean;
    since?: Date;
    run?: string;
  }): AsyncIterable<Decision & { verdict: string }>;
  markLearnt(ids: readonly string[]): Promise<void>;
}

const pageSize = 500;

export function decisionStore({ db, kind, write }: Database): Decisions {
  return {
    recordDecision: (decision, options = {}) =>
      write(async (trx) => {
        const record = () => recordDecision(trx, kind, decision, options);
        const id = await makeOnce(trx, kind, options.once, record, decision.case);
        return readDecision(
          await trx.selectFrom('decisions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        );
      }),
    async listDecisions(caseId) {
      const rows = await db
        .selectFrom('decisions')
        .selectAll()
        .where('case_id', '=', caseId)
        .orderBy('decided_at')
        .orderBy('position')
        .execute();
      return rows.map(readDecision);
    },
    findCorrection: gatherWrites((subjects: readonly string[]) => findCorrections(db, kind, subjects), { atOnce: 2 }),
    readStandingDecisions: (filter = {}) => readStandingDecisions(db, filter),
    async markLearnt(ids) {
      const learnt_at = new Date().toISOString();
      await write(async (trx) => {
        for (const id of ids)
          await trx
            .updateTable('decisions')
            .set({ learnt_at })
            .where('id', '=', id)
            .where('learnt_at', 'is', null)
            .execute();
      });
    },
  };
}

/** The labels of a data set are no person's word: what is measured on it must not be told them. */
async function findCorrections(db: Db, kind: Kind, subjects: readonly string[]): Promise<(PastDecision | null)[]> {
  const rows = await db
    .selectFrom('debates')
    .innerJoin('decisions', 'decisions.case_id', 'debates.id')
    .innerJoin('verdicts', 'verdicts.debate', 'debates.id')
    .select(['debates.id', 'debates.subject', 'decisions.label', 'decisions.decided_at', 'verdicts.label as verdict'])
    .where(oneOf(kind, 'debates.subject', subjects))
    .where('decisions.decided_by', 'not like', 'dataset:%')
    .orderBy('decisions.decided_at')
    .orderBy('decisions.position')
    .execute();
  const last = new Map(rows.map((row) => [row.subject, row]));
  return subjects.map((subject) => {
    const found = last.get(subject);
    return found && found.label !== found.verdict ? { case: found.id, label: found.label, at: found.decided_at } : null;
  });
}

async function recordDecision(trx: Trx, kind: Kind, decision: NewDecision, options: RecordOptions): Promise<string> {
  const { case: case_id, label } = decision;
  await unfoldCases(trx, kind, [case_id]);
  const debate = await trx
    .selectFrom('debates')
    .select('id')
    .where('id', '=', case_id)
    .$if(kind === 'postgresql', (query) => query.forUpdate())
    .executeTakeFirst();
  if (!debate) throw unknownCase(case_id);
  const said = {
    label,
    why: toStorable(decision.why ?? null),
    clause: toStorable(decision.clause ?? null),
    action: toStorable(decision.action ?? null),
    decided_by: toStorable(decision.by),
  };
  const earlier = await trx
    .selectFrom('decisions')
    .selectAll()
    .where('case_id', '=', case_id)
    .orderBy('decided_at')
    .orderBy('position')
    .execute();
  const last = earlier.findLast(({ decided_by }) => decided_by === said.decided_by);
  if (last && (['label', 'why', 'clause', 'action'] as const).every((name) => last[name] === said[name]))
    return last.id;
  await assertOpenTo(trx, said.decided_by, case_id, earlier, options);
  const decided_at = (decision.at ?? new Date()).toISOString();
  const id = `dec-${hashOf([case_id, said, decided_at]).slice(7, 23)}`;
  const row = { id, version: storedVersion, case_id, ...said, decided_at, learnt_at: null };
  if (await insertNew(trx.insertInto('decisions').values(row))) await addLeaves(trx, kind, [makeLeaf('decision', row)]);
  await updateStage(trx, case_id, options.secondReview);
  return id;
}

async function assertOpenTo(
  trx: Trx,
  name: string,
  caseId: string,
  earlier: readonly Selectable<Tables['decisions']>[],
  { secondReview, onceAt = [], onlyWaiting = false, onlyUndecided = false }: RecordOptions,
): Promise<void> {
  if (onlyUndecided && earlier.length > 0)
    throw new AgonError(
      'decided-meanwhile',
      `${earlier.at(-1)!.decided_by} has decided case ${caseId} meanwhile.`,
      'Open it by itself, if it still waits.',
    );
  if (onceAt.length === 0 && !onlyWaiting) return;
  const stage = await findStageWith(
    trx,
    caseId,
    earlier.map(({ label, decided_by }) => ({ label, by: decided_by })),
    secondReview,
  );
  if (stage !== null && onceAt.includes(stage) && earlier.some(({ decided_by }) => decided_by === name)) {
    throw new AgonError(
      'decided-already',
      `${name} has already decided case ${caseId}.`,
      'That decision stands. A second opinion must come from another person.',
    );
  }
  if (onlyWaiting && (stage === null || stage === 'done'))
    throw new AgonError(
      'not-waiting',
      `Case ${caseId} needs no review: the machine is sure of it, or people have settled it.`,
      'Take another one: GET /api/queue. Feedback can be given on any case.',
    );
}

async function* readStandingDecisions(
  db: Db,
  { wrong, unlearnt, since, run }: NonNullable<Parameters<Decisions['readStandingDecisions']>[0]>,
): AsyncGenerator<Decision & { verdict: string }> {
  for (let after: [string, number] = ['', -1], more = true; more;) {
    let query = db
      .selectFrom('decisions')
      .innerJoin('debates', 'debates.id', 'decisions.case_id')
      .innerJoin('verdicts', 'verdicts.debate', 'decisions.case_id')
      .selectAll('decisions')
      .select('verdicts.label as verdict')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('decisions as later')
              .select('later.id')
              .whereRef('later.case_id', '=', 'decisions.case_id')
              .where(({ eb, refTuple }) =>
                eb(
                  refTuple('later.decided_at', 'later.position'),
                  '>',
                  refTuple('decisions.decided_at', 'decisions.position'),
                ),
              ),
          ),
        ),
      )
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('decisions.decided_at', 'decisions.position'), '>', tuple(...after)),
      )
      .orderBy('decisions.decided_at')
      .orderBy('decisions.position')
      .limit(pageSize);
    if (wrong !== undefined) query = query.whereRef('decisions.label', wrong ? '!=' : '=', 'verdicts.label');
    if (unlearnt !== undefined) query = query.where('decisions.learnt_at', unlearnt ? 'is' : 'is not', null);
    if (since) query = query.where('decisions.decided_at', '>=', since.toISOString());
    if (run !== undefined) query = query.where('debates.run', '=', run);
    const rows = await query.execute();
    for (const row of rows) yield { ...readDecision(row), verdict: row.verdict };
    const last = rows.at(-1);
    more = rows.length === pageSize;
    if (last) after = [last.decided_at, last.position];
  }
}

function readDecision(row: Selectable<Tables['decisions']>): Decision {
  const { id, case_id, label, why, clause, action, decided_by, decided_at, learnt_at } = row;
  const [at, learntAt] = [new Date(decided_at), readMoment(learnt_at)];
  return { id, case: case_id, label, why, clause, action, by: decided_by, at, learntAt };
}
