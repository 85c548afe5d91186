import { encodeHex } from '@agonhq/engine/container';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Db, Kind } from '../database/database.ts';
import { findBatchProblems } from '../compact/check-batches.ts';
import { findHoldProblems } from '../holds/hold-log.ts';
import { findRecords, readUnentered } from './find-records.ts';
import { commitTo, hashLeafRow } from './leaves.ts';
import { appendLeaves, computeRoot, emptyTree, type MerkleTree } from './merkle-tree.ts';
import {
  forgettingNames,
  forgettings,
  isForgetting,
  writeContent,
  readPlace,
  recordKindNames,
  recordKinds,
  type AnyRow,
  type RecordKindName,
} from './record-kinds.ts';
import { readTreeHeads, type TreeHead } from './sequence-leaves.ts';
import type { Tables } from '../schema/tables.ts';
import type { Selectable } from 'kysely';

/** Answers are large. */
const atOnce = 500;
/** Problems that are told one by one; the others are counted. */
const mostReported = 1_000;

/** Something that is not as the trees say. */
export interface RecordProblem {
  what: 'altered' | 'removed' | 'added' | 'returned' | 'unsalted' | 'rewritten' | 'rolled-back';
  /** In plain words. */
  message: string;
  kind?: RecordKindName;
  record?: string;
}

/** A root that somebody knows from elsewhere, and what to call where from. */
export interface KnownRoot extends TreeHead {
  source: string;
}

export interface AuditOptions {
  known?: readonly KnownRoot[];
  onProgress?(checked: number, all: number): void;
}

export interface RecordsReport {
  trees: TreeHead[];
  /** How often something was written: the leaves of all trees, and those that wait for their place. */
  leaves: number;
  waiting: number;
  /** Leaves of what was written over since, and of what was forgotten: nothing is left to compare them with. */
  superseded: number;
  forgotten: number;
  problemCount: number;
  /** The first of them. */
  problems: RecordProblem[];
}

type Leaf = Selectable<Tables['record_leaves']> & { superseded: number | boolean; lost: number | boolean };

/** Compares every record with its leaf, every tree with its leaves, and the trees with roots that are known. */
export async function auditRecords(
  database: Database,
  { known = [], onProgress }: AuditOptions = {},
): Promise<RecordsReport> {
  await using moment = await database.snapshot();
  const { db } = moment;
  const report: RecordsReport = {
    trees: await readTreeHeads(db),
    leaves: 0,
    waiting: 0,
    superseded: 0,
    forgotten: 0,
    problemCount: 0,
    problems: [],
  };
  const tell = (problem: RecordProblem) => {
    report.problemCount += 1;
    if (report.problems.length < mostReported) report.problems.push(problem);
  };
  const all = await countLeaves(db);
  const checkPage = async (leaves: readonly Leaf[]) => {
    await checkLeaves(db, database.kind, leaves, report, tell);
    onProgress?.(report.leaves, all);
    await turnOfTheLoop();
  };

  const months = new Set([...(await listMonths(db)), ...report.trees.map(({ month }) => month)]);
  for (const { month } of known) months.add(month);
  for (const month of [...months].toSorted()) {
    const roots = known.filter((root) => root.month === month);
    const head = report.trees.find((tree) => tree.month === month);
    await checkTree(db, month, head ? [...roots, { ...head, source: 'the ledger' }] : roots, checkPage, tell);
  }
  for await (const leaves of readLeaves(db, null)) {
    report.waiting += leaves.length;
    await checkPage(leaves);
  }
  for (const name of recordKindNames)
    for await (const rows of readUnentered(db, name, atOnce))
      for (const row of rows)
        tell(describe('added', name, readPlace(name, row), 'is in the database, but was never written by Agon'));
  for await (const problem of findBatchProblems(db)) tell(problem);
  for (const problem of await findHoldProblems(db)) tell(problem);
  return report;
}

async function countLeaves(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('record_leaves')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function listMonths(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('record_leaves')
    .select('month')
    .distinct()
    .where('position', 'is not', null)
    .execute();
  return rows.map(({ month }) => month);
}

/** Leaves of a tree in their order, or those that wait for a place. */
async function* readLeaves(db: Db, month: string | null): AsyncGenerator<Leaf[]> {
  const later = sql`later.record = record_leaves.record and later.id > record_leaves.id`;
  const takes = forgettingNames
    .filter((how) => forgettings[how].length > 0)
    .map(
      (how) =>
        sql`(later.kind = ${sql.lit(how)} and record_leaves.kind in (${sql.join(forgettings[how].map(sql.lit))}))`,
    );
  const query = db
    .selectFrom('record_leaves')
    .selectAll()
    .select([
      sql<number | boolean>`exists (select 1 from record_leaves as later where ${later}
        and later.kind = record_leaves.kind and later.part = record_leaves.part)`.as('superseded'),
      sql<number | boolean>`exists (select 1 from record_leaves as later where ${later}
        and (${sql.join(takes, sql` or `)}))`.as('lost'),
    ])
    .limit(atOnce);
  const ordered =
    month === null
      ? query.where('position', 'is', null).orderBy('id')
      : query.where('month', '=', month).where('position', 'is not', null).orderBy('position');
  for (let rows = await ordered.execute(); rows.length > 0;) {
    yield rows;
    if (rows.length < atOnce) return;
    const last = rows.at(-1)!;
    rows = await (
      month === null ? ordered.where('id', '>', last.id) : ordered.where('position', '>', last.position)
    ).execute();
  }
}

/** Builds a tree again from its leaves, and compares it wherever a root is known. */
async function checkTree(
  db: Db,
  month: string,
  known: readonly KnownRoot[],
  checkPage: (leaves: readonly Leaf[]) => Promise<void>,
  tell: (problem: RecordProblem) => void,
): Promise<void> {
  const waiting = known.toSorted((a, b) => a.size - b.size);
  let tree: MerkleTree = emptyTree;
  let broken = false;
  let good = 0;
  const compare = () => {
    while (waiting[0] !== undefined && waiting[0].size <= tree.size) {
      const { size, root, source } = waiting.shift()!;
      if (size === tree.size && encodeHex(computeRoot(tree)) === root) good = size;
      else if (!broken) {
        broken = true;
        tell({
          what: 'rewritten',
          message:
            `The list of what was written in ${month} was rewritten: ` +
            `its entries ${good + 1} to ${size} are not those that ${source} vouches for.`,
        });
      }
    }
  };
  compare();
  for await (const leaves of readLeaves(db, month)) {
    for (const leaf of leaves) {
      if (leaf.position !== tree.size && !broken) {
        broken = true;
        tell({ what: 'rewritten', message: `Entry ${tree.size + 1} of what was written in ${month} is gone.` });
      }
      tree = appendLeaves(tree, [hashLeafRow(leaf)]);
      compare();
    }
    await checkPage(leaves);
  }
  for (const { size, source } of waiting)
    tell({
      what: 'rolled-back',
      message:
        `Of ${month} the ledger has ${tree.size} entries, but ${source} has seen ${size}: it was rolled back to an ` +
        'earlier state, or its end was cut off.',
    });
}

/** Compares records with what their last leaves commit to. */
async function checkLeaves(
  db: Db,
  kind: Kind,
  leaves: readonly Leaf[],
  report: RecordsReport,
  tell: (problem: RecordProblem) => void,
): Promise<void> {
  report.leaves += leaves.length;
  for (const [name, some] of Map.groupBy(leaves, (leaf) => leaf.kind)) {
    if (isForgetting(name)) continue;
    const current = some.filter((leaf) => !leaf.superseded);
    const rows = await findByPlace(db, kind, name, current);
    for (const leaf of some) {
      if (leaf.superseded) report.superseded += 1;
      if (leaf.salt === null && leaf.lost) report.forgotten += 1;
      else if (leaf.salt === null)
        tell(describe('unsalted', name, leaf, 'can no longer be checked: its salt is gone, and nobody forgot it'));
      const problem = leaf.superseded ? null : findProblem(name, leaf, rows.get(placeOf(leaf)));
      if (problem) tell(problem);
    }
  }
}

function findProblem(name: RecordKindName, leaf: Leaf, row: AnyRow | undefined): RecordProblem | null {
  if (leaf.salt === null) {
    if (row && leaf.lost) return describe('returned', name, leaf, 'was forgotten, and is there again');
    return null;
  }
  const found = commitTo(leaf.salt, row ? writeContent(name, row) : null);
  if (Buffer.compare(found, leaf.commitment) === 0) return null;
  return row
    ? describe('altered', name, leaf, `is not as it was written (${leaf.written_at})`)
    : describe('removed', name, leaf, `was written (${leaf.written_at}) and is gone; nobody forgot it`);
}

const placeOf = ({ record, part }: { record: string; part: string }) => JSON.stringify([record, part]);

async function findByPlace(
  db: Db,
  kind: Kind,
  name: RecordKindName,
  leaves: readonly Leaf[],
): Promise<ReadonlyMap<string, AnyRow>> {
  const records = [...new Set(leaves.map(({ record }) => record))];
  const rows = records.length === 0 ? [] : await findRecords(db, kind, name, records);
  return new Map(rows.map((row) => [placeOf(readPlace(name, row)), row]));
}

function describe(
  what: RecordProblem['what'],
  kind: RecordKindName,
  { record, part }: { record: string; part: string },
  words: string,
): RecordProblem {
  const about = part === '' ? record : `${part} of ${record}`;
  return { what, kind, record, message: `The ${recordKinds[kind].name} ${about} ${words}.` };
}
