import { keepAttachment } from './attachment-rows.ts';
import type { Database } from './database.ts';
import type { AttachmentStore } from './ledger.ts';

export function attachmentStore({ db, write }: Database): AttachmentStore {
  return {
    keep: (attachment) => write((trx) => keepAttachment(trx, attachment, new Date())),
    async find(hash) {
      const row = await db
        .selectFrom('attachments')
        .select(['media_type', 'data'])
        .where('hash', '=', hash)
        .executeTakeFirst();
      return row && { hash, mediaType: row.media_type, data: new Uint8Array(row.data) };
    },
  };
}
