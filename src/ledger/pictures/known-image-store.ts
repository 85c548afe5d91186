import type { Selectable } from 'kysely';
import type { KnownImage, WithheldCase } from '../../debate/index.ts';
import { hashOf } from '../../hash.ts';
import type { Page } from '../cases/cases.ts';
import type { Database } from '../database/database.ts';
import { makePage, readCursor } from '../database/pages.ts';
import { toStorable } from '../database/stored-json.ts';
import type { KnownImages as KnownImagesTable } from '../tables/tables.ts';

/** A known image that came in: who sent what is told by the case and the item, never by the image itself. */
export interface FoundImage extends KnownImage {
  id: string;
  case: string;
  item: string | null;
  run: string | null;
  foundAt: Date;
  state: FoundState;
  note: string | null;
  settledBy: string | null;
  settledAt: Date | null;
}

/** `waiting` for a person, `reported` to whom it concerns, or `dismissed`, since it is another image. */
export const foundStates = ['waiting', 'reported', 'dismissed'] as const;
export type FoundState = (typeof foundStates)[number];

export interface FoundFilter {
  state?: FoundState;
  list?: string;
  since?: Date;
}

/** The restricted queue. */
export interface KnownImages {
  /** Puts them into the queue and takes away every copy of the case's files. Twice is once. */
  withhold(entry: WithheldCase & { run: string | null }): Promise<void>;
  /** The newest first. */
  listFound(filter: FoundFilter, options?: { limit?: number; after?: string | null }): Promise<Page<FoundImage>>;
  /** What a person made of it; undefined where there is no such entry. */
  settle(
    id: string,
    settled: { state: Exclude<FoundState, 'waiting'>; note: string | null; by: string },
  ): Promise<FoundImage | undefined>;
}

export function knownImageStore({ db, write, scrub }: Database): KnownImages {
  return {
    async withhold({ case: caseId, item, run, files, known }) {
      const found_at = new Date().toISOString();
      const deleted = await write(async (trx) => {
        for (const { image, pdq, list, entry, distance, mirrored } of known)
          await trx
            .insertInto('known_images')
            .values({
              id: `known-${hashOf([caseId, image, list]).slice(7, 23)}`,
              case_id: caseId,
              item: toStorable(item),
              run,
              image,
              pdq,
              list: toStorable(list),
              entry: entry.hash,
              label: toStorable(entry.label),
              source: toStorable(entry.source),
              distance,
              mirrored: Number(mirrored),
              found_at,
              state: 'waiting',
              note: null,
              settled_by: null,
              settled_at: null,
            })
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute();
        if (files.length === 0) return 0n;
        // From before the list had it, or brought for a worker: nothing may refer to it any more.
        await trx.deleteFrom('subject_attachments').where('attachment', 'in', files).execute();
        await trx.deleteFrom('annotation_images').where('attachment', 'in', files).execute();
        const { numDeletedRows } = await trx
          .deleteFrom('attachments')
          .where('hash', 'in', files)
          .executeTakeFirstOrThrow();
        return numDeletedRows;
      });
      if (deleted > 0n) await scrub();
    },
    async listFound({ state, list, since }, { limit = 50, after = null } = {}) {
      let query = db.selectFrom('known_images').selectAll().orderBy('found_at', 'desc').orderBy('id', 'desc');
      if (state !== undefined) query = query.where('state', '=', state);
      if (list !== undefined) query = query.where('list', '=', toStorable(list));
      if (since !== undefined) query = query.where('found_at', '>=', since.toISOString());
      if (after !== null) {
        const place = readCursor(after, 'known images');
        query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('found_at', 'id'), '<', tuple(...place)));
      }
      return makePage(await query.limit(limit + 1).execute(), limit, readFound, ({ found_at, id }) => [found_at, id]);
    },
    async settle(id, { state, note, by }) {
      const row = await write((trx) =>
        trx
          .updateTable('known_images')
          .set({
            state,
            note: toStorable(note),
            settled_by: toStorable(by),
            settled_at: new Date().toISOString(),
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst(),
      );
      return row && readFound(row);
    },
  };
}

function readFound(row: Selectable<KnownImagesTable>): FoundImage {
  const { id, case_id, item, run, image, pdq, list, entry, label, source, distance, mirrored } = row;
  return {
    id,
    case: case_id,
    item,
    run,
    image,
    pdq,
    list,
    entry: { hash: entry, label, source },
    distance,
    mirrored: mirrored === 1,
    foundAt: new Date(row.found_at),
    state: row.state,
    note: row.note,
    settledBy: row.settled_by,
    settledAt: row.settled_at === null ? null : new Date(row.settled_at),
  };
}
