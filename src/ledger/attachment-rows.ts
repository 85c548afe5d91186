import { sql } from 'kysely';
import type { Attachment } from './cases.ts';
import type { Db, Kind, Trx } from './database.ts';

/** On PostgreSQL, an image must not go with one subject while another comes with it; SQLite has one writer at a time. */
export async function lockAttachments(trx: Trx, kind: Kind): Promise<void> {
  if (kind === 'postgresql') await sql`lock table subject_attachments in share row exclusive mode`.execute(trx);
}

export async function keepAttachments(trx: Trx, subject: string, attachments: readonly Attachment[]): Promise<void> {
  for (const [position, { hash, mediaType, data }] of attachments.entries()) {
    await trx.insertInto('attachments').values({ hash, media_type: mediaType, data }).onConflict((conflict) => conflict.column('hash').doNothing()).execute();
    await trx.insertInto('subject_attachments').values({ subject, position, attachment: hash }).execute();
  }
}

export async function attachmentsOf(db: Db, subject: string): Promise<Attachment[]> {
  const rows = await db
    .selectFrom('subject_attachments')
    .innerJoin('attachments', 'attachments.hash', 'subject_attachments.attachment')
    .select(['attachments.hash', 'attachments.media_type', 'attachments.data'])
    .where('subject', '=', subject)
    .orderBy('position')
    .execute();
  return rows.map(({ hash, media_type, data }) => ({ hash, mediaType: media_type, data: new Uint8Array(data) }));
}

/** Takes away the images that no subject refers to any more. */
export async function dropLooseAttachments(trx: Trx): Promise<void> {
  await trx
    .deleteFrom('attachments')
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('subject_attachments').select('position').whereRef('attachment', '=', 'attachments.hash'))))
    .execute();
}
