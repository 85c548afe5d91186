import type { Database } from '../database/database.ts';
import { putRow } from '../database/fixed-query.ts';
import { momentOf } from '../database/moment.ts';
import { fromStored, storedVersion, toStorable, toStored } from '../database/stored-json.ts';

/** How far a stream is. */
export interface StreamPosition {
  /** In the words of whatever is read: an offset, a file with an offset in it. */
  position: unknown;
  movedAt: Date;
}

export interface StreamStore {
  findPosition(stream: string): Promise<StreamPosition | undefined>;
  /** The last word stands: one reads a stream at a time. */
  keepPosition(stream: string, position: unknown): Promise<void>;
}

export function streamStore({ db, kind, write }: Database): StreamStore {
  return {
    async findPosition(stream) {
      const row = await db
        .selectFrom('stream_positions')
        .selectAll()
        .where('stream', '=', toStorable(stream))
        .executeTakeFirst();
      return row && { position: fromStored('stream', row.version, row.position), movedAt: new Date(row.moved_at) };
    },
    async keepPosition(stream, position) {
      const kept = { version: storedVersion, position: toStored(position), moved_at: momentOf(kind) };
      await write((trx) => putRow(trx, 'stream_positions', { stream: toStorable(stream) }, kept));
    },
  };
}
