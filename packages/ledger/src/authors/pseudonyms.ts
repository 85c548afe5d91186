/** Names of people who worked on a case, as somebody else may see them. */
export interface Pseudonyms {
  /** The same person has the same name throughout an archive, and no other's. */
  nameOf(person: string): string;
}

/** Kinds of origin that are no person's name. */
const origins = /^(?:dataset:|feedback$)/;

/**
 * Names in the order in which people are met.
 *
 * @example createPseudonyms().nameOf('mara') // 'reviewer 1'
 */
export function createPseudonyms(): Pseudonyms {
  const names = new Map<string, string>();
  return {
    nameOf(person) {
      if (origins.test(person)) return person;
      if (!names.has(person)) names.set(person, `reviewer ${names.size + 1}`);
      return names.get(person)!;
    },
  };
}
