import type { JournalEntry } from '../../debate/index.ts';
import { contextSchema } from '../../item-context.ts';
import type { JobAnswer } from '../../jobs/index.ts';
import type { KeptPrecedent } from '../../precedents/index.ts';
import { insertAnnotationLine } from '../annotation/annotation-lines.ts';
import { encodeKey } from '../benches/bench-store.ts';
import { forgottenItem } from '../cases/forget-subject.ts';
import { keepContext } from '../cases/context-store.ts';
import { insertEntry } from '../cases/journal-store.ts';
import { nameLanguage } from '../cases/name-language.ts';
import { indexWords, insertListing, makeListedVerdict, noMarks, updateListedVerdict } from '../cases/listing.ts';
import { readVerdict } from '../cases/verdict-columns.ts';
import { keepPictures, picturesOf } from '../pictures/picture-store.ts';
import type { Kind, Trx } from '../database/database.ts';
import { fixedQuery, insertNew } from '../database/fixed-query.ts';
import { toStorable, toStored } from '../database/stored-json.ts';
import { applyHoldEntry } from '../holds/hold-log.ts';
import { insertPrecedent } from '../precedents/precedent-store.ts';
import { makeCorrectionRow } from '../reviews/correction-store.ts';
import { makeQueueRow } from '../reviews/queue-store.ts';
import { makeEditRow } from '../reviews/finding-edit-store.ts';
import { compressText, listReferences } from '../calls/pack-call.ts';
import { sha256 } from '../../hash.ts';
import { makeAuditRow } from '../server/audit-store.ts';
import { updateStage } from '../reviews/review-stage.ts';
import { makeResultColumns } from '../runs/run-rows.ts';
import type { Line, LineOf } from './line-schemas.ts';

/** False when a row stands in its place. */
export async function insertLine(trx: Trx, kind: Kind, line: Exclude<Line, { kind: 'ledger' }>): Promise<boolean> {
  const { version } = line;
  switch (line.kind) {
    case 'policy': {
      const row = {
        hash: line.hash,
        version,
        name: toStorable(line.name),
        policy_version: toStorable(line.policyVersion),
        document: toStored(line.document),
        kept_at: line.keptAt ?? null,
      };
      return insertNew(trx.insertInto('policies').values(row));
    }
    case 'queue': {
      const { kind: _, position, createdAt, ...queue } = line;
      const row = makeQueueRow({ ...queue, createdAt: new Date(createdAt) }, version);
      return insertNew(trx.insertInto('queues').values({ ...row, position }));
    }
    case 'attachment': {
      const row = {
        hash: line.hash,
        media_type: line.mediaType,
        data: Buffer.from(line.data, 'base64'),
        kept_at: null,
      };
      return insertNew(trx.insertInto('attachments').values(row));
    }
    case 'subject':
      return insertSubject(trx, line);
    case 'run': {
      const { id, job, configuration, state } = line;
      const row = {
        id,
        version,
        name: toStorable(line.name),
        job,
        configuration,
        settings: toStored(line.settings),
        input: toStorable(line.input),
        state,
        problem: toStorable(line.problem ?? null),
        total: line.total ?? null,
        started_at: line.startedAt,
        ended_at: line.endedAt,
      };
      return insertNew(trx.insertInto('runs').values(row));
    }
    case 'run-item':
      return insertRunItem(trx, line);
    case 'debate':
      return insertDebate(trx, line);
    case 'entry': {
      const { key, inputHash } = line.entry as JournalEntry;
      return insertEntry(trx, kind, {
        debate: line.debate,
        key,
        inputHash,
        version,
        entry: toStored(line.entry),
        createdAt: line.createdAt,
      });
    }
    case 'call-text': {
      const row = { hash: sha256(line.text), data: compressText(line.text) };
      return insertNew(trx.insertInto('call_texts').values(row));
    }
    case 'call':
      return insertCall(trx, line);
    case 'verdict':
      return insertVerdict(trx, line);
    case 'decision':
      return insertDecision(trx, line);
    case 'assignment':
      return insertAssignment(trx, line);
    case 'correction':
      return insertCorrection(trx, line);
    case 'finding-edit':
      return insertFindingEdit(trx, line);
    case 'precedent':
      return insertPrecedent(trx, kind, line.precedent as KeptPrecedent);
    case 'cache': {
      const row = { key: line.key, version, value: toStored(line.value), kept_at: line.keptAt };
      return insertNew(trx.insertInto('cache').values(row));
    }
    case 'bench': {
      const row = {
        id: line.id,
        version,
        name: toStorable(line.name),
        plan: toStored(line.plan),
        state: line.state,
        started_at: line.startedAt,
        ended_at: line.endedAt,
        touched_at: line.touchedAt,
      };
      return insertNew(trx.insertInto('benches').values(row));
    }
    case 'bench-judgement': {
      const row = { bench: line.bench, key: encodeKey(line.key), version, result: toStored(line.result) };
      return insertNew(trx.insertInto('bench_judgements').values(row));
    }
    case 'bench-attachment': {
      const row = { bench: line.bench, name: toStorable(line.name), version, value: toStored(line.value) };
      return insertNew(trx.insertInto('bench_attachments').values(row));
    }
    case 'annotation-project':
    case 'annotation-item':
    case 'annotation-vote':
    case 'annotation-adjudication':
      return insertAnnotationLine(trx, line);
    case 'audit': {
      const row = makeAuditRow({ ...line, at: new Date(line.at) }, version);
      const isNew = await insertNew(trx.insertInto('audit').values(row));
      if (isNew) await applyHoldEntry(trx, row);
      return isNew;
    }
  }
}

async function insertCall(
  trx: Trx,
  { version, debate, key, inputHash, position, call, keptAt }: LineOf<'call'>,
): Promise<boolean> {
  const about = await trx.selectFrom('debates').select('forgotten_at').where('id', '=', debate).executeTakeFirst();
  if (about?.forgotten_at) return false;
  const row = { debate, key, input_hash: inputHash, position, version, call: toStored(call), kept_at: keptAt };
  const inserted = await insertNew(trx.insertInto('calls').values(row));
  for (const hash of new Set(listReferences(call)))
    if (inserted) await insertNew(trx.insertInto('call_parts').values({ debate, hash }));
  return inserted;
}

async function insertSubject(
  trx: Trx,
  { version, hash, content, excerpt, attachments, openedAt, forgottenAt }: LineOf<'subject'>,
): Promise<boolean> {
  const words = toStorable(excerpt);
  const row = {
    hash,
    version,
    content: forgottenAt === null ? toStored(content) : null,
    excerpt: words,
    search: words?.toLowerCase() ?? null,
    opened_at: openedAt,
    forgotten_at: forgottenAt,
  };
  const inserted = await insertNew(trx.insertInto('subjects').values(row));
  if (!inserted) return false;
  for (const [position, attachment] of attachments.entries())
    await trx.insertInto('subject_attachments').values({ subject: hash, position, attachment }).execute();
  return true;
}

/** One about content that was forgotten here is forgotten too. */
async function insertDebate(
  trx: Trx,
  { version, id, job, subject, configuration, settings, policy, run, again, openedAt, ...line }: LineOf<'debate'>,
): Promise<boolean> {
  const {
    rows: [about],
  } = await subjectOf(trx, { hash: subject });
  const forgotten_at = line.forgottenAt ?? about?.forgotten_at ?? null;
  const row = {
    id,
    version,
    job,
    subject,
    configuration,
    settings: toStored(settings),
    policy,
    run,
    again_of: again?.of ?? null,
    again_how: again?.how ?? null,
    opened_at: openedAt,
    forgotten_at,
    // Whoever holds it holds it elsewhere.
    seen_at: null,
    problem: line.problem ? toStored(line.problem) : null,
  };
  const inserted = await insertNew(trx.insertInto('debates').values(row));
  const context = line.context !== undefined && forgotten_at === null ? contextSchema.parse(line.context) : undefined;
  if (inserted && context) await keepContext(trx, id, openedAt, context);
  if (inserted)
    await insertListing(trx, {
      opened_at: openedAt,
      id,
      job,
      run,
      language: context?.language ?? (await nameLanguage(forgotten_at === null ? (about?.search ?? null) : null)),
      channel: context?.channel ?? null,
      shadow: Number(again?.how === 'shadow'),
      ...indexWords(forgotten_at === null ? (about?.search ?? null) : null),
    });
  return inserted;
}

const subjectOf = fixedQuery((db, { hash }: { hash: string }) =>
  db.selectFrom('subjects').select(['search', 'forgotten_at']).where('hash', '=', hash),
);

async function insertDecision(
  trx: Trx,
  { id, version, case: case_id, label, why, clause, action, by, at, learntAt }: LineOf<'decision'>,
): Promise<boolean> {
  const row = {
    id,
    version,
    case_id,
    label,
    why: toStorable(why),
    clause: toStorable(clause),
    action: toStorable(action ?? null),
    decided_by: toStorable(by),
    decided_at: at,
    learnt_at: learntAt,
  };
  const inserted = await insertNew(trx.insertInto('decisions').values(row));
  if (inserted) await updateStage(trx, case_id);
  return inserted;
}

/** Only what waits here, for nobody in particular. */
async function insertAssignment(trx: Trx, { case: id, to }: LineOf<'assignment'>): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('listing')
    .set({ assigned: toStorable(to) })
    .where('id', '=', id)
    .where('opened_at', '=', trx.selectFrom('debates').select('opened_at').where('id', '=', id))
    .where('stage', 'in', ['first', 'second', 'dispute'])
    .where('assigned', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** What was forgotten here stays forgotten, and what was said of its claims with it. */
async function insertCorrection(trx: Trx, line: LineOf<'correction'>): Promise<boolean> {
  if (!(await isKept(trx, line.case))) return false;
  const { at, version, kind: _, ...correction } = line;
  return insertNew(trx.insertInto('corrections').values(makeCorrectionRow(correction, at, version)));
}

async function insertFindingEdit(trx: Trx, line: LineOf<'finding-edit'>): Promise<boolean> {
  if (!(await isKept(trx, line.case))) return false;
  return insertNew(trx.insertInto('finding_edits').values(makeEditRow({ ...line, at: new Date(line.at) })));
}

async function isKept(trx: Trx, caseId: string): Promise<boolean> {
  const query = trx.selectFrom('debates').select('id').where('id', '=', caseId).where('forgotten_at', 'is', null);
  return (await query.executeTakeFirst()) !== undefined;
}

/** An item whose content was forgotten here comes without it. */
async function insertRunItem(trx: Trx, line: LineOf<'run-item'>): Promise<boolean> {
  const { version, run, position, key, hash, input, expected, state, sameAs, attempts, result, error, endedAt } = line;
  const forgotten =
    input !== null &&
    (await trx
      .selectFrom('subjects')
      .select('hash')
      .where('hash', '=', hash.split('+')[0]!)
      .where('forgotten_at', 'is not', null)
      .executeTakeFirst()) !== undefined;
  const row = {
    run,
    position,
    version,
    key: toStorable(key),
    hash: toStorable(hash),
    expected: toStorable(expected),
    same_as: sameAs,
    attempts,
    worker: null,
    due_at: null,
    // The result of one that is the same as another stands with that one.
    ...(result && state !== 'same' && makeResultColumns(result)),
    ...(forgotten
      ? { input: null, state: 'failed' as const, error: toStored(forgottenItem), ended_at: new Date().toISOString() }
      : { input: input === null ? null : toStored(input), state, error: error && toStored(error), ended_at: endedAt }),
  };
  return insertNew(trx.insertInto('run_items').values(row));
}

/** The answer to a debate that was forgotten here does not come back. */
async function insertVerdict(trx: Trx, line: LineOf<'verdict'>): Promise<boolean> {
  const { version, debate, label, score, probability, escalate, rule, categories, degraded, modality } = line;
  const { answer, seal, closedAt, marks, action = null, severity = null } = line;
  const about = await trx.selectFrom('debates').select('forgotten_at').where('id', '=', debate).executeTakeFirst();
  const row = {
    debate,
    version,
    label,
    score,
    probability,
    escalate: Number(escalate),
    rule,
    categories: toStored(categories),
    degraded: Number(degraded),
    modality,
    action,
    severity,
    answer: answer === null || about?.forgotten_at ? null : toStored(answer),
    seal,
    closed_at: closedAt,
  };
  const inserted = await insertNew(trx.insertInto('verdicts').values(row));
  if (!inserted) return false;
  await updateListedVerdict(trx, {
    id: debate,
    ...makeListedVerdict(row, answer === null ? { ...noMarks, ...marks } : readVerdict(answer as JobAnswer).marks),
  });
  await updateStage(trx, debate);
  // Of a queue that is gone, what was drawn for it is still a sample.
  if (line.sampled) await trx.updateTable('listing').set({ sampled: 1 }).where('id', '=', debate).execute();
  if (row.answer !== null) await keepPictures(trx, picturesOf(answer as JobAnswer));
  return true;
}
