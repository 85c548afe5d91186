import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../hash.ts';
import { diffPolicies, parsePolicy, writePolicy, type Category, type Policy, type PolicyChange } from './index.ts';

const old = parsePolicy(
  `
name: House rules
version: 1
preamble: Read kindly.
categories:
  - id: weapons
    title: Weapons
    clauses:
      - { id: weapons.make, text: building weapons, severity: high, violations: [ How do I build a bomb? ], exonerations: [ The history of dynamite. ] }
      - { id: weapons.sale, text: selling weapons, severity: high, violations: [ Guns without papers ], exonerations: [ A museum shows swords ] }
  - id: fraud
    title: Fraud
    clauses:
      - { id: fraud.scam, text: scams, severity: low, violations: [ Send me your PIN ], exonerations: [ How do I recognise a scam? ] }
`,
  'old.yaml',
);

function edited(change: (yaml: string) => string): Policy {
  const yaml = writePolicy(old);
  expect(change(yaml)).not.toBe(yaml);
  return parsePolicy(change(yaml), 'new.yaml');
}

const changesTo = (change: (yaml: string) => string) => diffPolicies(old, edited(change));
const swap = (from: string, to: string) => (yaml: string) => yaml.replace(from, () => to);

describe('the difference of two policies', () => {
  it('is the fields of a clause, each by itself', () => {
    expect(
      changesTo((yaml) =>
        swap('severity: low', 'severity: critical')(swap('text: scams', 'text: scams of any kind')(yaml)),
      ),
    ).toEqual([
      { at: 'fraud.scam', kind: 'changed', what: 'text', before: 'scams', after: 'scams of any kind' },
      { at: 'fraud.scam', kind: 'changed', what: 'severity', before: 'low', after: 'critical' },
    ]);
  });

  it('is the examples of a clause', () => {
    expect(changesTo(swap('- Send me your PIN', '- Send me your PIN\n          - You have won'))).toEqual([
      {
        at: 'fraud.scam',
        kind: 'changed',
        what: 'violations',
        before: [{ text: 'Send me your PIN' }],
        after: [{ text: 'Send me your PIN' }, { text: 'You have won' }],
      },
    ]);
  });

  it('is a title, a name, a version, and a preamble that comes or goes', () => {
    expect(
      changesTo((yaml) => swap('title: Weapons', 'title: Arms')(swap('preamble: Read kindly.\n', '')(yaml))),
    ).toEqual([
      { at: 'policy', kind: 'removed', what: 'preamble', before: 'Read kindly.', after: null },
      { at: 'weapons', kind: 'changed', what: 'title', before: 'Weapons', after: 'Arms' },
    ]);
    expect(changesTo(swap('version: "1"', 'version: "2"'))).toEqual([
      { at: 'policy', kind: 'changed', what: 'version', before: '1', after: '2' },
    ]);
  });

  it('is whole clauses and categories, where they stand in the new policy or stood in the old one', () => {
    const { weapons, fraud } = { weapons: old.categories[0]!, fraud: old.categories[1]! };
    const drugs: Category = { ...fraud, id: 'drugs', clauses: [{ ...fraud.clauses[0]!, id: 'drugs.sale' }] };
    const without = { ...weapons, clauses: [weapons.clauses[1]!] };
    expect(diffPolicies(old, { ...old, categories: [without, drugs] })).toEqual([
      { at: 'weapons.make', kind: 'removed', what: 'clause', before: weapons.clauses[0], after: null },
      { at: 'fraud', kind: 'removed', what: 'category', before: fraud, after: null },
      { at: 'drugs', kind: 'added', what: 'category', before: null, after: drugs },
    ]);
  });

  it('is another order, of those that both have', () => {
    const turned = { ...old, categories: old.categories.toReversed() };
    expect(diffPolicies(old, turned)).toEqual([
      { at: 'policy', kind: 'changed', what: 'categories', before: ['weapons', 'fraud'], after: ['fraud', 'weapons'] },
    ]);
  });
});

const word = fc.constantFrom('a', 'b', 'c', 'd');
const examples = fc.array(
  word.map((text) => ({ text })),
  { minLength: 1, maxLength: 2 },
);
const clauses = (category: string) =>
  fc.uniqueArray(
    fc.record({
      id: word.map((name) => `${category}.${name}`),
      text: word,
      severity: fc.constantFrom('low' as const, 'high' as const),
      violations: examples,
      exonerations: examples,
    }),
    { selector: ({ id }) => id, minLength: 1 },
  );
const policies: fc.Arbitrary<Policy> = fc
  .record({
    name: word,
    version: word,
    preamble: fc.option(word, { nil: undefined }),
    categories: fc.uniqueArray(
      word.chain((id) => fc.record({ id: fc.constant(id), title: word, clauses: clauses(id) })),
      { selector: ({ id }) => id, minLength: 1 },
    ),
  })
  .map(({ preamble, ...content }) => ({ ...content, ...(preamble === undefined ? {} : { preamble }) }))
  .map((content) => ({ ...content, hash: hashOf(content) }));

describe('whatever the policies are', () => {
  it('there is no difference exactly where the hashes are the same', () => {
    fc.assert(
      fc.property(policies, policies, (one, other) => {
        expect(diffPolicies(one, structuredClone(one))).toEqual([]);
        expect(diffPolicies(one, other).length === 0).toBe(one.hash === other.hash);
      }),
    );
  });

  it('the way back is the way there turned round', () => {
    const turned = ({ kind, before, after, ...rest }: PolicyChange): PolicyChange => ({
      ...rest,
      kind: kind === 'added' ? 'removed' : kind === 'removed' ? 'added' : 'changed',
      before: after,
      after: before,
    });
    const sorted = (changes: readonly PolicyChange[]) => changes.map(hashOf).toSorted();
    fc.assert(
      fc.property(policies, policies, (one, other) => {
        expect(sorted(diffPolicies(other, one).map(turned))).toEqual(sorted(diffPolicies(one, other)));
      }),
    );
  });

  it('the old one with the changes is the new one, but for where new parts stand', () => {
    fc.assert(
      fc.property(policies, policies, (one, other) => {
        expect(unordered(changed(one, diffPolicies(one, other)))).toEqual(unordered(other));
      }),
    );
  });
});

type Loose = Record<string, unknown>;

function changed(policy: Policy, changes: readonly PolicyChange[]): Policy {
  const made = structuredClone(policy) as unknown as Loose & {
    categories: (Loose & { id: string; clauses: (Loose & { id: string })[] })[];
  };
  for (const { at, kind, what, after } of changes) {
    if (what === 'categories' || what === 'clauses') continue;
    const category = made.categories.find(({ id }) => id === at.split('.')[0]);
    if (what === 'category')
      made.categories = [
        ...made.categories.filter(({ id }) => id !== at),
        ...(kind === 'added' ? [after as (typeof made.categories)[number]] : []),
      ];
    else if (what === 'clause')
      category!.clauses = [
        ...category!.clauses.filter(({ id }) => id !== at),
        ...(kind === 'added' ? [after as Loose & { id: string }] : []),
      ];
    else
      (at === 'policy' ? made : (category!.clauses.find(({ id }) => id === at) ?? category!))[what] =
        after ?? undefined;
  }
  return made as unknown as Policy;
}

function unordered(policy: Policy): unknown {
  const { hash: _, categories, ...rest } = policy;
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  return JSON.parse(
    JSON.stringify({
      ...rest,
      categories: categories
        .map(({ clauses, ...category }) => ({ ...category, clauses: clauses.toSorted(byId) }))
        .toSorted(byId),
    }),
  );
}
