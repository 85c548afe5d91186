import { hash, randomBytes } from 'node:crypto';
import type { JobAnswer } from '../../jobs/index.ts';
import type { Database, Kind, Trx } from '../database/database.ts';
import { gatherWrites } from '../database/gather-writes.ts';
import { makeDays } from '../postgres/partitions.ts';
import { addLeaves, makeLeaf } from '../records/leaves.ts';
import type { OpenedCase } from '../cases/cases.ts';
import { dayOf, hashRow } from './compact-row.ts';
import { makeCompactCase, type CompactCase } from './make-row.ts';
import { sharedParts } from './shared-parts.ts';
import { findPresent, insertRows, referToTexts } from './write-rows.ts';

/** Rows of one transaction. */
const atMost = 1_000;
/** While one batch is on its way to the disk, the next is put together. */
const atOnce = 2;

/** Puts cases on record as one row each; false where one does not fit, or a case of its id is there already. */
export function decidedKeeper(database: Database): (opened: OpenedCase, answer: JobAnswer) => Promise<boolean> {
  const shared = sharedParts(database);
  const keep = gatherWrites((cases: readonly CompactCase[]) => keepBatch(database, cases), {
    atMost,
    atOnce: database.kind === 'sqlite' ? 1 : atOnce,
  });
  return async (opened, answer) => {
    const compact = await makeCompactCase(shared, opened, answer);
    return compact !== null && keep(compact);
  };
}

async function keepBatch({ db, kind, write }: Database, cases: readonly CompactCase[]): Promise<boolean[]> {
  if (kind === 'postgresql') await makeDays(db);
  const first = takeFirstOfEach(cases);
  const kept = await write((trx) => keepRows(trx, kind, first));
  return cases.map((compact) => kept.has(compact));
}

/** Of a case that comes twice at once, and of a text under two set-ups, the first: the others follow as cases. */
function takeFirstOfEach(cases: readonly CompactCase[]): CompactCase[] {
  const seen = new Set<string>();
  return cases.filter(({ opened }) => {
    const isNew = !seen.has(opened.subject.hash);
    seen.add(opened.subject.hash);
    return isNew;
  });
}

async function keepRows(trx: Trx, kind: Kind, cases: readonly CompactCase[]): Promise<ReadonlySet<CompactCase>> {
  // A queue may draw samples of what the machine is sure of.
  const queue = await trx.selectFrom('queues').select('id').limit(1).executeTakeFirst();
  if (queue) return new Set();
  const present = await findPresent(
    trx,
    kind,
    cases.map(({ opened }) => opened.id),
  );
  const absent = cases.filter(({ opened }) => !present.has(opened.id));
  if (absent.length === 0) return new Set();
  const opened_at = new Date().toISOString();
  const day = dayOf(opened_at);
  const told = await referToTexts(
    trx,
    kind,
    absent.map(({ subject, opened, text }) => ({ hash: subject, day, cases: opened.id, data: text })),
  );
  const fitting = absent.filter(({ subject }) => told.has(Buffer.from(subject).toString('hex')));
  const inserted = await insertRows(
    trx,
    kind,
    fitting.map(({ listed, setup, template, subject, packed }) => ({
      ...listed,
      opened_at,
      setup: setup.id,
      template: template.id,
      subject,
      packed,
    })),
  );
  const kept = fitting.filter(({ opened }) => inserted.has(opened.id));
  await keepHashes(
    trx,
    kind,
    opened_at,
    kept.map(({ listed, subject, packed, setup, template, content }) =>
      hashRow({ ...listed, opened_at }, { subject, packed }, { setup: setup.hash, template: template.hash, content }),
    ),
  );
  return new Set(kept);
}

/** One leaf of the tree for all of them. */
export async function keepHashes(
  trx: Trx,
  kind: Kind,
  opened_at: string,
  hashes: readonly Uint8Array[],
): Promise<void> {
  if (hashes.length === 0) return;
  const all = Buffer.concat(hashes);
  const row = {
    id: `batch-${opened_at}-${randomBytes(4).toString('hex')}`,
    opened_at,
    size: hashes.length,
    root: hash('sha256', all, 'hex'),
    hashes: all,
  };
  await trx.insertInto('batches').values(row).execute();
  await addLeaves(trx, kind, [makeLeaf('batch', row)]);
}
