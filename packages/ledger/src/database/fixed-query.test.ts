import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { fixedQuery } from './fixed-query.ts';

it('a query of fixed shape is built once for a database, and asks each time with the values of that time', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-fixed-query-'));
  const databases = await Promise.all(
    ['one', 'two'].map((name) => openSqlite({ file: path.join(folder, `${name}.sqlite`) })),
  );
  let built = 0;
  const keep = fixedQuery((db, { hash, name }: { hash: string; name: string }) => {
    built += 1;
    return db
      .insertInto('policies')
      .values({ hash, name, version: 1, policy_version: '7', document: '{}' })
      .returning(['hash', 'name', 'policy_version']);
  });

  for (const { db, write } of databases) {
    expect((await keep(db, { hash: 'a', name: 'first' })).rows).toEqual([
      { hash: 'a', name: 'first', policy_version: '7' },
    ]);
    expect((await write((trx) => keep(trx, { hash: 'b', name: 'second' }))).rows).toEqual([
      { hash: 'b', name: 'second', policy_version: '7' },
    ]);
    expect(await db.selectFrom('policies').select(['hash', 'name']).orderBy('hash').execute()).toEqual([
      { hash: 'a', name: 'first' },
      { hash: 'b', name: 'second' },
    ]);
  }
  expect(built).toBe(2);

  for (const database of databases) await database.close();
  await rm(folder, { recursive: true });
});
