import { sql } from 'kysely';
import type { Answer, JournalEntry } from '../debate/index.ts';
import { AgonError } from '../errors.ts';
import type { KeptPrecedent } from '../precedents/index.ts';
import { insertAnnotationLine } from './annotation/annotation-lines.ts';
import { keyColumn } from './benches/bench-store.ts';
import { dropLooseAttachments, lockAttachments } from './cases/attachments.ts';
import { forgottenItem } from './cases/forget-subject.ts';
import { insertEntry } from './cases/journal-store.ts';
import { listCase, listedVerdict, listedWords, listVerdict, noMarks } from './cases/listing.ts';
import { readStoredAnswer, verdictMarks } from './cases/verdict-columns.ts';
import type { Database, Kind, Trx } from './database/database.ts';
import { fixedQuery } from './database/fixed-query.ts';
import { plain, problemWith, storedVersion, toStored } from './database/stored-json.ts';
import type { ImportReport } from './ledger.ts';
import { lineSchema, type Line, type LineOf } from './line-schemas.ts';
import { insertPrecedent } from './precedents/precedent-store.ts';
import { restage } from './reviews/review-stage.ts';
import { resultColumns } from './runs/run-rows.ts';

/** The version of the whole export: its kinds of lines and their order. */
const exportVersion = 1;

/** Reads lines in, all or none: values, or lines of text that hold them. */
export async function importLines(database: Database, lines: AsyncIterable<unknown>): Promise<ImportReport> {
  const report: ImportReport = { inserted: {}, present: {} };
  await database.db.transaction().execute(async (trx) => {
    // Lines may come slowly.
    if (database.kind === 'postgresql') await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    await lockAttachments(trx, database.kind);
    let number = 0;
    for await (const line of lines) {
      number += 1;
      if (typeof line === 'string' && line.trim() === '') continue;
      const read = readLine(line, number);
      if (read.kind === 'ledger') continue;
      const counts = (await insertNamed(trx, database.kind, read, number)) ? report.inserted : report.present;
      counts[read.kind] = (counts[read.kind] ?? 0) + 1;
    }
    // An image whose subject was forgotten here does not come back with it.
    await dropLooseAttachments(trx);
  });
  return report;
}

function readLine(line: unknown, number: number): Line {
  let value = line;
  if (typeof line === 'string') {
    try {
      value = JSON.parse(line);
    } catch (error) {
      throw badLine(number, `it is not JSON: ${(error as Error).message}`, error);
    }
  }
  const { success, data, error } = lineSchema.safeParse(value);
  if (!success) {
    const [first] = error.issues;
    const { kind, version } = (value ?? {}) as { kind?: unknown; version?: unknown };
    if (typeof version === 'number' && version > storedVersion) throw badLine(number, newer(version, storedVersion));
    throw badLine(
      number,
      first!.code === 'invalid_union'
        ? `no row of a ledger is of the kind ${JSON.stringify(kind) ?? 'undefined'}`
        : `${first!.path.join('.') || 'it'}: ${first!.message}`,
    );
  }
  const problem = problemOf(data);
  if (problem) throw badLine(number, problem);
  return data;
}

function problemOf(line: Line): string | null {
  if (line.kind === 'ledger')
    return line.version > exportVersion
      ? `the export has version ${line.version}, this Agon reads ${exportVersion}: update Agon`
      : null;
  if (line.kind === 'attachment' || line.kind === 'decision')
    return line.version > storedVersion ? newer(line.version, storedVersion) : null;
  const document = line.kind === 'entry' ? line.entry : line.kind === 'precedent' ? line.precedent : null;
  return (
    problemWith(line.kind, line.version, document)?.message ??
    (line.kind === 'verdict' && line.answer !== null ? answerProblem(line) : null)
  );
}

function newer(version: number, known: number): string {
  return `its version is ${version}, this Agon reads ${known}: update Agon`;
}

function answerProblem({ answer, debate, seal }: LineOf<'verdict'>): string | null {
  try {
    const read = readStoredAnswer(toStored(answer), 'its answer');
    return read.id === debate && read.seal === seal ? null : 'its answer is that of another debate';
  } catch (error) {
    return (error as Error).message;
  }
}

async function insertNamed(
  trx: Trx,
  kind: Kind,
  line: Exclude<Line, { kind: 'ledger' }>,
  number: number,
): Promise<boolean> {
  try {
    return await insertLine(trx, kind, line);
  } catch (error) {
    if (AgonError.is(error) && error.code === 'ledger-constraint')
      throw badLine(
        number,
        `the ${line.kind} refers to something that came neither before it nor is in the ledger`,
        error,
      );
    throw error;
  }
}

/** False when a row stands in its place. */
async function insertLine(trx: Trx, kind: Kind, line: Exclude<Line, { kind: 'ledger' }>): Promise<boolean> {
  const { version } = line;
  switch (line.kind) {
    case 'policy': {
      const row = {
        hash: line.hash,
        version,
        name: plain(line.name),
        policy_version: plain(line.policyVersion),
        document: toStored(line.document),
        kept_at: line.keptAt ?? null,
      };
      return some(
        await trx
          .insertInto('policies')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('hash')
          .execute(),
      );
    }
    case 'attachment': {
      const row = {
        hash: line.hash,
        media_type: line.mediaType,
        data: Buffer.from(line.data, 'base64'),
        kept_at: null,
      };
      return some(
        await trx
          .insertInto('attachments')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('hash')
          .execute(),
      );
    }
    case 'subject':
      return insertSubject(trx, line);
    case 'run': {
      const { id, job, configuration, state } = line;
      const row = {
        id,
        version,
        name: plain(line.name),
        job,
        configuration,
        settings: toStored(line.settings),
        input: plain(line.input),
        state,
        problem: plain(line.problem ?? null),
        total: line.total ?? null,
        started_at: line.startedAt,
        ended_at: line.endedAt,
      };
      return some(
        await trx
          .insertInto('runs')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .execute(),
      );
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
    case 'verdict':
      return insertVerdict(trx, line);
    case 'decision':
      return insertDecision(trx, line);
    case 'precedent':
      return insertPrecedent(trx, kind, line.precedent as KeptPrecedent);
    case 'cache': {
      const row = { key: line.key, version, value: toStored(line.value), kept_at: line.keptAt };
      return some(
        await trx
          .insertInto('cache')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('key')
          .execute(),
      );
    }
    case 'bench': {
      const row = {
        id: line.id,
        version,
        name: plain(line.name),
        plan: toStored(line.plan),
        state: line.state,
        started_at: line.startedAt,
        ended_at: line.endedAt,
        touched_at: line.touchedAt,
      };
      return some(
        await trx
          .insertInto('benches')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('id')
          .execute(),
      );
    }
    case 'bench-judgement': {
      const row = { bench: line.bench, key: keyColumn(line.key), version, result: toStored(line.result) };
      return some(
        await trx
          .insertInto('bench_judgements')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('key')
          .execute(),
      );
    }
    case 'bench-attachment': {
      const row = { bench: line.bench, name: plain(line.name), version, value: toStored(line.value) };
      return some(
        await trx
          .insertInto('bench_attachments')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .returning('name')
          .execute(),
      );
    }
    case 'annotation-project':
    case 'annotation-item':
    case 'annotation-vote':
    case 'annotation-adjudication':
      return insertAnnotationLine(trx, line);
  }
}

async function insertSubject(
  trx: Trx,
  { version, hash, content, excerpt, attachments, openedAt, forgottenAt }: LineOf<'subject'>,
): Promise<boolean> {
  const words = plain(excerpt);
  const row = {
    hash,
    version,
    content: forgottenAt === null ? toStored(content) : null,
    excerpt: words,
    search: words?.toLowerCase() ?? null,
    opened_at: openedAt,
    forgotten_at: forgottenAt,
  };
  const inserted = some(
    await trx
      .insertInto('subjects')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('hash')
      .execute(),
  );
  if (!inserted) return false;
  for (const [position, attachment] of attachments.entries())
    await trx.insertInto('subject_attachments').values({ subject: hash, position, attachment }).execute();
  return true;
}

/** One about content that was forgotten here is forgotten too. */
async function insertDebate(
  trx: Trx,
  { version, id, job, subject, configuration, settings, policy, run, again, openedAt, forgottenAt }: LineOf<'debate'>,
): Promise<boolean> {
  const {
    rows: [about],
  } = await subjectOf(trx, { hash: subject });
  const forgotten_at = forgottenAt ?? about?.forgotten_at ?? null;
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
  };
  const inserted = some(
    await trx
      .insertInto('debates')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute(),
  );
  if (inserted)
    await listCase(trx, {
      opened_at: openedAt,
      id,
      job,
      run,
      ...listedWords(forgotten_at === null ? (about?.search ?? null) : null),
    });
  return inserted;
}

const subjectOf = fixedQuery((db, { hash }: { hash: string }) =>
  db.selectFrom('subjects').select(['search', 'forgotten_at']).where('hash', '=', hash),
);

async function insertDecision(
  trx: Trx,
  { id, version, case: case_id, label, why, clause, by, at, learntAt }: LineOf<'decision'>,
): Promise<boolean> {
  const row = {
    id,
    version,
    case_id,
    label,
    why: plain(why),
    clause: plain(clause),
    decided_by: plain(by),
    decided_at: at,
    learnt_at: learntAt,
  };
  const inserted = some(
    await trx
      .insertInto('decisions')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute(),
  );
  if (inserted) await restage(trx, case_id);
  return inserted;
}

/** An item whose content was forgotten here comes without it. */
async function insertRunItem(
  trx: Trx,
  {
    version,
    run,
    position,
    key,
    hash,
    input,
    expected,
    state,
    sameAs,
    attempts,
    result,
    error,
    endedAt,
  }: LineOf<'run-item'>,
): Promise<boolean> {
  const forgotten =
    input !== null &&
    some(
      await trx
        .selectFrom('subjects')
        .select('hash')
        .where('hash', '=', hash)
        .where('forgotten_at', 'is not', null)
        .execute(),
    );
  const row = {
    run,
    position,
    version,
    key: plain(key),
    hash: plain(hash),
    expected: plain(expected),
    same_as: sameAs,
    attempts,
    worker: null,
    due_at: null,
    ...(result && resultColumns(result)),
    ...(forgotten
      ? { input: null, state: 'failed' as const, error: toStored(forgottenItem), ended_at: new Date().toISOString() }
      : { input: input === null ? null : toStored(input), state, error: error && toStored(error), ended_at: endedAt }),
  };
  return some(
    await trx
      .insertInto('run_items')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('position')
      .execute(),
  );
}

/** The answer to a debate that was forgotten here does not come back. */
async function insertVerdict(
  trx: Trx,
  {
    version,
    debate,
    label,
    score,
    probability,
    escalate,
    rule,
    categories,
    degraded,
    modality,
    answer,
    seal,
    closedAt,
    marks,
  }: LineOf<'verdict'>,
): Promise<boolean> {
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
    answer: answer === null || about?.forgotten_at ? null : toStored(answer),
    seal,
    closed_at: closedAt,
  };
  const inserted = some(
    await trx
      .insertInto('verdicts')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .returning('debate')
      .execute(),
  );
  if (!inserted) return false;
  await listVerdict(trx, {
    id: debate,
    ...listedVerdict(row, answer === null ? { ...noMarks, ...marks } : verdictMarks(answer as Answer)),
  });
  await restage(trx, debate);
  return true;
}

function some(rows: readonly unknown[]): boolean {
  return rows.length > 0;
}

function badLine(number: number, problem: string, cause?: unknown): AgonError {
  return new AgonError(
    'bad-import-line',
    `Line ${number} cannot be imported: ${problem}.`,
    'Nothing was imported. Mend the line, or take the export again.',
    { cause },
  );
}
