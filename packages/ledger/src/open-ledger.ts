import path from 'node:path';
import { agonHome } from '@agonhq/engine/agon-home';
import type { Ledger } from './ledger.ts';

/** Where a ledger is: a file of SQLite, or a server of PostgreSQL. */
export type LedgerPlace = { file: string } | { url: string };

/**
 * Opens the ledger, makes it where there is none, and brings an older one up to date. The database's own code is
 * loaded only now. `connections` to a server at most; by default ten.
 *
 * @example const ledger = await openLedger({ file: 'ledger.sqlite' })
 */
export async function openLedger(place: LedgerPlace, options: { connections?: number } = {}): Promise<Ledger> {
  const { buildLedger } = await import('./build-ledger.ts');
  if ('file' in place) return buildLedger(await (await import('./sqlite/open-sqlite.ts')).openSqlite(place));
  return buildLedger(await (await import('./postgres/open-postgres.ts')).openPostgres(place.url, options));
}

/**
 * Reads a place as people write it: a path, or `postgres://…`.
 *
 * @example await openLedger(placeOf('postgres://agon@localhost/agon'))
 */
export function parseLedgerPlace(text: string): LedgerPlace {
  return /^postgres(ql)?:\/\//i.test(text) ? { url: text } : { file: text };
}

/**
 * The ledger that is named, otherwise that of the installation: AGON_DATABASE_URL, else AGON_LEDGER, else
 * `ledger.sqlite` in AGON_HOME (~/.agon).
 */
export function findLedgerPlace(
  environment: Record<string, string | undefined>,
  named?: string | boolean,
): LedgerPlace {
  if (typeof named === 'string') return parseLedgerPlace(named);
  if (environment['AGON_DATABASE_URL']) return { url: environment['AGON_DATABASE_URL'] };
  const own = environment['AGON_LEDGER'];
  // These say whether cases are kept; they are no files.
  if (own && !['true', 'false', '1', '0'].includes(own)) return parseLedgerPlace(own);
  return { file: path.join(agonHome(environment), 'ledger.sqlite') };
}

/** A ledger with some of its parts replaced; the others are as lazy as they were. */
export function replaceParts(ledger: Ledger, makers: { readonly [Name in keyof Ledger]?: () => Ledger[Name] }): Ledger {
  const own = Object.keys(ledger).map((name) => [name, () => ledger[name as keyof Ledger]]);
  return makeLazily<Ledger>({ ...Object.fromEntries(own), ...makers });
}

/** An object whose parts are each made when it is first asked for. */
export function makeLazily<Parts extends object>(makers: { readonly [Name in keyof Parts]: () => Parts[Name] }): Parts {
  const parts = {} as Parts;
  for (const name of Object.keys(makers) as (keyof Parts)[]) {
    const get = (): Parts[typeof name] => {
      const value = makers[name]();
      Object.defineProperty(parts, name, { value, enumerable: true, writable: true, configurable: true });
      return value;
    };
    Object.defineProperty(parts, name, { get, enumerable: true, configurable: true });
  }
  return parts;
}
