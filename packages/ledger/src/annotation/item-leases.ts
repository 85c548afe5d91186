import type { Db, Kind, Trx } from '../database/database.ts';
import { oneOf, putRow } from '../database/fixed-query.ts';
import { momentOf } from '../database/moment.ts';
import { toStorable } from '../database/stored-json.ts';

/** How long somebody has an item in hand who says nothing. */
const leaseMs = 5 * 60_000;

export interface OpenItem {
  position: number;
  voted: number;
}

interface Asked {
  project: string;
  voter: string;
  /** Items that they do not want. */
  except: readonly number[];
}

/**
 * Gives somebody the next item, so that no more people look at one than votes are needed; what they have in hand they
 * are given again. It is soft: whoever votes first is counted. Null when others have all that is left in hand.
 */
export async function assignItem(trx: Trx, kind: Kind, asked: Asked): Promise<number | null> {
  const { project, except } = asked;
  const voter = toStorable(asked.voter);
  // One after the other, on whichever server; who votes meanwhile does not wait.
  const found = await trx
    .selectFrom('annotation_projects')
    .select('votes')
    .where('id', '=', project)
    .$if(kind === 'postgresql', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  if (!found) return null;
  await trx
    .deleteFrom('annotation_leases')
    .where('project', '=', project)
    .where('until', '<=', momentOf(kind))
    .execute();
  const leases = await trx
    .selectFrom('annotation_leases')
    .select(['voter', 'position'])
    .where('project', '=', project)
    .execute();
  const own = leases.find((lease) => lease.voter === voter)?.position;
  if (own !== undefined && !except.includes(own) && (await isOpenFor(trx, project, own, voter))) return own;
  const others = leases.filter((lease) => lease.voter !== voter);
  // Of so many, one at least is not in too many hands.
  const open = await listOpenItems(trx, kind, { ...asked, limit: others.length + 1 });
  const chosen = open.find(
    ({ position, voted }) => voted + others.filter((lease) => lease.position === position).length < found.votes,
  );
  if (!chosen) {
    await releaseItemLease(trx, project, voter);
    return null;
  }
  const lease = { position: chosen.position, until: momentOf(kind, leaseMs) };
  await putRow(trx, 'annotation_leases', { project, voter }, lease);
  return chosen.position;
}

export async function releaseItemLease(trx: Trx, project: string, voter: string): Promise<void> {
  await trx
    .deleteFrom('annotation_leases')
    .where('project', '=', project)
    .where('voter', '=', toStorable(voter))
    .execute();
}

async function isOpenFor(trx: Trx, project: string, position: number, voter: string): Promise<boolean> {
  const item = await selectOpenItems(trx, project, voter)
    .select('position')
    .where('position', '=', position)
    .executeTakeFirst();
  return item !== undefined;
}

/** Those with most votes first, then in the order of the dataset. */
export function listOpenItems(
  db: Db,
  kind: Kind,
  { project, voter, except, limit }: Asked & { limit: number },
): Promise<OpenItem[]> {
  return selectOpenItems(db, project, voter)
    .select(['position', 'voted'])
    .$if(except.length > 0, (query) => query.where(({ not }) => not(oneOf(kind, 'position', except))))
    .orderBy('voted', 'desc')
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** The items that still need a vote, and have none of this voter. */
export function selectOpenItems(db: Db, project: string, voter: string) {
  return db
    .selectFrom('annotation_items')
    .where('annotation_items.project', '=', project)
    .where('annotation_items.state', '=', 'open')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('annotation_votes')
            .select('voter')
            .whereRef('annotation_votes.project', '=', 'annotation_items.project')
            .whereRef('annotation_votes.position', '=', 'annotation_items.position')
            .where('voter', '=', toStorable(voter)),
        ),
      ),
    );
}
