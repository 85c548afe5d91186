import type { Ledger } from './ledger.ts';

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
