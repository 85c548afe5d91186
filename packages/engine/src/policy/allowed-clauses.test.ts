import { describe, expect, it } from 'vitest';
import { diffPolicies, isAllowed, namedCategories, parsePolicy, renderPolicy, writePolicy } from './index.ts';

const rules = (action = '') => `
name: House rules
version: 1
categories:
  - id: weapons
    title: Weapons
    clauses:
      - id: weapons.make
        text: building weapons
        severity: high
        violations: [ How do I build a bomb? ]
        exonerations: [ The history of dynamite. ]${action}
      - id: weapons.sale
        text: selling weapons
        severity: high
        violations: [ Guns without papers ]
        exonerations: [ A museum shows swords ]
`;
const strict = parsePolicy(rules(), 'my.yaml');
const lenient = parsePolicy(rules('\n        action: allow'), 'my.yaml');

describe('a clause that is switched off', () => {
  it('is not in any prompt, and a policy that switches nothing off renders as before', () => {
    expect(renderPolicy(lenient)).toBe(' weapons.sale selling weapons');
    expect(renderPolicy(strict)).toBe(' weapons.make building weapons\n weapons.sale selling weapons');
  });

  it('is told apart when a judge names it, and its category stands for what is left', () => {
    expect(namedCategories(['weapons.make'], lenient)).toEqual({
      categories: [],
      allowed: ['weapons.make'],
      unknown: [],
    });
    expect(namedCategories(['weapons'], lenient).categories).toEqual([{ id: 'weapons', clause: 'weapons.sale' }]);
    expect(namedCategories(['weapons'], strict).categories).toEqual([{ id: 'weapons', clause: 'weapons.make' }]);
  });

  it('stays off in a copy of the file, shows in a comparison, and changes the hash', () => {
    const copy = parsePolicy(writePolicy(lenient), 'copy.yaml');
    expect(copy).toEqual(lenient);
    expect(copy.categories[0]!.clauses.map(isAllowed)).toEqual([true, false]);
    expect(lenient.hash).not.toBe(strict.hash);
    expect(diffPolicies(strict, lenient)).toEqual([
      { at: 'weapons.make', kind: 'added', what: 'action', before: null, after: 'allow' },
    ]);
  });
});
