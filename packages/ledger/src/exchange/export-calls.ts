import { expandText } from '../calls/pack-call.ts';
import type { Db } from '../database/database.ts';
import { pageSize, readPages } from '../database/pages.ts';
import { fromStored } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';

export async function* exportCallTexts(db: Db): AsyncGenerator<LedgerLine> {
  const query = db.selectFrom('call_texts').selectAll().orderBy('hash').limit(pageSize);
  const rows = readPages(query, (all, { hash }) => all.where('hash', '>', hash));
  for await (const { hash, data } of rows) yield { kind: 'call-text', version: 1, hash, text: expandText(data, hash) };
}

export async function* exportCalls(db: Db): AsyncGenerator<LedgerLine> {
  const query = db
    .selectFrom('calls')
    .selectAll()
    .orderBy('debate')
    .orderBy('key')
    .orderBy('input_hash')
    .orderBy('position')
    .limit(pageSize);
  const rows = readPages(query, (all, { debate, key, input_hash, position }) =>
    all.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('debate', 'key', 'input_hash', 'position'), '>', tuple(debate, key, input_hash, position)),
    ),
  );
  for await (const { debate, key, input_hash, position, version, call, kept_at } of rows)
    yield {
      kind: 'call',
      version,
      debate,
      key,
      inputHash: input_hash,
      position,
      call: fromStored('call', version, call),
      keptAt: kept_at,
    };
}

export async function* exportCache(db: Db): AsyncGenerator<LedgerLine> {
  const rows = readPages(db.selectFrom('cache').selectAll().orderBy('key').limit(pageSize), (query, { key }) =>
    query.where('key', '>', key),
  );
  for await (const { key, version, value, kept_at } of rows)
    yield { kind: 'cache', version, key, value: fromStored('cache', version, value), keptAt: kept_at };
}
