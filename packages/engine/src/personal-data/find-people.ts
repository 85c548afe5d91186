import { foundAt, type Found } from './found.ts';

/** Somebody whom the context of an item names: the member that does, and the name or id. */
export interface KnownPerson {
  member: string;
  name: string;
}

/** Words of a member's name that say that it names somebody. */
const personal = new Set(
  (
    'author user username name nickname nick handle login sender recipient poster owner reporter victim person ' +
    'customer client patient employee account profile contact mail email phone mobile address birthday'
  ).split(' '),
);
const longestName = 80;

/** Names and ids of people in the context of an item: who wrote it, and every member that is called like a person. */
export function listPeople(context: Readonly<Record<string, unknown>> | undefined): KnownPerson[] {
  return Object.entries(context ?? {}).flatMap(([member, given]) => {
    const words = member
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[\s_-]+/);
    if (!words.some((word) => personal.has(word))) return [];
    return [given].flat().flatMap((one) => {
      const name = typeof one === 'string' || typeof one === 'number' ? String(one).trim() : '';
      return name === '' || name.length > longestName ? [] : [{ member, name }];
    });
  });
}

/** Where a text names them, by their full names, by parts of them, and by their ids. */
export function findPeople(text: string, people: readonly KnownPerson[]): Found[] {
  return people.flatMap(({ member, name }) => {
    const value = name.toLowerCase();
    const find = (form: string, flags: string) =>
      Array.from(text.matchAll(new RegExp(form, flags)), ({ 0: whole, index }) =>
        foundAt('person', index, whole, value),
      );
    const word = (part: string) => `(?<![\\p{L}\\p{N}_])${escapeForm(part)}(?![\\p{L}\\p{N}_])`;
    // A short id or number is anything else in a text: it is one where the member says so.
    if (name.length < 3 || /^\d{1,5}$/.test(name))
      return find(`(?<=^${escapeForm(member)}: )${escapeForm(name)}$`, 'gmu');
    const isWords = /^\p{L}+(?:[\s'’.-]+\p{L}+)*\.?$/u.test(name);
    const parts = isWords ? name.split(/\s+/).filter((part) => /^\p{Lu}[\p{L}'’-]{2,}$/u.test(part)) : [];
    // A word in small letters may be any word: a single name is one as it is given, or with a capital.
    const whole = /^\p{L}+$/u.test(name)
      ? [name, name[0]!.toUpperCase() + name.slice(1)].flatMap((form) => find(word(form), 'gu'))
      : find(word(name), 'giu');
    return [...whole, ...parts.flatMap((part) => find(word(part), 'gu'))];
  });
}

function escapeForm(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
