import type { Selectable } from 'kysely';
import type { KnownImage, WithheldCase } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import type { Page } from '../cases/cases.ts';
import { findUnusedFiles } from '../cases/attachments.ts';
import type { Database, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { readNewest } from '../database/pages.ts';
import { readMoment, toStorable } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';

/** A known image that came in: who sent what is told by the case and the item, never by the image itself. */
export interface FoundImage extends KnownImage {
  id: string;
  /** Null where it was refused before there was a case. */
  case: string | null;
  file: string | null;
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
  /**
   * Puts them into the queue and takes away every copy of the files that they are in; what came with them goes where
   * nothing else refers to it. Twice is once.
   */
  withhold(entry: WithheldCase & { run: string | null }): Promise<void>;
  /** The newest first. */
  listFound(filter: FoundFilter, options?: { limit?: number; after?: string | null }): Promise<Page<FoundImage>>;
  /** What was found in a file when it came before: nothing where it is not known. */
  findByFile(file: string): Promise<KnownImage[]>;
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
        for (const { image, pdq, list, entry, distance, mirrored, file = null } of known)
          await insertNew(
            trx.insertInto('known_images').values({
              id: `known-${hashOf([caseId ?? files, image, list]).slice(7, 23)}`,
              case_id: caseId ?? '',
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
              file,
            }),
          );
        return deleteFiles(trx, { caseId, files, known });
      });
      if (deleted > 0n) await scrub();
    },
    listFound({ state, list, since }, { limit = 50, after } = {}) {
      let query = db.selectFrom('known_images').selectAll();
      if (state !== undefined) query = query.where('state', '=', state);
      if (list !== undefined) query = query.where('list', '=', toStorable(list));
      if (since !== undefined) query = query.where('found_at', '>=', since.toISOString());
      return readNewest(query, ['found_at', 'id'], { limit, after }, 'known images', readFound);
    },
    async findByFile(file) {
      const rows = await db
        .selectFrom('known_images')
        .selectAll()
        .where('file', '=', file)
        .orderBy('found_at')
        .execute();
      const byPlace = new Map(rows.map((row) => [`${row.list} ${row.pdq}`, readFound(row)]));
      return [...byPlace.values()].map(({ image, pdq, list, entry, distance, mirrored }): KnownImage => {
        return { image, pdq, list, entry, distance, mirrored, file };
      });
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

/** Known files go, whoever refers to them; of what came with them, that to which nothing else refers. */
async function deleteFiles(
  trx: Trx,
  { caseId, files, known }: { caseId: string | null; files: readonly string[]; known: readonly KnownImage[] },
): Promise<bigint> {
  const named = new Set(known.flatMap(({ file }) => file ?? []));
  const listed = files.filter((file) => named.size === 0 || named.has(file));
  if (listed.length === 0) return 0n;
  await trx.deleteFrom('subject_attachments').where('attachment', 'in', listed).execute();
  await trx.deleteFrom('annotation_images').where('attachment', 'in', listed).execute();
  if (caseId !== null)
    await trx
      .deleteFrom('subject_attachments')
      .where('subject', 'in', (query) => query.selectFrom('debates').select('subject').where('id', '=', caseId))
      .execute();
  const beside = await findUnusedFiles(
    trx,
    files.filter((file) => !listed.includes(file)),
    new Set(listed),
  );
  const { numDeletedRows } = await trx
    .deleteFrom('attachments')
    .where('hash', 'in', [...listed, ...beside])
    .executeTakeFirstOrThrow();
  return numDeletedRows;
}

function readFound(row: Selectable<Tables['known_images']>): FoundImage {
  const { case_id, entry, label, source, mirrored, found_at, settled_by, settled_at, ...rest } = row;
  return {
    ...rest,
    case: case_id === '' ? null : case_id,
    entry: { hash: entry, label, source },
    mirrored: mirrored === 1,
    foundAt: new Date(found_at),
    settledBy: settled_by,
    settledAt: readMoment(settled_at),
  };
}
