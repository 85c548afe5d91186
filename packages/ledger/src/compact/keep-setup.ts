import { sql } from 'kysely';
import type { UnrecordedCase, UnrecordedOpening } from '../cases/cases.ts';
import type { Database } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { toStored } from '../database/stored-json.ts';
import { keepPolicy } from '../server/policy-store.ts';
import { hashSetup } from './hash-row.ts';
import { addSalt, compress, writeParts } from './pack-case.ts';
import { extendDictionary, listTexts } from './write-dictionary.ts';

/** What cases of one set-up share, as it is on record. */
interface SharedSetup {
  id: number;
  hash: string;
  dictionary: Uint8Array;
}

/** What is packed of a case that is like others is a smaller part of it; of one that is not, somebody looks why. */
const likeness = 4;

export type CasePacker = ReturnType<typeof casePacker>;

/** Packs cases against the dictionaries of their set-ups, which are on record before the rows that refer to them. */
export function casePacker(database: Database) {
  const setups = new Map<string, Promise<SharedSetup>>();

  /** The longest dictionary knows most; where there is none, the case begins one. */
  async function openSetup(decided: UnrecordedCase): Promise<SharedSetup> {
    const { job, configuration, policy, settings } = decided.opened;
    const known = await database.db
      .selectFrom('setups')
      .select(['id', 'hash', 'dictionary'])
      .where('job', '=', job)
      .where('configuration', '=', configuration)
      .where('policy', '=', policy.hash)
      .where('settings', '=', toStored(settings))
      .orderBy(sql`length(dictionary)`, 'desc')
      .limit(1)
      .executeTakeFirst();
    return known ?? keepSetup(database, decided.opened, extend(Buffer.alloc(0), decided));
  }

  async function extendSetup(setup: SharedSetup, decided: UnrecordedCase): Promise<SharedSetup> {
    const dictionary = extend(setup.dictionary, decided);
    return dictionary === setup.dictionary ? setup : keepSetup(database, decided.opened, dictionary);
  }

  return async (decided: UnrecordedCase, rule: string): Promise<{ setup: SharedSetup; packed: Uint8Array }> => {
    const { opened, answer } = decided;
    const text = writeParts({
      answer: toStored(answer),
      content: toStored(opened.subject.content),
      context: toStored(opened.context),
      rule: toStored(rule),
    });
    const key = [opened.job, opened.configuration, opened.policy.hash, toStored(opened.settings)].join(' ');
    const keep = (setup: Promise<SharedSetup>) => {
      setups.set(key, setup);
      setup.catch(() => setups.delete(key));
      return setup;
    };
    const found = setups.get(key) ?? keep(openSetup(decided));
    const setup = await found;
    const compressed = compress(text, setup.dictionary);
    if (compressed.length * likeness <= text.length) return { setup, packed: addSalt(compressed) };
    // Of several that are unlike others at the same moment, the first extends it.
    const extended = await (setups.get(key) === found ? keep(extendSetup(setup, decided)) : (setups.get(key) ?? found));
    return { setup: extended, packed: addSalt(compress(text, extended.dictionary)) };
  };
}

function extend(dictionary: Uint8Array, { opened: { subject, context }, answer }: UnrecordedCase): Uint8Array {
  return extendDictionary(dictionary, answer, [...listTexts(subject.content), ...listTexts(context)]);
}

/** Numbers come from hashes, so that whoever writes the same at once writes it under the same number. */
async function keepSetup(
  { write, kind }: Database,
  { job, configuration, policy, settings }: UnrecordedOpening,
  dictionary: Uint8Array,
): Promise<SharedSetup> {
  const row = { job, configuration, settings: toStored(settings), policy: policy.hash, dictionary };
  const hash = hashSetup(row);
  return write(async (trx) => {
    await keepPolicy(trx, kind, policy);
    for (let id = Number.parseInt(hash.slice(7, 14), 16); ; id += 1) {
      if (await insertNew(trx.insertInto('setups').values({ id, hash, ...row }))) return { id, hash, dictionary };
      const there = await trx.selectFrom('setups').select('hash').where('id', '=', id).executeTakeFirst();
      if (there?.hash === hash) return { id, hash, dictionary };
    }
  });
}
