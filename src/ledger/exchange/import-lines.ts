import { sql } from 'kysely';
import { AgonError } from '../../errors.ts';
import type { KeptPrecedent } from '../../precedents/index.ts';
import { deleteUnusedAttachments, lockAttachments } from '../cases/attachments.ts';
import { deleteUnusedTexts } from '../calls/call-store.ts';
import { readStoredAnswer } from '../cases/verdict-columns.ts';
import type { Database, Kind, Trx } from '../database/database.ts';
import { findProblem, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import type { ImportReport } from '../ledger.ts';
import { enterBroughtRecords, type BroughtRecord } from '../records/enter-records.ts';
import { passOverOverdue } from '../reviews/take-overdue.ts';
import { insertLine } from './insert-line.ts';
import { lineSchema, type Line, type LineOf } from './line-schemas.ts';

/** The version of the whole export: its kinds of lines and their order. */
const exportVersion = 1;
const enteredAtOnce = 200;
const manyRows = 1_000;

/** Reads lines in, all or none: values, or lines of text that hold them. */
export async function importLines(database: Database, lines: AsyncIterable<unknown>): Promise<ImportReport> {
  const report: ImportReport = { inserted: {}, present: {} };
  await database.db.transaction().execute(async (trx) => {
    // Lines may come slowly.
    if (database.kind === 'postgresql') await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    await lockAttachments(trx, database.kind);
    const brought: BroughtRecord[] = [];
    const judged: string[] = [];
    let number = 0;
    for await (const line of lines) {
      number += 1;
      if (typeof line === 'string' && line.trim() === '') continue;
      const read = readLine(line, number);
      if (read.kind === 'ledger') continue;
      const inserted = await insertOrName(trx, database.kind, read, number);
      const counts = inserted ? report.inserted : report.present;
      counts[read.kind] = (counts[read.kind] ?? 0) + 1;
      if (inserted && read.kind === 'verdict') judged.push(read.debate);
      const record = inserted ? nameRecord(read) : undefined;
      if (record) brought.push(record);
      if (brought.length >= enteredAtOnce) await enterBroughtRecords(trx, database.kind, brought.splice(0));
    }
    await enterBroughtRecords(trx, database.kind, brought);
    // An image whose subject was forgotten here does not come back with it.
    await deleteUnusedAttachments(trx);
    await deleteUnusedTexts(trx);
    await passOverOverdue(trx, database.kind, judged);
  });
  const inserted = Object.values(report.inserted).reduce((sum, rows) => sum + rows, 0);
  // Until its own worker looks, PostgreSQL plans as if there were none of the new rows.
  if (database.kind === 'postgresql' && inserted >= manyRows)
    await sql`analyze subjects, debates, verdicts, listing, run_items`.execute(database.db);
  return report;
}

/** Which record a line brings, for lines that bring one. */
const recordNames: { readonly [Kind in Line['kind']]?: (line: LineOf<Kind>) => BroughtRecord } = {
  policy: ({ hash }) => ({ name: 'policy', record: hash, part: '' }),
  subject: ({ hash }) => ({ name: 'subject', record: hash, part: '' }),
  debate: ({ id }) => ({ name: 'case', record: id, part: '' }),
  verdict: ({ debate }) => ({ name: 'answer', record: debate, part: '' }),
  decision: (line) => ({ name: 'decision', record: line.case, part: line.id }),
  correction: (line) => ({ name: 'correction', record: line.case, part: line.id }),
  'finding-edit': (line) => ({ name: 'finding-edit', record: line.case, part: toStorable(line.finding) }),
  precedent: ({ precedent }) => ({ name: 'precedent', record: (precedent as KeptPrecedent).id, part: '' }),
  audit: ({ id }) => ({ name: 'audit', record: id, part: '' }),
};

function nameRecord(line: Line): BroughtRecord | undefined {
  return (recordNames[line.kind] as ((line: Line) => BroughtRecord) | undefined)?.(line);
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
    if (typeof version === 'number' && version > storedVersion)
      throw badLine(number, describeNewer(version, storedVersion));
    throw badLine(
      number,
      first!.code === 'invalid_union'
        ? `no row of a ledger is of the kind ${JSON.stringify(kind) ?? 'undefined'}`
        : `${first!.path.join('.') || 'it'}: ${first!.message}`,
    );
  }
  const problem = findLineProblem(data);
  if (problem) throw badLine(number, problem);
  return data;
}

function findLineProblem(line: Line): string | null {
  if (line.kind === 'ledger')
    return line.version > exportVersion
      ? `the export has version ${line.version}, this Agon reads ${exportVersion}: update Agon`
      : null;
  if (
    line.kind === 'attachment' ||
    line.kind === 'call-text' ||
    line.kind === 'decision' ||
    line.kind === 'assignment' ||
    line.kind === 'finding-edit'
  )
    return line.version > storedVersion ? describeNewer(line.version, storedVersion) : null;
  const document =
    line.kind === 'entry'
      ? line.entry
      : line.kind === 'precedent'
        ? line.precedent
        : line.kind === 'queue'
          ? line.rules
          : null;
  return (
    findProblem(line.kind, line.version, document)?.message ??
    (line.kind === 'verdict' && line.answer !== null ? findAnswerProblem(line) : null)
  );
}

function describeNewer(version: number, known: number): string {
  return `its version is ${version}, this Agon reads ${known}: update Agon`;
}

function findAnswerProblem({ answer, debate, seal }: LineOf<'verdict'>): string | null {
  try {
    const read = readStoredAnswer(toStored(answer), 'its answer');
    return read.id === debate && read.seal === seal ? null : 'its answer is that of another debate';
  } catch (error) {
    return (error as Error).message;
  }
}

async function insertOrName(
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

function badLine(number: number, problem: string, cause?: unknown): AgonError {
  return new AgonError(
    'bad-import-line',
    `Line ${number} cannot be imported: ${problem}.`,
    'Nothing was imported. Mend the line, or take the export again.',
    { cause },
  );
}
