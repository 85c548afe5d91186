import { sql } from 'kysely';
import type { Db, Kind, Trx } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { fromStored, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import type {
  Adjudication,
  AnnotationItem,
  AnnotationProject,
  AnnotationState,
  AnnotationVote,
  NewAnnotationItem,
} from './annotations.ts';
import { describeOpinion, readFinding, readMarking } from './findings.ts';

export function readProject(row: Tables['annotation_projects']): AnnotationProject {
  const { id, name, labels, votes, guidelines, marking, created_by, created_at } = row;
  return {
    id,
    name,
    labels: JSON.parse(labels) as string[],
    votes,
    guidelines,
    marking: readMarking(marking),
    createdBy: created_by,
    createdAt: new Date(created_at),
  };
}

const itemsAtOnce = 500;

/** Adds the items of a new project, a few hundred at a time; says how many there are. */
export async function insertItems(
  trx: Trx,
  kind: Kind,
  project: string,
  items: AsyncIterable<NewAnnotationItem>,
): Promise<number> {
  let count = 0;
  let batch: NewAnnotationItem[] = [];
  const put = async () => {
    count += batch.length;
    await insertBatch(trx, kind, project, batch);
    batch = [];
  };
  for await (const item of items) {
    batch.push(item);
    if (batch.length === itemsAtOnce) await put();
  }
  if (batch.length > 0) await put();
  return count;
}

/** One statement with one parameter for all of them: thousands of parameters take longer than the rows. */
async function insertBatch(trx: Trx, kind: Kind, project: string, items: readonly NewAnnotationItem[]): Promise<void> {
  const rows = JSON.stringify(
    items.map(({ position, key, content }) => [position, toStorable(key), toStored(content)]),
  );
  await sql`
    insert into annotation_items (project, position, version, key, content, voted, state)
    select cast(${project} as text), cast(value ->> 0 as integer), cast(${storedVersion} as integer), value ->> 1,
      value ->> 2, 0, 'open' from ${eachRow(kind, rows)}`.execute(trx);
  const images = JSON.stringify(
    items.flatMap(({ position, images: shown }) =>
      shown.map(({ name, hash }, number) => [position, number, toStorable(name), hash]),
    ),
  );
  if (images === '[]') return;
  await sql`
    insert into annotation_images (project, position, number, name, attachment)
    select cast(${project} as text), cast(value ->> 0 as integer), cast(value ->> 1 as integer), value ->> 2,
      value ->> 3 from ${eachRow(kind, images)}`.execute(trx);
}

function eachRow(kind: Kind, rows: string) {
  return kind === 'sqlite' ? sql`json_each(${rows})` : sql`json_array_elements(cast(${rows} as json)) as each (value)`;
}

/** Items with their images, their votes and what settled them. */
export async function readAnnotationItems(
  db: Db,
  kind: Kind,
  items: readonly Tables['annotation_items'][],
): Promise<AnnotationItem[]> {
  if (items.length === 0) return [];
  const { project } = items[0]!;
  const ofThem = oneOf(
    kind,
    'position',
    items.map(({ position }) => position),
  );
  const votes = await db
    .selectFrom('annotation_votes')
    .selectAll()
    .where('project', '=', project)
    .where(ofThem)
    .orderBy('position')
    .orderBy('voter')
    .execute();
  const settled = await db
    .selectFrom('annotation_adjudications')
    .selectAll()
    .where('project', '=', project)
    .where(ofThem)
    .execute();
  const images = await db
    .selectFrom('annotation_images')
    .innerJoin('attachments', 'attachments.hash', 'annotation_images.attachment')
    .select(['position', 'name', 'hash', 'media_type'])
    .where('project', '=', project)
    .where(ofThem)
    .orderBy('position')
    .orderBy('number')
    .execute();
  const [votesAt, settledAt, imagesAt] = [
    Map.groupBy(votes, getPosition),
    Map.groupBy(settled, getPosition),
    Map.groupBy(images, getPosition),
  ];
  return items.map(({ position, version, key, content, state, label }) => {
    const [adjudication] = settledAt.get(position) ?? [];
    return {
      position,
      key,
      state,
      label,
      content: fromStored('annotation-item', version, content),
      images: (imagesAt.get(position) ?? []).map(({ name, hash, media_type }) => ({
        name,
        hash,
        mediaType: media_type,
      })),
      votes: (votesAt.get(position) ?? []).map(readVote),
      adjudication: adjudication ? readAdjudication(adjudication) : null,
    };
  });
}

function getPosition({ position }: { position: number }): number {
  return position;
}

function readVote({
  voter,
  label,
  why,
  viewed,
  took_ms,
  finding,
  voted_at,
}: Tables['annotation_votes']): AnnotationVote {
  return {
    by: voter,
    label,
    why,
    viewed: JSON.parse(viewed) as string[],
    tookMs: took_ms,
    finding: readFinding(finding),
    at: new Date(voted_at),
  };
}

function readAdjudication({
  decided_by,
  label,
  why,
  finding,
  decided_at,
}: Tables['annotation_adjudications']): Adjudication {
  return { by: decided_by, label, why, finding: readFinding(finding), at: new Date(decided_at) };
}

interface Standing {
  voted: number;
  state: AnnotationState;
  label: string | null;
}

/** Where an item stands. What was not unanimous is disputed, however large the majority, until somebody settles it. */
function computeStanding(
  needed: number,
  votes: readonly { label: string; finding: string | null }[],
  adjudicated: string | null,
): Standing {
  const voted = votes.length;
  if (voted < needed) return { voted, state: 'open', label: null };
  const opinions = new Set(votes.map(({ label, finding }) => describeOpinion(label, readFinding(finding))));
  if (opinions.size === 1) return { voted, state: 'agreed', label: votes[0]!.label };
  return adjudicated === null
    ? { voted, state: 'disputed', label: null }
    : { voted, state: 'adjudicated', label: adjudicated };
}

/** Writes down where an item stands, after a vote or an adjudication. */
export async function updateStanding(trx: Trx, project: string, position: number): Promise<void> {
  const { votes: needed } = await trx
    .selectFrom('annotation_projects')
    .select('votes')
    .where('id', '=', project)
    .executeTakeFirstOrThrow();
  const votes = await trx
    .selectFrom('annotation_votes')
    .select(['label', 'finding'])
    .where('project', '=', project)
    .where('position', '=', position)
    .execute();
  const settled = await trx
    .selectFrom('annotation_adjudications')
    .select('label')
    .where('project', '=', project)
    .where('position', '=', position)
    .executeTakeFirst();
  const standing = computeStanding(needed, votes, settled?.label ?? null);
  await trx
    .updateTable('annotation_items')
    .set(standing)
    .where('project', '=', project)
    .where('position', '=', position)
    .execute();
}

/** How far an item has come; on PostgreSQL, whoever else votes on it waits. */
export async function lockItem(
  trx: Trx,
  kind: Kind,
  project: string,
  position: number,
): Promise<AnnotationState | undefined> {
  const item = await trx
    .selectFrom('annotation_items')
    .select('state')
    .where('project', '=', project)
    .where('position', '=', position)
    .$if(kind === 'postgresql', (query) => query.forUpdate())
    .executeTakeFirst();
  return item?.state;
}
