import type { Insertable, Selectable } from 'kysely';
import type { ItemContext } from '@agonhq/engine/items/item-context';
import { makeExcerpt } from '../cases/listing.ts';
import type { Db, Kind } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { storedVersion } from '../database/stored-json.ts';
import type { Debates, Listing, Setups, Subjects, Templates, Texts, Verdicts } from '../tables/tables.ts';
import { hashRow, readKnown, readPacked, unpackText, writeHash } from './compact-row.ts';
import { readTemplate, type ReadTemplate } from './fill-template.ts';
import { listPackedTexts, readToldContext, unpackAnswer } from './pack-answer.ts';
import { onText } from './text-references.ts';

/* Cases of one row each, as the rows that they would be. */

/** But for the letter pairs, which are never read back. */
const columns = [
  'listing.opened_at',
  'listing.id',
  'listing.job',
  'listing.run',
  'listing.label',
  'listing.escalate',
  'listing.degraded',
  'listing.decided',
  'listing.modality',
  'listing.disagreement',
  'listing.models',
  'listing.categories',
  'listing.clauses',
  'listing.language',
  'listing.channel',
  'listing.stage',
  'listing.sampled',
  'listing.risk',
  'listing.bar',
  'listing.latency_ms',
  'listing.action',
  'listing.severity',
  'listing.packed',
  'listing.author',
  'listing.thread',
] as const;

type ListedColumn = (typeof columns)[number] extends `listing.${infer Name}` ? Name & keyof Listing : never;

/** All that is to be known of cases of one row. */
export function selectCompact(db: Db) {
  return db
    .selectFrom('listing')
    .innerJoin('setups', 'setups.id', 'listing.setup')
    .innerJoin('templates', 'templates.id', 'listing.template')
    .leftJoin('texts', (join) => join.on(onText))
    .where('listing.packed', 'is not', null)
    .select(columns)
    .select([
      'setups.hash as setup_hash',
      'setups.configuration',
      'setups.settings',
      'setups.policy',
      'templates.hash as template_hash',
      'templates.rule',
      'templates.body',
      'texts.data',
    ])
    .select(({ fn, ref }) => fn.coalesce('texts.hash', ref('listing.subject').$notNull()).as('subject'));
}

/** Of these cases, those that were put on record since then; since ever unless told. */
export function findCompact(db: Db, kind: Kind, ids: readonly string[], since?: string) {
  return selectCompact(db)
    .where(oneOf(kind, 'listing.id', ids))
    .$if(since !== undefined, (query) => query.where('listing.opened_at', '>=', since!))
    .execute();
}

export type CompactRow = Pick<Selectable<Listing>, ListedColumn> &
  Pick<Setups, 'configuration' | 'settings' | 'policy'> &
  Pick<Templates, 'rule' | 'body'> & {
    setup_hash: string;
    template_hash: string;
    data: Texts['data'] | null;
    /** Its beginning where the text is gone. */
    subject: Uint8Array;
  };

/** The rows that a case would have, were it written as one. */
export interface WholeCase {
  subject: Insertable<Subjects>;
  debate: Insertable<Debates>;
  verdict: Insertable<Verdicts>;
}

const templates = new Map<string, ReadTemplate>();
const mostTemplates = 5_000;

function findTemplate({ template_hash, body }: Pick<CompactRow, 'template_hash' | 'body'>): ReadTemplate {
  let template = templates.get(template_hash);
  if (!template) {
    if (templates.size >= mostTemplates) templates.clear();
    templates.set(template_hash, (template = readTemplate(body)));
  }
  return template;
}

/** Builds a case again from its row, its template and its text: no model is asked. */
export function readCompact(row: CompactRow): WholeCase {
  const { id, job, run, opened_at, configuration, settings, policy } = row;
  const hash = writeHash(row.subject);
  const { seal, holes } = readPacked(row.packed!);
  const content = row.data && unpackText(row.data);
  const parsed: unknown = content === null ? null : JSON.parse(content);
  const excerpt = content === null ? null : makeExcerpt(parsed);
  return {
    subject: {
      hash,
      version: storedVersion,
      content,
      excerpt,
      search: excerpt?.toLowerCase() ?? null,
      opened_at,
      forgotten_at: null,
    },
    debate: {
      id,
      version: storedVersion,
      job,
      subject: hash,
      configuration,
      settings,
      policy,
      run,
      again_of: null,
      again_how: null,
      opened_at,
      forgotten_at: null,
      seen_at: opened_at,
      problem: null,
    },
    verdict: {
      debate: id,
      version: storedVersion,
      label: row.label!,
      risk: row.risk,
      bar: row.bar,
      escalate: row.escalate,
      rule: row.rule,
      categories: row.categories,
      degraded: row.degraded,
      modality: row.modality,
      action: row.action,
      severity: row.severity,
      answer:
        content === null
          ? null
          : unpackAnswer(findTemplate(row), holes, readKnown(row, hash), listPackedTexts(parsed), seal),
      seal,
      closed_at: opened_at,
    },
  };
}

/** What is known about a case beside what it says, as it was given; null where there is nothing. */
export function readCompactContext({ verdict: { answer } }: WholeCase): ItemContext | null {
  const isTold = answer?.includes('"context":{') ?? false;
  return isTold ? ((readToldContext(JSON.parse(answer!) as object) ?? null) as ItemContext | null) : null;
}

/** The hash of a row, as its batch has it; that of an empty text where its text is gone. */
export function hashCompact(row: CompactRow): Uint8Array {
  return hashRow(
    row,
    { subject: writeHash(row.subject), packed: row.packed! },
    { setup: row.setup_hash, template: row.template_hash, content: row.data ? unpackText(row.data) : '' },
  );
}
