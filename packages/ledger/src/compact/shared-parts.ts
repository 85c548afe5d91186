import type { Database, Db } from '../database/database.ts';
import { sha256 } from '@agonhq/engine/hash';
import { insertNew } from '../database/fixed-query.ts';
import { toStored } from '../database/stored-json.ts';
import type { UnrecordedOpening } from '../cases/cases.ts';
import { keepPolicy } from '../server/policy-store.ts';
import { repeatsText } from './write-template.ts';

/** What cases of one set-up share, as it is on record. */
export interface SharedSetup {
  id: number;
  hash: string;
  /** Its policy as JSON. */
  rules: string;
}

export interface SharedTemplate {
  id: number;
  hash: string;
}

/** Answers that have so many shapes are not alike: what comes beyond is written as a case. */
const mostTemplates = 5_000;

interface KnownSetup {
  stored: string;
  setup: Promise<SharedSetup>;
}

/** Settings are the same object for every case of a process. */
const isLike = (one: UnrecordedOpening, other: UnrecordedOpening): boolean =>
  one.settings === other.settings &&
  one.configuration === other.configuration &&
  one.job === other.job &&
  one.policy.hash === other.policy.hash;

export type SharedParts = ReturnType<typeof sharedParts>;

/**
 * Set-ups and templates by what they say; each is looked up once and written once, before the rows that refer to it.
 */
export function sharedParts(database: Database) {
  const setups = new Map<string, KnownSetup>();
  /** Most cases have the set-up of the one before. */
  let last: { opened: UnrecordedOpening; known: KnownSetup } | undefined;
  const templates = new Map<string, Promise<SharedTemplate | null>>();

  function findSetup(opened: UnrecordedOpening): Promise<SharedSetup> {
    if (last && isLike(last.opened, opened)) return last.known.setup;
    const key = `${opened.job} ${opened.configuration} ${opened.policy.hash}`;
    const known = setups.get(key);
    if (known && known.stored === toStored(opened.settings)) {
      last = { opened, known };
      return known.setup;
    }
    const stored = toStored(opened.settings);
    const setup = keepSetup(database, opened, stored);
    setups.set(key, { stored, setup });
    setup.catch(() => {
      setups.delete(key);
      last = undefined;
    });
    return setup;
  }

  /** Null where the template would tell what somebody wrote, or there are too many. */
  function findTemplate(body: string, rule: string, texts: readonly string[]): Promise<SharedTemplate | null> {
    const known = templates.get(body);
    if (known) return known;
    if (templates.size >= mostTemplates || repeatsText(body, texts)) return Promise.resolve(null);
    const template = keepTemplate(database, body, rule);
    templates.set(body, template);
    template.catch(() => templates.delete(body));
    return template;
  }

  return { findSetup, findTemplate };
}

async function keepSetup({ write, kind }: Database, opened: UnrecordedOpening, settings: string): Promise<SharedSetup> {
  const { job, configuration, policy } = opened;
  const row = { job, configuration, settings, policy: policy.hash };
  const hash = sha256(JSON.stringify([job, configuration, settings, policy.hash]));
  return write(async (trx) => {
    await keepPolicy(trx, kind, policy);
    const id = await keepByHash(trx, 'setups', hash, (own) =>
      insertNew(trx.insertInto('setups').values({ id: own, hash, ...row })),
    );
    return { id, hash, rules: toStored(policy.document) };
  });
}

async function keepTemplate({ write }: Database, body: string, rule: string): Promise<SharedTemplate> {
  const hash = sha256(`${rule} ${body}`);
  return write(async (trx) => ({
    hash,
    id: await keepByHash(trx, 'templates', hash, (id) =>
      insertNew(trx.insertInto('templates').values({ id, hash, rule, body })),
    ),
  }));
}

/** Numbers come from hashes, so that whoever writes the same at once writes it under the same number. */
async function keepByHash(
  db: Db,
  table: 'setups' | 'templates',
  hash: string,
  insert: (id: number) => Promise<boolean>,
): Promise<number> {
  for (let id = Number.parseInt(hash.slice(7, 14), 16); ; id += 1) {
    if (await insert(id)) return id;
    const row = await db.selectFrom(table).select('hash').where('id', '=', id).executeTakeFirst();
    if (row?.hash === hash) return id;
  }
}
