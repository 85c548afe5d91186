import type { ItemContext } from '@agonhq/engine/items/item-context';
import { findQueue, type QueueFacts, type QueueRules } from './queue-rules.ts';
import { defaultQueue, nameCaseLanguage, never, type ListedReview } from '../cases/listing.ts';
import type { Db } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
import { fromStored } from '../database/stored-json.ts';

/** A queue as cases are held against it. */
export interface PlacingQueue {
  id: string;
  rules: QueueRules;
  dueMinutes: number | null;
}

/** In the order in which they are asked. Whoever places a case reads them in the same transaction. */
export async function readPlacingQueues(db: Db): Promise<PlacingQueue[]> {
  const { rows } = await selectQueues(db, {});
  return rows.map(({ id, version, rules, due_minutes }) => ({
    id,
    rules: fromStored('queue', version, rules),
    dueMinutes: due_minutes,
  }));
}

const selectQueues = fixedQuery((db) =>
  db.selectFrom('queues').select(['id', 'version', 'rules', 'due_minutes']).orderBy('position').orderBy('id'),
);

/** All that rules ask for, of cases with a verdict. */
export function selectPlaced(db: Db) {
  return db
    .selectFrom('listing')
    .innerJoin('debates', (join) =>
      join.onRef('debates.opened_at', '=', 'listing.opened_at').onRef('debates.id', '=', 'listing.id'),
    )
    .innerJoin('subjects', 'subjects.hash', 'debates.subject')
    .innerJoin('verdicts', 'verdicts.debate', 'listing.id')
    .leftJoin('contexts', 'contexts.debate', 'listing.id')
    .leftJoin('runs', 'runs.id', 'listing.run')
    .select([
      'listing.opened_at',
      'listing.id',
      'listing.job',
      'listing.label',
      'listing.urgency',
      'listing.categories',
      'listing.severity',
      'listing.risk',
      'listing.run',
      'listing.decided',
      'listing.stage',
      'listing.queue',
      'listing.due_at',
      'listing.sampled',
      'listing.reviewed',
      'listing.assigned',
      'listing.language',
      'listing.clauses',
      'debates.again_how',
      'debates.forgotten_at',
      'subjects.excerpt',
      'verdicts.closed_at',
      'contexts.version as context_version',
      'contexts.context',
      'runs.name as run_name',
    ])
    .select(({ selectFrom }) =>
      selectFrom('decisions')
        .select(({ fn }) => fn.min('decided_at').as('first'))
        .whereRef('decisions.case_id', '=', 'listing.id')
        .as('first_decided'),
    );
}

export type PlacedCaseRow = Awaited<ReturnType<ReturnType<typeof selectPlaced>['executeTakeFirstOrThrow']>>;

export const findPlaced = fixedQuery((db, { id }: { id: string }) => selectPlaced(db).where('debates.id', '=', id));

/** The queue that takes a case that people review, and by when it should be decided there. */
export async function placeCase(
  queues: readonly PlacingQueue[],
  row: PlacedCaseRow,
): Promise<Pick<ListedReview, 'queue' | 'due_at' | 'sampled' | 'language'>> {
  const language = await findAskedLanguage(queues, row);
  const facts = makeFacts(row, language);
  // What people have decided is drawn no more, and what they decided of a sample stays one.
  const isOpen = row.decided === 0 || row.sampled === 1;
  const taken = findQueue(isOpen ? queues : queues.filter(({ rules }) => rules.sample === undefined), facts);
  const sampled = row.decided === 1 ? row.sampled : Number(taken?.rules.sample !== undefined);
  if (!taken) return { queue: defaultQueue, due_at: never, sampled, language };
  // It waits since the machine asked for a person, or since a person contradicted it.
  const since = facts.unsure || sampled === 1 ? row.closed_at : (row.first_decided ?? row.closed_at);
  const due = taken.dueMinutes === null ? never : addMinutes(since, taken.dueMinutes);
  return { queue: taken.id, due_at: due, sampled, language };
}

function readContext({ context, context_version }: PlacedCaseRow): ItemContext {
  return context === null ? {} : fromStored('context', context_version ?? 1, context);
}

function makeFacts(row: PlacedCaseRow, language: string | null): QueueFacts {
  const { id, job, severity, run, run_name } = row;
  return {
    id,
    job,
    categories: [row.categories, row.clauses].flatMap((stored) => JSON.parse(stored) as string[]),
    severity,
    risk: row.risk,
    language,
    channel: readContext(row).channel ?? null,
    run: [run, run_name].filter((name) => name !== null),
    unsure: row.urgency > 0,
  };
}

/** Of cases that came before languages were told, and of images by what was read in them: where a queue asks. */
async function findAskedLanguage(queues: readonly PlacingQueue[], row: PlacedCaseRow): Promise<string | null> {
  if (row.language !== null || !queues.some(({ rules }) => rules.languages)) return row.language;
  return nameCaseLanguage(row.excerpt);
}

function addMinutes(moment: string, minutes: number): string {
  return new Date(new Date(moment).getTime() + minutes * 60_000).toISOString();
}
