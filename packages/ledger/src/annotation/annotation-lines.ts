import type { Db } from '../database/database.ts';
import { pageSize, readAll } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import { readFinding, readMarking } from './findings.ts';

/** Annotation projects in an export: each with its items, then with what was voted and settled. */
export async function* exportAnnotations(db: Db): AsyncGenerator<LedgerLine> {
  const projects = await db.selectFrom('annotation_projects').selectAll().orderBy('id').execute();
  for (const { id, labels, marking, created_by, created_at, ...row } of projects) {
    yield {
      kind: 'annotation-project',
      id,
      ...row,
      labels: JSON.parse(labels) as string[],
      ...(marking === null ? {} : { marking: readMarking(marking) }),
      createdBy: created_by,
      createdAt: created_at,
    };
    yield* exportItems(db, id);
    yield* exportVotes(db, id);
    const settled = await db
      .selectFrom('annotation_adjudications')
      .selectAll()
      .where('project', '=', id)
      .orderBy('position')
      .execute();
    for (const { decided_by, finding, decided_at, ...settlement } of settled)
      yield {
        kind: 'annotation-adjudication',
        ...settlement,
        by: decided_by,
        ...(finding === null ? {} : { finding: readFinding(finding) }),
        at: decided_at,
      };
  }
}

async function* exportItems(db: Db, project: string): AsyncGenerator<LedgerLine> {
  let after = -1;
  const page = () =>
    db
      .selectFrom('annotation_items')
      .selectAll()
      .where('project', '=', project)
      .where('position', '>', after)
      .orderBy('position')
      .limit(pageSize)
      .execute();
  for (let rows = await page(); rows.length > 0; rows = await page()) {
    const last = rows.at(-1)!.position;
    const shown = await db
      .selectFrom('annotation_images')
      .selectAll()
      .where('project', '=', project)
      .where('position', '>', after)
      .where('position', '<=', last)
      .orderBy('position')
      .orderBy('number')
      .execute();
    const imagesAt = Map.groupBy(shown, ({ position }) => position);
    for (const { position, version, key, content } of rows) {
      const images = (imagesAt.get(position) ?? []).map(({ name, attachment }) => ({ name, hash: attachment }));
      yield {
        kind: 'annotation-item',
        version,
        project,
        position,
        key,
        content: fromStored('annotation-item', version, content),
        images,
      };
    }
    after = last;
  }
}

async function* exportVotes(db: Db, project: string): AsyncGenerator<LedgerLine> {
  const rows = readAll(db.selectFrom('annotation_votes').selectAll().where('project', '=', project), [
    'position',
    'voter',
  ]);
  for await (const { voter, viewed, took_ms, finding, voted_at, ...row } of rows)
    yield {
      kind: 'annotation-vote',
      ...row,
      by: voter,
      viewed: JSON.parse(viewed) as string[],
      tookMs: took_ms,
      ...(finding === null ? {} : { finding: readFinding(finding) }),
      at: voted_at,
    };
}
