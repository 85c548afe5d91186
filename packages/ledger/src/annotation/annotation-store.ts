import { AgonError } from '@agonhq/engine/agon-error';
import { deleteUnusedAttachments, lockAttachments } from '../cases/attachments.ts';
import type { Database, Db } from '../database/database.ts';
import { putRow } from '../database/fixed-query.ts';
import { storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { insertItems, lockItem, readAnnotationItems, readProject, updateStanding } from './annotation-items.ts';
import { assignItem, listOpenItems, releaseItemLease, selectOpenItems } from './item-leases.ts';
import type { AnnotationStore, Rating } from './annotations.ts';
import { readFinding } from './findings.ts';

const ratingsAtOnce = 5_000;

/** Datasets that people label. */
export function annotationStore({ db, kind, write, scrub }: Database): AnnotationStore {
  return {
    async createProject({ id, name, labels, votes, guidelines, marking, createdBy }, items) {
      const project = {
        id,
        version: storedVersion,
        name: toStorable(name),
        labels: toStored(labels.map(toStorable)),
        votes,
        guidelines: toStorable(guidelines),
        marking: marking && toStored(marking),
        created_by: toStorable(createdBy),
        created_at: new Date().toISOString(),
      };
      // Not with others in one commit, which would be tried again: the items come once.
      await db.transaction().execute(async (trx) => {
        await lockAttachments(trx, kind);
        if (
          await trx.selectFrom('annotation_projects').select('id').where('name', '=', project.name).executeTakeFirst()
        ) {
          throw new AgonError(
            'annotation-exists',
            `There is already an annotation project ${JSON.stringify(name)}.`,
            'Give it another name.',
          );
        }
        await trx.insertInto('annotation_projects').values(project).execute();
        await insertItems(trx, kind, id, items);
      });
      return readProject(project);
    },
    async findProject(id) {
      const row = await db
        .selectFrom('annotation_projects')
        .selectAll()
        .where('id', '=', toStorable(id))
        .executeTakeFirst();
      return row && readProject(row);
    },
    async listProjects() {
      const rows = await db
        .selectFrom('annotation_projects')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(readProject);
    },
    async countProgress(id) {
      const rows = await db
        .selectFrom('annotation_items')
        .select(({ fn }) => ['state', fn.countAll().as('items'), fn.sum('voted').as('votes')])
        .where('project', '=', id)
        .groupBy('state')
        .execute();
      const progress = { items: 0, open: 0, disputed: 0, agreed: 0, adjudicated: 0, votes: 0 };
      for (const { state, items, votes } of rows) {
        progress[state] = Number(items);
        progress.items += Number(items);
        progress.votes += Number(votes);
      }
      return progress;
    },
    async listVoters(id) {
      const rows = await db
        .selectFrom('annotation_votes')
        .select(({ fn }) => ['voter', fn.countAll().as('votes')])
        .where('project', '=', id)
        .groupBy('voter')
        .orderBy('votes', 'desc')
        .orderBy('voter')
        .execute();
      return rows.map(({ voter, votes }) => ({ name: voter, votes: Number(votes) }));
    },
    async countOpenItems(id, voter) {
      const { items } = await selectOpenItems(db, id, voter)
        .select(({ fn }) => fn.countAll().as('items'))
        .executeTakeFirstOrThrow();
      return Number(items);
    },
    listOpenItems: (project, voter, { limit, except = [] }) =>
      listOpenItems(db, kind, { project, voter, limit, except }),
    assignItem: (project, voter, except) => write((trx) => assignItem(trx, kind, { project, voter, except })),
    async findItem(id, position) {
      const rows = await db
        .selectFrom('annotation_items')
        .selectAll()
        .where('project', '=', toStorable(id))
        .where('position', '=', position)
        .execute();
      return (await readAnnotationItems(db, kind, rows))[0];
    },
    async listItems(id, { limit, after = -1, states }) {
      const query = db
        .selectFrom('annotation_items')
        .selectAll()
        .where('project', '=', id)
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit);
      return readAnnotationItems(
        db,
        kind,
        await query.$if(states !== undefined, (all) => all.where('state', 'in', states!)).execute(),
      );
    },
    readRatings: (id) => readRatings(db, id),
    async keepVote(id, position, { by, label, why, viewed, tookMs, finding }) {
      const vote = {
        version: storedVersion,
        label: toStorable(label),
        why: toStorable(why),
        viewed: toStored(viewed),
        took_ms: tookMs,
        finding: finding && toStored(finding),
        voted_at: new Date().toISOString(),
      };
      await write(async (trx) => {
        const state = await lockItem(trx, kind, id, position);
        if (state === undefined) throw unknownItem(id, position);
        if (state !== 'open')
          throw new AgonError(
            'votes-are-in',
            `All votes on item ${position} are in.`,
            'A vote can be changed until then. What the votes disagree about is settled by adjudication.',
          );
        await putRow(trx, 'annotation_votes', { project: id, position, voter: toStorable(by) }, vote);
        await updateStanding(trx, id, position);
        await releaseItemLease(trx, id, by);
      });
    },
    async keepAdjudication(id, position, { by, label, why, finding }) {
      const settled = {
        version: storedVersion,
        label: toStorable(label),
        why: toStorable(why),
        finding: finding && toStored(finding),
        decided_by: toStorable(by),
        decided_at: new Date().toISOString(),
      };
      await write(async (trx) => {
        const state = await lockItem(trx, kind, id, position);
        if (state === undefined) throw unknownItem(id, position);
        if (state === 'open' || state === 'agreed')
          throw new AgonError(
            'not-disputed',
            state === 'open' ? `Votes on item ${position} are missing.` : `All votes on item ${position} are the same.`,
            'Only what votes disagree about is adjudicated.',
          );
        const before = await trx
          .selectFrom('annotation_adjudications')
          .select('decided_by')
          .where('project', '=', id)
          .where('position', '=', position)
          .executeTakeFirst();
        if (before && before.decided_by !== settled.decided_by)
          throw new AgonError(
            'already-adjudicated',
            `${before.decided_by} has settled item ${position}.`,
            'Who settled it may change it.',
          );
        await putRow(trx, 'annotation_adjudications', { project: id, position }, settled);
        await updateStanding(trx, id, position);
      });
    },
    async findImage(id, hash) {
      const row = await db
        .selectFrom('attachments')
        .select(['media_type', 'data'])
        .where('hash', '=', toStorable(hash))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('annotation_images')
              .select('number')
              .whereRef('attachment', '=', 'attachments.hash')
              .where('project', '=', toStorable(id)),
          ),
        )
        .executeTakeFirst();
      return row && { hash, mediaType: row.media_type, data: new Uint8Array(row.data) };
    },
    async removeProject(id) {
      const removed = await write(async (trx) => {
        await lockAttachments(trx, kind);
        const images = trx.selectFrom('annotation_images').select('attachment').where('project', '=', toStorable(id));
        await trx
          .updateTable('attachments')
          .set({ kept_at: null })
          .where('kept_at', 'is not', null)
          .where('hash', 'in', images)
          .execute();
        // Its items, images and votes go with it.
        const { numDeletedRows } = await trx
          .deleteFrom('annotation_projects')
          .where('id', '=', toStorable(id))
          .executeTakeFirstOrThrow();
        if (numDeletedRows > 0n) await deleteUnusedAttachments(trx);
        return numDeletedRows > 0n;
      });
      if (removed) await scrub();
      return removed;
    },
  };
}

async function* readRatings(db: Db, project: string): AsyncGenerator<ReadonlyMap<string, Rating>, void, void> {
  let after: [number, string] = [-1, ''];
  let item = new Map<string, Rating>();
  for (let more = true; more;) {
    const rows = await db
      .selectFrom('annotation_votes')
      .innerJoin('annotation_items', (join) =>
        join
          .onRef('annotation_items.project', '=', 'annotation_votes.project')
          .onRef('annotation_items.position', '=', 'annotation_votes.position'),
      )
      .select(['annotation_votes.position', 'voter', 'annotation_votes.label', 'finding'])
      .where('annotation_votes.project', '=', project)
      .where('state', '<>', 'open')
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('annotation_votes.position', 'annotation_votes.voter'), '>', tuple(...after)),
      )
      .orderBy('annotation_votes.position')
      .orderBy('voter')
      .limit(ratingsAtOnce)
      .execute();
    for (const { position, voter, label, finding } of rows) {
      if (position !== after[0] && item.size > 0) {
        yield item;
        item = new Map();
      }
      item.set(voter, { label, finding: readFinding(finding) });
      after = [position, voter];
    }
    more = rows.length === ratingsAtOnce;
  }
  if (item.size > 0) yield item;
}

function unknownItem(project: string, position: number): AgonError {
  return new AgonError(
    'unknown-item',
    `The project ${project} has no item ${position}.`,
    'GET /api/annotations/{id}/items lists them.',
  );
}
