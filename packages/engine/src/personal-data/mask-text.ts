import { findHandles, findInLinks, findMails, findNetworkAddresses } from './find-addresses.ts';
import { findAccounts, findCards, findNationalNumbers } from './find-numbers.ts';
import { findPeople, type KnownPerson } from './find-people.ts';
import { findPhones } from './find-phones.ts';
import { personalKinds, type Found, type PersonalCounts, type PersonalKind } from './found.ts';

/** The surest first: of two finds in one place, the one that begins earlier, is longer, or stands first here. */
const finders = [
  findMails,
  findInLinks,
  findAccounts,
  findCards,
  findNationalNumbers,
  findPhones,
  findNetworkAddresses,
  findHandles,
];

/** Rules and case files go out again and again: they are searched once. */
const recent = new Map<string, readonly Found[]>();
const recentAtMost = 64;

/** All personal data of a text, in order and without overlaps. */
export function findPersonalData(text: string, people: readonly KnownPerson[] = []): Found[] {
  let found = recent.get(text);
  if (!found) {
    found = finders.flatMap((find) => find(text));
    recent.set(text, found);
    if (recent.size > recentAtMost) recent.delete(recent.keys().next().value!);
  }
  return keepApart([...found, ...findPeople(text, people)]);
}

function keepApart<Stretch extends { start: number; end: number }>(stretches: readonly Stretch[]): Stretch[] {
  const kept: Stretch[] = [];
  for (const stretch of stretches.toSorted((a, b) => a.start - b.start || b.end - a.end))
    if (stretch.start >= (kept.at(-1)?.end ?? 0)) kept.push(stretch);
  return kept;
}

/** How many different values of each kind. */
function countPersonalData(found: readonly Pick<Found, 'kind' | 'value'>[]): PersonalCounts {
  const values = new Map<PersonalKind, Set<string>>();
  for (const { kind, value } of found) values.set(kind, (values.get(kind) ?? new Set()).add(value));
  return Object.fromEntries([...values].map(([kind, known]) => [kind, known.size]));
}

/** What looks like a placeholder in a text is put behind one itself, so that nothing is taken for what it is not. */
const placeholder = new RegExp(`\\[(?:${personalKinds.join('|')}|text)-r?\\d+(?:\\.\\d+)?\\]`, 'gi');

type Kind = PersonalKind | 'text';
interface Stretch {
  kind: Kind;
  start: number;
  end: number;
  value: string;
}

/** Puts placeholders for personal data, and back again. It lives in this process and is never written down. */
export interface Mask {
  /** `shared`: a text that is the same for many cases; its own placeholders do not depend on the case. */
  mask(text: string, where?: 'case' | 'shared'): string;
  /** What a text with placeholders says; `json`: as it is written inside of a JSON string. */
  unmask(text: string, as?: 'plain' | 'json'): string;
  /** What was masked so far. */
  counts(): PersonalCounts;
  /** One of the same placeholders, that goes on by itself. */
  fork(): Mask;
}

interface Names {
  /** By kind and value, the name of the value and the ways in which it was written. */
  values: Map<string, { name: string; forms: Map<string, string> }>;
  originals: Map<string, string>;
  used: Map<string, number>;
}

/**
 * The placeholders of a case. They follow from its texts alone: the same value is the same one in every prompt, and a
 * debate that is taken up again sends the same words.
 *
 * @example createMask(['Write to anna@example.org']).mask('anna@example.org wrote') // '[mail-1] wrote'
 */
export function createMask(texts: readonly string[] = [], people: readonly KnownPerson[] = []): Mask {
  const mask = openMask({ values: new Map(), originals: new Map(), used: new Map() }, people);
  for (const text of texts) mask.mask(text);
  return mask.fork();
}

function openMask(names: Names, people: readonly KnownPerson[]): Mask {
  const masked = new Map<string, { kind: PersonalKind; value: string }>();

  function nameOf({ kind, value }: Stretch, form: string, prefix: string): string {
    const key = `${kind} ${value}`;
    let known = names.values.get(key);
    if (!known) {
      const line = `${kind}-${prefix}`;
      const number = (names.used.get(line) ?? 0) + 1;
      names.used.set(line, number);
      names.values.set(key, (known = { name: `${line}${number}`, forms: new Map() }));
    }
    let shown = known.forms.get(form);
    if (shown === undefined) {
      shown = known.forms.size === 0 ? `[${known.name}]` : `[${known.name}.${known.forms.size + 1}]`;
      known.forms.set(form, shown);
      names.originals.set(shown, form);
    }
    return shown;
  }

  return {
    mask(text, where = 'case') {
      const literals = Array.from(text.matchAll(placeholder), ({ 0: whole, index }) => ({
        kind: 'text' as const,
        start: index,
        end: index + whole.length,
        value: whole,
      }));
      const stretches: Stretch[] = [...findPersonalData(text, people), ...findKnown(text, names), ...literals];
      let result = '';
      let from = 0;
      for (const stretch of keepApart(stretches)) {
        const { kind, value, start, end } = stretch;
        const form = text.slice(start, end);
        result += text.slice(from, start) + nameOf(stretch, form, where === 'shared' ? 'r' : '');
        from = end;
        if (kind !== 'text') masked.set(`${kind} ${value}`, { kind, value });
      }
      return result + text.slice(from);
    },
    unmask: (text, as = 'plain') =>
      text.replaceAll(placeholder, (shown) => {
        const original = names.originals.get(shown.toLowerCase());
        if (original === undefined) return shown;
        return as === 'json' ? JSON.stringify(original).slice(1, -1) : original;
      }),
    counts: () => countPersonalData([...masked.values()]),
    fork: () =>
      openMask(
        {
          values: new Map([...names.values].map(([key, { name, forms }]) => [key, { name, forms: new Map(forms) }])),
          originals: new Map(names.originals),
          used: new Map(names.used),
        },
        people,
      ),
  };
}

/** A number that a text calls a telephone number stays one where it is only repeated. */
function findKnown(text: string, { values }: Names): Stretch[] {
  return [...values].flatMap(([key, { forms }]) => {
    const kind = key.slice(0, key.indexOf(' ')) as Kind;
    const value = key.slice(kind.length + 1);
    return kind === 'text' ? [] : [...forms.keys()].flatMap((form) => findForm(text, form, kind, value));
  });
}

function findForm(text: string, form: string, kind: Kind, value: string): Stretch[] {
  const found: Stretch[] = [];
  for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + form.length)) {
    const end = start + form.length;
    const isWhole = (edge: string, beside: string) => !/[\p{L}\p{N}_]/u.test(edge) || !/[\p{L}\p{N}_]/u.test(beside);
    // Short ids are only what they are where they stood.
    if (form.length > 3 && isWhole(form[0]!, text[start - 1] ?? '') && isWhole(form.at(-1)!, text[end] ?? ''))
      found.push({ kind, value, start, end });
  }
  return found;
}
