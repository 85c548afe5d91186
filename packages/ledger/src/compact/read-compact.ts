import type { Selectable } from 'kysely';
import type { Answer } from '@agonhq/engine/debate';
import type { ItemContext } from '@agonhq/engine/items/item-context';
import { makeExcerpt } from '../cases/listing.ts';
import type { Db, Kind } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { fromStored, storedVersion } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import { hashRow, hashSetup } from './hash-row.ts';
import { unpackCase } from './pack-case.ts';
import { writeHash } from './subjects.ts';

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
  'listing.setup',
  'listing.subject',
  'listing.packed',
  'listing.author',
  'listing.thread',
] as const;

type ListedColumn = (typeof columns)[number] extends `listing.${infer Name}` ? Name & keyof Tables['listing'] : never;

/** All that is to be known of cases of one row. */
export function selectCompact(db: Db) {
  return db
    .selectFrom('listing')
    .innerJoin('setups', 'setups.id', 'listing.setup')
    .select(columns)
    .select(['setups.configuration', 'setups.settings', 'setups.policy', 'setups.dictionary']);
}

/** Of these cases, those that were put on record since then; since ever unless told. */
export function findCompact(db: Db, kind: Kind, ids: readonly string[], since?: string) {
  return selectCompact(db)
    .where(oneOf(kind, 'listing.id', ids))
    .$if(since !== undefined, (query) => query.where('listing.opened_at', '>=', since!))
    .execute();
}

export type CompactRow = Pick<Selectable<Tables['listing']>, ListedColumn> &
  Pick<Tables['setups'], 'configuration' | 'settings' | 'policy' | 'dictionary'>;

/** The rows that a case would have, were it written as one, and what is known about it beside what it says. */
export interface WholeCase {
  subject: Selectable<Tables['subjects']> & { content: string };
  debate: Selectable<Tables['debates']>;
  verdict: Selectable<Tables['verdicts']> & { answer: string };
  context: ItemContext | null;
}

/** Builds a case again from its row and its dictionary: no model is asked. */
export function readCompact(row: CompactRow): WholeCase {
  const { id, job, run, opened_at, configuration, settings, policy } = row;
  const hash = writeHash(row.subject!);
  const { answer, content, context, rule } = unpackCase(id, row.packed!, row.dictionary);
  const excerpt = makeExcerpt(JSON.parse(content));
  return {
    subject: {
      hash,
      version: storedVersion,
      content,
      excerpt,
      search: excerpt.toLowerCase(),
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
      rule: JSON.parse(rule) as string,
      categories: row.categories,
      degraded: row.degraded,
      modality: row.modality,
      action: row.action,
      severity: row.severity,
      answer,
      seal: (JSON.parse(answer) as Answer).seal,
      closed_at: opened_at,
    },
    context: context === 'null' ? null : fromStored('context', storedVersion, context),
  };
}

/** The hash of a row, as its batch has it. */
export const hashCompact = (row: CompactRow): Uint8Array => hashRow(row, hashSetup(row));
