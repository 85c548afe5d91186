import { sql, type Selectable } from 'kysely';
import type { ItemContext } from '@agonhq/engine/items/item-context';
import { readCompact, selectCompact, type WholeCase } from '../compact/read-compact.ts';
import { cutKey, readKey } from '../compact/subjects.ts';
import type { Db } from '../database/database.ts';
import { largeRowsAtOnce, pageSize, readAll } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import type { Tables } from '../schema/tables.ts';

/* Cases of a single row go out as the rows that they would be: whoever reads them in has the rows of cases. */

export async function* exportAttachments(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('attachments').selectAll(), ['hash'], largeRowsAtOnce);
  for await (const { hash, media_type, data: bytes } of rows) {
    const data = Buffer.from(bytes).toString('base64');
    yield { kind: 'attachment', version: 1, hash, mediaType: media_type, data };
  }
}

export async function* exportSubjects(db: Db): AsyncGenerator<LedgerLine> {
  // A content that was forgotten and brought again is read in with what it says.
  yield* exportSingleSubjects(db);
  for await (const row of readAll(db.selectFrom('subjects').selectAll(), ['hash'])) {
    const attached = await db
      .selectFrom('subject_attachments')
      .select('attachment')
      .where('subject', '=', row.hash)
      .orderBy('position')
      .execute();
    yield writeSubjectLine(
      row,
      attached.map(({ attachment }) => attachment),
    );
  }
}

/** By their hashes: a content of several cases comes with the first of them. */
async function* exportSingleSubjects(db: Db): AsyncGenerator<LedgerLine> {
  const columns = ['subject', 'opened_at', 'id'].map((name) => sql.ref(`listing.${name}`));
  const key = readKey(columns[0]!);
  const ordered = [key, ...columns].reduce((query, column) => query.orderBy(column), selectCompact(db)).limit(pageSize);
  let written: Uint8Array = Buffer.alloc(0);
  for (let page = await ordered.execute(); page.length > 0;) {
    for (const row of page) {
      if (Buffer.compare(row.subject!, written) === 0) continue;
      written = row.subject!;
      yield writeSubjectLine(readCompact(row).subject, []);
    }
    const { subject, opened_at, id } = page.at(-1)!;
    const last = sql`${cutKey(subject!)}, ${subject}, ${opened_at}, ${id}`;
    page = await ordered.where(sql<boolean>`(${sql.join([key, ...columns])}) > (${last})`).execute();
  }
}

function writeSubjectLine(
  { hash, version, content, excerpt, opened_at, forgotten_at }: Selectable<Tables['subjects']>,
  attachments: readonly string[],
): LedgerLine {
  return {
    kind: 'subject',
    version,
    hash,
    content: content === null ? null : fromStored('subject', version, content),
    excerpt,
    attachments,
    openedAt: opened_at,
    forgottenAt: forgotten_at,
  };
}

async function* readSingleCases(db: Db): AsyncGenerator<WholeCase> {
  for await (const row of readAll(selectCompact(db), ['listing.opened_at', 'listing.id'])) yield readCompact(row);
}

export async function* exportDebates(db: Db): AsyncGenerator<LedgerLine> {
  const query = db
    .selectFrom('debates')
    .leftJoin('contexts', 'contexts.debate', 'debates.id')
    .selectAll('debates')
    .select(['contexts.context', 'contexts.version as context_version']);
  for await (const { context, context_version, ...debate } of readAll(query, ['debates.opened_at', 'debates.id']))
    yield writeDebateLine(debate, context === null ? null : fromStored('context', context_version ?? 1, context));
  for await (const { debate, context } of readSingleCases(db)) yield writeDebateLine(debate, context);
}

function writeDebateLine(
  {
    version,
    settings,
    again_of,
    again_how,
    opened_at,
    forgotten_at,
    problem,
    ...debate
  }: Selectable<Tables['debates']>,
  context: ItemContext | null,
): LedgerLine {
  return {
    kind: 'debate',
    version,
    id: debate.id,
    job: debate.job,
    subject: debate.subject,
    configuration: debate.configuration,
    settings: fromStored('debate', version, settings),
    policy: debate.policy,
    run: debate.run,
    again: again_of === null ? null : { of: again_of, how: again_how },
    openedAt: opened_at,
    forgottenAt: forgotten_at,
    ...(context === null ? {} : { context }),
    ...(problem === null ? {} : { problem: fromStored('debate', version, problem) }),
  };
}

export async function* exportEntries(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('entries').selectAll(), ['debate', 'id']);
  for await (const { debate, version, entry, created_at } of rows)
    yield { kind: 'entry', version, debate, entry: fromStored('entry', version, entry), createdAt: created_at };
}

export async function* exportVerdicts(db: Db): AsyncGenerator<LedgerLine> {
  const query = db
    .selectFrom('verdicts')
    .innerJoin('debates', 'debates.id', 'verdicts.debate')
    .innerJoin('listing', (join) =>
      join.onRef('listing.opened_at', '=', 'debates.opened_at').onRef('listing.id', '=', 'debates.id'),
    )
    .selectAll('verdicts')
    .select([
      'listing.disagreement',
      'listing.models',
      'listing.clauses',
      'listing.cost_usd',
      'listing.latency_ms',
      'listing.sampled',
    ]);
  for await (const { answer, ...verdict } of readAll(query, ['verdicts.debate'])) {
    const { disagreement, models, clauses, cost_usd, latency_ms, sampled } = verdict;
    yield {
      ...writeVerdictLine({ ...verdict, answer }),
      ...(sampled === 1 ? { sampled: true } : {}),
      // Where there is an answer, they are read from it.
      ...(answer === null && (disagreement !== null || models !== '[]' || clauses !== '[]')
        ? {
            marks: {
              disagreement,
              models: JSON.parse(models) as string[],
              ...(clauses === '[]' ? {} : { clauses: JSON.parse(clauses) as string[] }),
              ...(cost_usd === null ? {} : { costUsd: cost_usd }),
              ...(latency_ms === null ? {} : { latencyMs: latency_ms }),
            },
          }
        : {}),
    };
  }
  for await (const { verdict } of readSingleCases(db)) yield writeVerdictLine(verdict);
}

/** The line of a verdict, whether it has a row of its own or is part of one. */
function writeVerdictLine(verdict: Selectable<Tables['verdicts']>): LedgerLine {
  const { version, debate, label, risk, bar, rule, modality, action, severity, answer, seal } = verdict;
  return {
    kind: 'verdict',
    version,
    debate,
    label,
    risk,
    bar,
    escalate: verdict.escalate === 1,
    rule,
    categories: JSON.parse(verdict.categories) as string[],
    degraded: verdict.degraded === 1,
    modality,
    ...(action ? { action } : {}),
    ...(severity ? { severity } : {}),
    answer: answer ? fromStored('verdict', version, answer) : null,
    seal,
    closedAt: verdict.closed_at,
  };
}
