import { sql } from 'kysely';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import type { AttachmentStore } from '../ledger.ts';
import type { StoredAttachment, AttachmentRow } from './cases.ts';

/** Between its attachments and itself, an item of a run is put on record within this time. */
const itemComesWithinMs = 3_600_000;

export function attachmentStore({ db, write }: Database): AttachmentStore {
  return {
    keepAttachment: (attachment) => write((trx) => keepAttachment(trx, attachment, new Date())),
    async findAttachment(hash) {
      const row = await db
        .selectFrom('attachments')
        .select(['media_type', 'data'])
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row && { hash, mediaType: row.media_type, data: new Uint8Array(row.data) };
    },
    async openAttachment(hash) {
      const row = await db
        .selectFrom('attachments')
        .select('media_type')
        // Both databases know the length without reading the bytes.
        .select(({ fn }) => fn<number>('length', ['data']).as('bytes'))
        .where('hash', '=', hash)
        .executeTakeFirst();
      if (!row) return undefined;
      const read = async (start: number, end: number) => {
        const part = await db
          .selectFrom('attachments')
          .select(({ ref }) =>
            sql<Uint8Array>`substr(${ref('data')}, cast(${start + 1} as integer), cast(${end - start} as integer))`.as(
              'data',
            ),
          )
          .where('hash', '=', hash)
          .executeTakeFirst();
        return new Uint8Array(part?.data ?? []);
      };
      return { hash, mediaType: row.media_type, bytes: row.bytes, read };
    },
  };
}

/**
 * On PostgreSQL, an image must not go with one subject while another comes with it; SQLite has one writer at a time.
 */
export async function lockAttachments(trx: Trx, kind: Kind): Promise<void> {
  if (kind === 'postgresql') await sql`lock table subject_attachments in share row exclusive mode`.execute(trx);
}

export async function keepAttachments(
  trx: Trx,
  subject: string,
  attachments: readonly StoredAttachment[],
): Promise<void> {
  for (const [position, attachment] of attachments.entries()) {
    await keepAttachment(trx, attachment, null);
    await trx.insertInto('subject_attachments').values({ subject, position, attachment: attachment.hash }).execute();
  }
}

/**
 * With a moment: it is kept for an item that comes soon. Without one: it goes with the subjects and items that refer
 * to it.
 */
export async function keepAttachment(
  trx: Trx,
  { hash, mediaType, data }: StoredAttachment,
  keptAt: Date | null,
): Promise<void> {
  const kept_at = keptAt?.toISOString() ?? null;
  const lately = keptAt && new Date(keptAt.getTime() - itemComesWithinMs / 2).toISOString();
  await trx
    .insertInto('attachments')
    .values({ hash, media_type: mediaType, data, kept_at })
    // Only where it changes something: SQLite writes the whole file again.
    .onConflict((conflict) =>
      conflict
        .column('hash')
        .doUpdateSet({ kept_at })
        .where(({ or, eb }) =>
          lately === null
            ? eb('attachments.kept_at', 'is not', null)
            : or([eb('attachments.kept_at', 'is', null), eb('attachments.kept_at', '<', lately)]),
        ),
    )
    .execute();
}

export async function hasAttachments(db: Db, subject: string): Promise<boolean> {
  return (
    (await db
      .selectFrom('subject_attachments')
      .select('position')
      .where('subject', '=', subject)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

export async function listAttachments(db: Db, subject: string): Promise<AttachmentRow[]> {
  const rows = await db
    .selectFrom('subject_attachments')
    .innerJoin('attachments', 'attachments.hash', 'subject_attachments.attachment')
    .select(['attachments.hash', 'attachments.media_type'])
    // Both databases know the length without reading the bytes.
    .select(({ fn }) => fn<number>('length', ['attachments.data']).as('bytes'))
    .where('subject', '=', subject)
    .orderBy('position')
    .execute();
  return rows.map(({ hash, media_type, bytes }) => ({ hash, mediaType: media_type, bytes }));
}

const inputsAtOnce = 200;

/**
 * Takes away the images to which neither a subject, nor an item that is yet to be judged, nor an annotation project
 * refers.
 */
export async function deleteUnusedAttachments(trx: Trx): Promise<void> {
  const before = new Date(Date.now() - itemComesWithinMs).toISOString();
  const loose = await trx
    .selectFrom('attachments')
    .select('hash')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('subject_attachments').select('position').whereRef('attachment', '=', 'attachments.hash'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('annotation_images').select('number').whereRef('attachment', '=', 'attachments.hash'))),
    )
    .where(({ or, eb }) => or([eb('kept_at', 'is', null), eb('kept_at', '<', before)]))
    .execute();
  const hashes = new Set(loose.map(({ hash }) => hash));
  await keepThoseOfItems(trx, hashes);
  for (const hash of hashes)
    await trx
      .deleteFrom('attachments')
      .where('hash', '=', hash)
      .where(({ or, eb }) => or([eb('kept_at', 'is', null), eb('kept_at', '<', before)]))
      .execute();
}

/** Those of some files to which no subject, no annotation project and no waiting item refers; `but` by those names. */
export async function findUnusedFiles(
  trx: Trx,
  files: readonly string[],
  but: ReadonlySet<string>,
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const used = await trx
    .selectFrom('subject_attachments')
    .select('attachment')
    .where('attachment', 'in', files)
    .union(trx.selectFrom('annotation_images').select('attachment').where('attachment', 'in', files))
    .execute();
  const unused = new Set(files);
  for (const { attachment } of used) unused.delete(attachment);
  await keepThoseOfItems(trx, unused, but);
  return [...unused];
}

/**
 * Items name their images by hash. One pass over the inputs that are still there, and only when there is something to
 * spare. An item that names a file of `but` counts for nothing.
 */
async function keepThoseOfItems(trx: Trx, hashes: Set<string>, but: ReadonlySet<string> = new Set()): Promise<void> {
  const runs = hashes.size === 0 ? [] : await trx.selectFrom('runs').select('id').execute();
  for (const { id } of runs) {
    let after = -1;
    for (;;) {
      const rows = await trx
        .selectFrom('run_items')
        .select(['position', 'input'])
        .where('run', '=', id)
        .where('state', 'in', ['waiting', 'running', 'failed'])
        .where('input', 'is not', null)
        .where('position', '>', after)
        .orderBy('position')
        .limit(inputsAtOnce)
        .execute();
      for (const { input } of rows) {
        const named = [...input!.matchAll(/sha256:[0-9a-f]{64}/g)].map(([hash]) => hash);
        if (named.every((hash) => !but.has(hash))) for (const hash of named) hashes.delete(hash);
      }
      if (rows.length < inputsAtOnce || hashes.size === 0) break;
      after = rows.at(-1)!.position;
    }
  }
}
