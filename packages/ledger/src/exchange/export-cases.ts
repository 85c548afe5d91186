import type { Db } from '../database/database.ts';
import { largeRowsAtOnce, readAll } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import { exportSingleDebates, exportSingleSubjects, writeVerdictLine } from './export-single-cases.ts';

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
  const rows = readAll(db.selectFrom('subjects').selectAll(), ['hash']);
  for await (const { hash, version, content, excerpt, opened_at, forgotten_at } of rows) {
    const attached = await db
      .selectFrom('subject_attachments')
      .select('attachment')
      .where('subject', '=', hash)
      .orderBy('position')
      .execute();
    yield {
      kind: 'subject',
      version,
      hash,
      content: content === null ? null : fromStored('subject', version, content),
      excerpt,
      attachments: attached.map(({ attachment }) => attachment),
      openedAt: opened_at,
      forgottenAt: forgotten_at,
    };
  }
}

export async function* exportDebates(db: Db): AsyncGenerator<LedgerLine> {
  const query = db
    .selectFrom('debates')
    .leftJoin('contexts', 'contexts.debate', 'debates.id')
    .selectAll('debates')
    .select(['contexts.context', 'contexts.version as context_version']);
  const rows = readAll(query, ['debates.opened_at', 'debates.id']);
  for await (const { version, settings, again_of, again_how, opened_at, forgotten_at, problem, ...debate } of rows)
    yield {
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
      ...(debate.context === null
        ? {}
        : { context: fromStored('context', debate.context_version ?? 1, debate.context) }),
      ...(problem === null ? {} : { problem: fromStored('debate', version, problem) }),
    };
  yield* exportSingleDebates(db);
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
}
