import { expect } from 'vitest';
import { stringify } from 'yaml';
import { parsePolicy } from '@agonhq/engine/policy';
import { describeHostile, type HostileCase } from './corpus.ts';
import { drawFor, seed } from './draws.ts';
import { readOrRefuse } from './refusal.ts';
import { goodPolicy } from './good-files.ts';
import { mutateText } from './mutate.ts';

/* Policies that do harm when a parser believes them: read as a policy, or refused as a broken one. */

type Outcome = 'read' | 'broken-policy';

const laughs = (levels: number) =>
  Array.from({ length: levels }, (_, level) =>
    level === 0 ? 'a0: &a0 ["lol"]' : `a${level}: &a${level} [${`*a${level - 1},`.repeat(10)}]`,
  ).join('\n');

const line = (words: string) => `${words}\n${goodPolicy}`;
const member = (words: string) => goodPolicy.replace('version:', () => `${words}\nversion:`);
const replaced = (from: string, to: string) => goodPolicy.replace(from, () => to);

const written: Record<string, [Outcome, () => string]> = {
  'a billion laughs': ['broken-policy', () => `${laughs(10)}\n${goodPolicy}`],
  'a quadrillion laughs': ['broken-policy', () => `${laughs(16)}\n${goodPolicy}`],
  'a quadratic blow-up': ['broken-policy', () => `a: &a "${'x'.repeat(10_000)}"\nb: [${'*a,'.repeat(10_000)}]`],
  'an alias of itself': ['broken-policy', () => 'a: &a [*a]'],
  'an alias of nothing': ['broken-policy', () => member('preamble: *nothing')],
  'an anchor that nobody uses': ['read', () => replaced('version: 1.0', 'version: &v 1.0')],
  'an alias of a text': ['broken-policy', () => replaced('version: 1.0', 'version: &v 1.0\npreamble: *v')],
  'a merge key': ['broken-policy', () => line('<<: {name: x}')],
  'a merge key of an alias': ['broken-policy', () => line('base: &base {name: x}\n<<: *base')],
  'a key given twice': ['broken-policy', () => member('name: other')],
  'a key given twice in quotes': ['broken-policy', () => member('"name": other')],
  '__proto__ as a member': ['broken-policy', () => member('__proto__: {polluted: yes}')],
  'constructor as a member': ['broken-policy', () => member('constructor: {prototype: {polluted: yes}}')],
  'prototype as a member': ['broken-policy', () => member('prototype: x')],
  '__proto__ as an action, which is not taken over': ['read', () => member('actions: {__proto__: x}')],
  'constructor as an action': ['read', () => member('actions: {constructor: x}')],
  'toString as the action of a clause': [
    'broken-policy',
    () => replaced('severity: high', 'severity: high\n        action: toString'),
  ],
  'constructor as the action of a clause': [
    'broken-policy',
    () => replaced('severity: high', 'severity: high\n        action: constructor'),
  ],
  'constructor as a severity': ['broken-policy', () => replaced('severity: high', 'severity: constructor')],
  'the tag !!js/function': [
    'broken-policy',
    () => replaced('name: House rules', "name: !!js/function 'function () { throw 1 }'"),
  ],
  'the tag !!python/object/apply': [
    'broken-policy',
    () => replaced('name: House rules', "name: !!python/object/apply:os.system ['ls']"),
  ],
  'the tag !!binary': ['broken-policy', () => replaced('name: House rules', 'name: !!binary aGVsbG8=')],
  'the tag !!set': ['broken-policy', () => replaced('name: House rules', 'name: !!set {a, b}')],
  'a tag of our own': ['broken-policy', () => replaced('name: House rules', 'name: !include /etc/passwd')],
  'a directive of another version': ['broken-policy', () => `%YAML 9.9\n---\n${goodPolicy}`],
  'an unknown directive': ['broken-policy', () => `%EVIL yes\n---\n${goodPolicy}`],
  'two documents': ['broken-policy', () => `${goodPolicy}\n---\n${goodPolicy}`],
  'a complex key': ['broken-policy', () => line('? [a, b]\n: c')],
  'an empty file': ['broken-policy', () => ''],
  'comments alone': ['broken-policy', () => '# nothing\n'],
  null: ['broken-policy', () => 'null'],
  'a list': ['broken-policy', () => '- a\n- b'],
  'an endless quote': ['broken-policy', () => replaced('name: House rules', `name: "${'x'.repeat(100_000)}`)],
  'brackets 100,000 deep': ['broken-policy', () => `a: ${'['.repeat(100_000)}`],
  'braces 50,000 deep, closed': ['broken-policy', () => `a: ${'{a: '.repeat(50_000)}1${'}'.repeat(50_000)}`],
  'an indentation 5,000 deep': [
    'broken-policy',
    () => Array.from({ length: 5_000 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
  ],
  'a hundred thousand keys': [
    'broken-policy',
    () => line(Array.from({ length: 100_000 }, (_, at) => `k${at}: 1`).join('\n')),
  ],
  'a hundred thousand examples': [
    'read',
    () => replaced('- How do I build a bomb?', '- How?\n          '.repeat(20_000) + '- How?'),
  ],
  'a text of a megabyte where a line stands': [
    'broken-policy',
    () => replaced('building weapons', 'x'.repeat(1_000_000)),
  ],
  'a byte order mark in the middle': ['read', () => replaced('building weapons', 'building \ufeff weapons')],
  'NUL in a text': ['read', () => replaced('building weapons', String.raw`"building \0 weapons"`)],
  'ESC in a name': ['read', () => replaced('name: House rules', 'name: ' + String.raw`"\e[31mHouse\e[0m rules"`)],
  'a surrogate alone': ['read', () => replaced('building weapons', String.raw`"building \ud800 weapons"`)],
  'bidi marks': ['read', () => replaced('building weapons', 'building \u202eweapons\u202c')],
  'a tab that indents': ['broken-policy', () => replaced('  - id: weapons', '\t- id: weapons')],
  'Windows line ends': ['read', () => goodPolicy.replaceAll('\n', '\r\n')],
  'line separators of Unicode': ['read', () => replaced('building weapons', 'building\u2028weapons')],
  'an id of a hundred thousand letters': [
    'broken-policy',
    () => goodPolicy.replaceAll('weapons', `w${'x'.repeat(100_000)}`),
  ],
  'an id with a path': ['broken-policy', () => goodPolicy.replaceAll('id: weapons', 'id: ../../weapons')],
  'an id that a slow expression would choke on': [
    'broken-policy',
    () => replaced('id: weapons\n', `id: ${'a-'.repeat(50_000)}!\n`),
  ],
};

const wrong: Record<string, unknown> = {
  'no value': null,
  'a list': [],
  'a list of lists': [[[]]],
  'a mapping': {},
  'a mapping in a list': [{}],
  'an empty text': '',
  spaces: '   ',
  'a number out of reach': '1e999',
  'a very long text': 'y'.repeat(5_000),
  'a prototype': { __proto__x: 1, constructor: 2, toString: 3 },
  markup: '<img src=x onerror=alert(1)>',
  'control characters': '\u001b[2J\u0007\u0000',
};
const places = [
  ['name'],
  ['version'],
  ['preamble'],
  ['sensitivity'],
  ['actions'],
  ['categories'],
  ['categories', 0],
  ['categories', 0, 'id'],
  ['categories', 0, 'title'],
  ['categories', 0, 'clauses'],
  ['categories', 0, 'clauses', 0],
  ['categories', 0, 'clauses', 0, 'id'],
  ['categories', 0, 'clauses', 0, 'text'],
  ['categories', 0, 'clauses', 0, 'severity'],
  ['categories', 0, 'clauses', 0, 'violations'],
  ['categories', 0, 'clauses', 0, 'exonerations', 0],
  ['categories', 0, 'clauses', 0, 'action'],
] as const;

const plain = () => ({
  name: 'House rules',
  version: '1.0',
  categories: [
    {
      id: 'weapons',
      title: 'Weapons',
      clauses: [{ id: 'weapons.make', text: 'building', severity: 'high', violations: ['a'], exonerations: ['b'] }],
    },
  ],
});

function withWrong(place: readonly (string | number)[], value: unknown): string {
  const policy = plain();
  let at: any = policy;
  for (const step of place.slice(0, -1)) at = at[step];
  at[place.at(-1)!] = value;
  return stringify(policy);
}

async function judge(text: string): Promise<Outcome> {
  const outcome = await readOrRefuse(() => {
    const { hash, name, categories } = parsePolicy(text, 'house.yaml');
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(typeof name).toBe('string');
    expect(categories.length).toBeGreaterThan(0);
  });
  expect(['read', 'broken-policy']).toContain(outcome);
  return outcome as Outcome;
}

const cases: HostileCase[] = [
  ...Object.entries(written).map(([name, [outcome, text]]) => ({
    name,
    run: async () => expect(await judge(text())).toBe(outcome),
  })),
  ...places.flatMap((place) =>
    Object.entries(wrong).map(([name, value]) => ({
      name: `${place.join('.')} is ${name}`,
      run: () => judge(withWrong(place, value)),
    })),
  ),
  ...Array.from({ length: 60 }, (_, index) => ({
    name: `mutation ${index + 1} of a good policy`,
    run: () => judge(mutateText(goodPolicy, drawFor(`yaml ${index}`, seed))),
  })),
];

describeHostile('yaml', cases, { every: 20 });
