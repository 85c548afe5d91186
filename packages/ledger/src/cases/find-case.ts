import type { Answer } from '@agonhq/engine/debate';
import { findCompact, readCompact } from '../compact/read-compact.ts';
import type { Db, Kind } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { fromStored, storedVersion } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import { listAttachments } from './attachments.ts';
import { readSummary, selectListed, selectSummaries, summarizeCompact, type SummaryRow } from './case-summaries.ts';
import type { Case, StoredVerdict } from './cases.ts';

/** A case with all that is on record of it. */
export async function findCase(db: Db, kind: Kind, id: string): Promise<Case | undefined> {
  const opening = db.selectFrom('debates').select('opened_at').where('id', '=', id);
  const row = await selectSummaries(
    db,
    selectListed(db).where('listing.id', '=', id).where('listing.opened_at', '=', opening),
  )
    .innerJoin('policies', 'policies.hash', 'debates.policy')
    .select([
      'debates.version as debate_version',
      'debates.settings',
      'verdicts.version as verdict_version',
      'verdicts.answer',
      'subjects.version as subject_version',
      'subjects.content',
      'contexts.version as context_version',
      'contexts.context',
      'policies.hash as policy_hash',
      'policies.version as policy_row_version',
      'policies.name as policy_name',
      'policies.policy_version',
      'policies.document',
    ])
    .where('debates.id', '=', id)
    .executeTakeFirst();
  if (!row) return findCompactCase(db, kind, id);
  const forgotten = row.forgotten_at !== null || row.content === null;
  return {
    ...readSummary(row as SummaryRow),
    content: forgotten ? null : fromStored('subject', row.subject_version!, row.content!),
    context:
      forgotten || row.context === null
        ? null
        : fromStored('context', row.context_version ?? storedVersion, row.context),
    attachments: forgotten ? [] : await listAttachments(db, row.subject!),
    settings: fromStored('debate', row.debate_version!, row.settings!),
    policy: {
      hash: row.policy_hash,
      name: row.policy_name,
      version: row.policy_version,
      document: fromStored('policy', row.policy_row_version, row.document),
    },
    answer: row.answer === null ? null : (fromStored('verdict', row.verdict_version!, row.answer) as Answer),
  };
}

/** The same of a case that is a single row. */
export async function findCompactCase(db: Db, kind: Kind, id: string): Promise<Case | undefined> {
  const [row] = await findCompact(db, kind, [id]);
  if (!row) return undefined;
  const { subject, debate, verdict, context } = readCompact(row);
  const policy = await db.selectFrom('policies').selectAll().where('hash', '=', row.policy).executeTakeFirstOrThrow();
  return {
    ...readSummary(summarizeCompact(row)),
    content: fromStored('subject', subject.version, subject.content),
    context,
    attachments: [],
    settings: fromStored('debate', debate.version, debate.settings),
    policy: {
      hash: policy.hash,
      name: policy.name,
      version: policy.policy_version,
      document: fromStored('policy', policy.version, policy.document),
    },
    answer: fromStored('verdict', verdict.version, verdict.answer) as Answer,
  };
}

export async function findVerdicts(
  db: Db,
  kind: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredVerdict>> {
  const rows = await db
    .selectFrom('verdicts')
    .select(['debate', 'version', 'rule', 'categories', 'action', 'severity', 'answer'])
    .where(oneOf(kind, 'debate', ids))
    .execute();
  const found = new Set(rows.map(({ debate }) => debate));
  const others = ids.filter((id) => !found.has(id));
  const single = others.length > 0 ? await findCompact(db, kind, others) : [];
  const all: StoredRow[] = [...rows, ...single.map((row) => readCompact(row).verdict)];
  return new Map(
    all.map(({ debate, version, rule, categories, action, severity, answer }) => [
      debate,
      {
        rule,
        categories: JSON.parse(categories) as string[],
        action,
        severity,
        answer: answer === null ? null : fromStored('verdict', version, answer),
      },
    ]),
  );
}

type StoredRow = Pick<
  Tables['verdicts'],
  'debate' | 'version' | 'rule' | 'categories' | 'action' | 'severity' | 'answer'
>;
