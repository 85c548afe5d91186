import { mayBeDrawn } from '../reviews/queue-rules.ts';
import type { Database } from '../database/database.ts';
import { readPlacingQueues } from '../reviews/place-case.ts';
import { unfoldCases } from './unfold-case.ts';

/** So many are looked at in one transaction. */
const atOnce = 5_000;

/** Writes single rows that a quality sample may draw by now as cases, which can wait for somebody. */
export async function unfoldDrawn({ write, kind }: Pick<Database, 'write' | 'kind'>): Promise<void> {
  for (let after: [string, string] | null = ['', '']; after !== null;) {
    const from: [string, string] = after;
    after = await write(async (trx) => {
      const queues = (await readPlacingQueues(trx)).filter(({ rules }) => rules.sample !== undefined);
      if (queues.length === 0) return null;
      const rows = await trx
        .selectFrom('listing')
        .select(['opened_at', 'id'])
        .where('packed', 'is not', null)
        .where(({ eb, refTuple, tuple }) => eb(refTuple('opened_at', 'id'), '>', tuple(...from)))
        .orderBy('opened_at')
        .orderBy('id')
        .limit(atOnce)
        .execute();
      const drawn = rows.filter(({ id }) => mayBeDrawn(queues, id)).map(({ id }) => id);
      await unfoldCases(trx, kind, drawn);
      const last = rows.at(-1);
      return rows.length === atOnce && last ? [last.opened_at, last.id] : null;
    });
  }
}
