import pg from 'pg';
import { indexPart, namePart } from '@agonhq/ledger/postgres/partitions';

const dayMs = 86_400_000;
const toDate = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/**
 * Days with copies of some cases that are on record, under other ids, as a ledger has them that was written to for so
 * long. They lie ahead: what was before a ledger began is one part.
 */
export async function fillDays(url: string, count: number, cases: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create temporary table kept as select * from listing where packed is not null limit ${cases}`);
    for (let day = 0; day < count; day += 1) {
      const date = toDate(Date.now() + (day + 2) * dayMs);
      const part = namePart(date);
      await client.query(
        [
          `create table ${part} (like listing including all)`,
          indexPart(part),
          `update kept set opened_at = '${date}T12:00:00.000Z', id = 'mod-' || left(md5(id || '${date}'), 16)`,
          `insert into ${part} select * from kept`,
          `alter table listing attach partition ${part} for values from ('${date}') to ('${toDate(Date.parse(date) + dayMs)}')`,
        ].join('; '),
      );
    }
    await client.query('vacuum analyze listing');
  } finally {
    await client.end();
  }
}
