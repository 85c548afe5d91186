import type { Kind, Trx } from './database.ts';
import type { Adjudication, AnnotationProject, AnnotationState, AnnotationVote } from './annotations.ts';
import type { AnnotationAdjudications, AnnotationProjects, AnnotationVotes } from './tables.ts';

export function projectOf({
  id,
  name,
  labels,
  votes,
  guidelines,
  created_by,
  created_at,
}: AnnotationProjects): AnnotationProject {
  return {
    id,
    name,
    labels: JSON.parse(labels) as string[],
    votes,
    guidelines,
    createdBy: created_by,
    createdAt: new Date(created_at),
  };
}

export function voteOf({ voter, label, why, viewed, took_ms, voted_at }: AnnotationVotes): AnnotationVote {
  return { by: voter, label, why, viewed: JSON.parse(viewed) as string[], tookMs: took_ms, at: new Date(voted_at) };
}

export function adjudicationOf({ decided_by, label, why, decided_at }: AnnotationAdjudications): Adjudication {
  return { by: decided_by, label, why, at: new Date(decided_at) };
}

interface Standing {
  voted: number;
  state: AnnotationState;
  label: string | null;
}

/** Where an item stands. What was not unanimous is disputed, however large the majority, until somebody settles it. */
export function standingOf(needed: number, labels: readonly string[], adjudicated: string | null): Standing {
  const voted = labels.length;
  if (voted < needed) return { voted, state: 'open', label: null };
  if (labels.every((label) => label === labels[0])) return { voted, state: 'agreed', label: labels[0]! };
  return adjudicated === null
    ? { voted, state: 'disputed', label: null }
    : { voted, state: 'adjudicated', label: adjudicated };
}

/** Writes down where an item stands, after a vote or an adjudication. */
export async function noteStanding(trx: Trx, project: string, position: number): Promise<void> {
  const { votes: needed } = await trx
    .selectFrom('annotation_projects')
    .select('votes')
    .where('id', '=', project)
    .executeTakeFirstOrThrow();
  const votes = await trx
    .selectFrom('annotation_votes')
    .select('label')
    .where('project', '=', project)
    .where('position', '=', position)
    .execute();
  const settled = await trx
    .selectFrom('annotation_adjudications')
    .select('label')
    .where('project', '=', project)
    .where('position', '=', position)
    .executeTakeFirst();
  const standing = standingOf(
    needed,
    votes.map(({ label }) => label),
    settled?.label ?? null,
  );
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
