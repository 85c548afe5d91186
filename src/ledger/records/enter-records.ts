import type { Kind, Trx } from '../database/database.ts';
import { findRecords } from './find-records.ts';
import { addLeaves, makeEnteredLeaf } from './leaves.ts';
import { readPlace, type RecordKindName } from './record-kinds.ts';

/** What an import brought, until it is entered. */
export interface BroughtRecord {
  name: RecordKindName;
  record: string;
  part: string;
}

/** Enters what an import brought. */
export async function enterBroughtRecords(trx: Trx, kind: Kind, brought: readonly BroughtRecord[]): Promise<void> {
  const placeOf = (record: string, part: string) => JSON.stringify([record, part]);
  for (const [name, some] of Map.groupBy(brought, (one) => one.name)) {
    const wanted = new Set(some.map(({ record, part }) => placeOf(record, part)));
    const rows = await findRecords(trx, kind, name, [...new Set(some.map(({ record }) => record))]);
    const inserted = rows.filter((row) => {
      const { record, part } = readPlace(name, row);
      return wanted.has(placeOf(record, part));
    });
    await addLeaves(
      trx,
      kind,
      inserted.map((row) => makeEnteredLeaf(name, row, 'imported')),
    );
  }
}
