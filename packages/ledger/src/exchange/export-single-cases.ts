import { sql, type Insertable } from 'kysely';
import { makeExcerpt } from '../cases/listing.ts';
import { unpackText, writeHash } from '../compact/compact-row.ts';
import { readCompact, readCompactContext, selectCompact, type WholeCase } from '../compact/read-compact.ts';
import { cutKey, readReferenceKey } from '../compact/text-references.ts';
import type { Db } from '../database/database.ts';
import { pageSize, readAll } from '../database/pages.ts';
import { fromStored, storedVersion } from '../database/stored-json.ts';
import type { LedgerLine } from '../ledger.ts';
import type { Texts, Verdicts } from '../tables/tables.ts';

/* Cases that are a single row each, as the rows that they would be: whoever reads them in has the rows of cases. */

const idsAtOnce = 1_000;

async function* readSingleCases(db: Db): AsyncGenerator<WholeCase> {
  for await (const row of readAll(selectCompact(db), ['listing.opened_at', 'listing.id'])) yield readCompact(row);
}

/** By the hashes of the texts: a text of several days is one content, and its days come one after the other. */
export async function* exportSingleSubjects(db: Db): AsyncGenerator<LedgerLine> {
  let written: string | null = null;
  for await (const page of readTexts(db)) {
    const openings = await findOpenings(
      db,
      page.flatMap(({ cases }) => cases.split(' ')),
    );
    for (const { hash: bytes, day, cases, data } of page) {
      const hash = writeHash(bytes);
      if (hash === written) continue;
      const listed = cases.split(' ').flatMap((id) => openings.get(id) ?? [])[0];
      const openedAt = listed ?? (await findFurtherOpening(db, bytes, day));
      // A text may outlast its cases until its day goes.
      if (openedAt === undefined) continue;
      written = hash;
      const content: unknown = JSON.parse(unpackText(data));
      yield {
        kind: 'subject',
        version: storedVersion,
        hash,
        content,
        excerpt: makeExcerpt(content),
        attachments: [],
        openedAt,
        forgottenAt: null,
      };
    }
  }
}

async function* readTexts(db: Db): AsyncGenerator<Pick<Texts, 'hash' | 'day' | 'cases' | 'data'>[]> {
  const key = readReferenceKey(sql.ref('hash'));
  const query = db.selectFrom('texts').selectAll().orderBy(key).orderBy('hash').orderBy('day').limit(pageSize);
  for (let page = await query.execute(); page.length > 0;) {
    yield page;
    const { hash, day } = page.at(-1)!;
    page = await query.where(sql<boolean>`(${key}, hash, day) > (${cutKey(hash)}, ${hash}, ${day})`).execute();
  }
}

async function findOpenings(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const openings = new Map<string, string>();
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const rows = await db
      .selectFrom('listing')
      .select(['id', 'opened_at'])
      .where('id', 'in', ids.slice(start, start + idsAtOnce))
      .where('packed', 'is not', null)
      .execute();
    for (const { id, opened_at } of rows) openings.set(id, opened_at);
  }
  return openings;
}

/** Of a case that refers to a text beyond the first. */
async function findFurtherOpening(db: Db, hash: Uint8Array, day: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('text_cases')
    .innerJoin('listing', 'listing.id', 'text_cases.id')
    .select('listing.opened_at')
    .where('text_cases.day', '=', day)
    .where('text_cases.hash', 'in', [hash, cutKey(hash)])
    .where('listing.packed', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row?.opened_at;
}

export async function* exportSingleDebates(db: Db): AsyncGenerator<LedgerLine> {
  for await (const whole of readSingleCases(db)) {
    const { debate } = whole;
    const context = readCompactContext(whole);
    yield {
      kind: 'debate',
      version: debate.version,
      id: debate.id,
      job: debate.job,
      subject: debate.subject,
      configuration: debate.configuration,
      settings: fromStored('debate', debate.version, debate.settings),
      policy: debate.policy,
      run: debate.run,
      again: null,
      openedAt: debate.opened_at,
      forgottenAt: null,
      ...(context === null ? {} : { context }),
    };
  }
}

export async function* exportSingleVerdicts(db: Db): AsyncGenerator<LedgerLine> {
  for await (const { verdict } of readSingleCases(db)) yield writeVerdictLine(verdict);
}

/** The line of a verdict, whether it has a row of its own or is part of one. */
export function writeVerdictLine(verdict: Insertable<Verdicts>): LedgerLine {
  const {
    version,
    debate,
    label,
    risk = null,
    bar = null,
    rule,
    modality = null,
    action,
    severity,
    answer,
    seal,
  } = verdict;
  return {
    kind: 'verdict',
    version,
    debate,
    label,
    risk,
    bar,
    escalate: verdict.escalate === 1,
    rule,
    categories: JSON.parse(verdict.categories) as string[],
    degraded: verdict.degraded === 1,
    modality,
    ...(action ? { action } : {}),
    ...(severity ? { severity } : {}),
    answer: answer ? fromStored('verdict', version, answer) : null,
    seal,
    closedAt: verdict.closed_at,
  };
}
