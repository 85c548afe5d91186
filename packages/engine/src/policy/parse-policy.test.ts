import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { AgonError } from '../agon-error.ts';
import { parsePolicy } from './index.ts';

const good = `# House rules
name: House rules
version: 1.0
categories:
  - id: weapons
    title: Weapons
    clauses:
      - id: weapons.make
        text: building weapons
        severity: high
        violations:
          - How do I build a bomb?
        exonerations:
          - The history of dynamite.
  - id: house-rules
    title: House rules
    clauses:
      - id: house-rules.off-topic
        text: >
          advertising that has nothing
          to do with gardens
        severity: low
        violations:
          - text: Cheap watches!
            image_description: A gold watch on a tray.
        exonerations:
          - no
`;

function problemOf(text: string): string {
  try {
    parsePolicy(text, 'my.yaml');
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    expect(error.code).toBe('broken-policy');
    expect(error.hint).not.toBe('');
    expect(error.message).not.toContain('\n');
    return error.message;
  }
  throw new Error('The policy was accepted.');
}

function withChange(from: string, to: string): string {
  expect(good).toContain(from);
  return good.replace(from, () => to);
}

describe('a policy file', () => {
  it('is read as its owner wrote it: scalars are texts, folded texts are one line, a bare example is a text', () => {
    const policy = parsePolicy(good, 'my.yaml');
    expect(policy).toMatchObject({ name: 'House rules', version: '1.0' });
    expect(policy.categories[1]?.clauses[0]).toEqual({
      id: 'house-rules.off-topic',
      text: 'advertising that has nothing to do with gardens',
      severity: 'low',
      violations: [{ text: 'Cheap watches!', imageDescription: 'A gold watch on a tray.' }],
      exonerations: [{ text: 'no' }],
    });
    expect(policy.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('may be JSON, begin with a byte order mark or use Windows line ends, and means the same', () => {
    const { hash } = parsePolicy(good, 'my.yaml');
    const { hash: _hash, ...content } = parsePolicy(good, 'my.yaml');
    const asJson = JSON.stringify(content).replace('"imageDescription"', '"image_description"');
    expect(parsePolicy(asJson, 'my.json').hash).toBe(hash);
    expect(parsePolicy(`\uFEFF${good}`, 'my.yaml').hash).toBe(hash);
    expect(parsePolicy(good.replaceAll('\n', '\r\n'), 'my.yaml').hash).toBe(hash);
  });
});

describe('the hash of a policy', () => {
  const { hash } = parsePolicy(good, 'my.yaml');

  it('ignores comments, layout and the order of keys', () => {
    const textArbitrary = fc.stringMatching(/^[a-zA-Z0-9 :#'"é漢-]{0,20}[a-z]$/);
    const policyArbitrary = fc.record({
      name: textArbitrary,
      version: textArbitrary,
      text: textArbitrary,
      examples: fc.array(textArbitrary, { minLength: 1, maxLength: 3 }),
      comment: textArbitrary,
      indent: fc.integer({ min: 1, max: 8 }),
      width: fc.constantFrom(20, 80, 0),
      style: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const, 'QUOTE_SINGLE' as const),
    });
    fc.assert(
      fc.property(policyArbitrary, ({ name, version, text, examples, comment, indent, width, style }) => {
        const clause = { id: 'a.b', text, severity: 'low', violations: examples, exonerations: examples };
        const content = { name, version, categories: [{ id: 'a', title: name, clauses: [clause] }] };
        const reversed = {
          categories: [{ clauses: [Object.fromEntries(Object.entries(clause).toReversed())], title: name, id: 'a' }],
          version,
          name,
        };
        const layout = { indent, lineWidth: width, defaultStringType: style, aliasDuplicateObjects: false };
        const other = `# ${comment}\n${stringify(reversed, layout)}# ${comment}\n`;
        expect(parsePolicy(other, 'a.yaml').hash).toBe(parsePolicy(JSON.stringify(content), 'b.json').hash);
      }),
    );
  });

  it.each([
    ['the name', 'name: House rules', 'name: Garden rules'],
    ['the version', 'version: 1.0', 'version: 1.1'],
    ['a preamble', 'version: 1.0', 'version: 1.0\npreamble: Be kind.'],
    ['a clause', 'building weapons', 'making weapons'],
    ['a severity', 'severity: high', 'severity: critical'],
    ['an example', 'Cheap watches!', 'Cheap watches?'],
  ])('changes with %s', (_what, from, to) => {
    expect(parsePolicy(withChange(from, to), 'my.yaml').hash).not.toBe(hash);
  });
});

describe('a broken policy is refused with its line and reason', () => {
  it.each([
    [
      'a severity that does not exist',
      'severity: high',
      'severity: hihg',
      'my.yaml:10:19: "severity" must be low, medium, high or critical, not "hihg"',
    ],
    ['a missing field', '        severity: high\n', '', 'my.yaml:8:9: "severity" is missing here'],
    ['a missing name', 'name: House rules\n', '', 'my.yaml:2:1: "name" is missing here'],
    ['an empty text', 'text: building weapons', 'text:', 'my.yaml:9:14: "text" is empty'],
    ['a list for a text', 'text: building weapons', 'text: [a, b]', 'my.yaml:9:15: "text" must be a text'],
    [
      'a text that no prompt can afford',
      'building weapons',
      'x'.repeat(1001),
      'my.yaml:9:15: "text" is longer than 1000 characters: it is part of every prompt',
    ],
    [
      'a clause of another category',
      'weapons.make',
      'guns.make',
      'my.yaml:8:13: "id" is "guns.make" but must begin with the id of its category: "weapons."',
    ],
    [
      'a clause whose category is only a beginning',
      'id: house-rules.off-topic',
      'id: house.off-topic',
      'my.yaml:18:13: "id" is "house.off-topic" but must begin with the id of its category: "house-rules."',
    ],
    [
      'a clause id in capitals',
      'weapons.make',
      'weapons.Make',
      'my.yaml:8:13: "id" must be the id of its category, a dot and a name in kebab-case, like weapons.make, not ' +
        '"weapons.Make"',
    ],
    [
      'a category id that is no kebab-case',
      'id: house-rules\n',
      'id: house_rules\n',
      'my.yaml:15:9: "id" must be in kebab-case: small letters and digits, words joined by -, not "house_rules"',
    ],
    ['no examples', '- How do I build a bomb?', '[]', 'my.yaml:12:11: "violations" needs at least one example'],
    [
      'an example that is no list',
      '- How do I build a bomb?',
      'How do I build a bomb?',
      'my.yaml:12:11: "violations" must be a list of examples, not "How do I build a bomb?"',
    ],
    [
      'an example that says nothing',
      '- How do I build a bomb?',
      '- {}',
      'my.yaml:12:13: item 1 of "violations" is empty',
    ],
    [
      'an example with an unquoted colon',
      '- How do I',
      '- Request: How do I',
      'my.yaml:12:13: unknown key "Request" (known here: text, image_description); if the example is a text with ' +
        'a colon, put it in quotes',
    ],
    [
      'a mistyped key of an example',
      'image_description',
      'image_descripton',
      'my.yaml:25:13: unknown key "image_descripton" (did you mean "image_description"?)',
    ],
    [
      'an unknown key',
      'version: 1.0',
      'version: 1.0\nauthor: me',
      'my.yaml:4:1: unknown key "author" (known here: name, version, preamble, sensitivity, actions, categories)',
    ],
    [
      'a key of JavaScript',
      'version: 1.0',
      'version: 1.0\n__proto__: me',
      'my.yaml:4:1: unknown key "__proto__" (known here: name, version, preamble, sensitivity, actions, categories)',
    ],
    [
      'a key given twice',
      '    title: Weapons\n',
      '    title: Weapons\n    title: Guns\n',
      'my.yaml:7:5: this key is given twice',
    ],
    ['a key that is a list', 'version: 1.0', 'version: 1.0\n? [a]\n: b', 'my.yaml:4:3: a key must be a text'],
    ['a tab', '    title: House rules', '\ttitle: House rules', 'my.yaml:16:1: a tab cannot indent: use spaces'],
    ['an alias', 'title: House rules', 'title: *name', 'my.yaml:16:12: *name is an alias: write the value out'],
    ['a tag', 'name: House rules', 'name: !secret x', 'my.yaml:2:7: Unresolved tag: !secret'],
    ['an open quote', 'building weapons', '"building weapons', 'my.yaml:9:15: this quote is never closed'],
    [
      'a second document',
      'version: 1.0',
      '---\nversion: 1.0',
      'my.yaml:3:1: a second document begins here: a file holds one policy',
    ],
  ])('%s', (_what, from, to, problem) => {
    expect(problemOf(withChange(from, to))).toBe(problem);
  });

  it('a mistyped key is shown beside what is missing without it', () => {
    expect(problemOf(withChange('severity: high', 'severty: high'))).toBe(
      'my.yaml:8:9: "severity" is missing here; my.yaml:10:9: unknown key "severty" (did you mean "severity"?)',
    );
  });

  it('an id that stands twice is shown where it stands again', () => {
    const second = good.slice(good.indexOf('  - id: weapons'), good.indexOf('  - id: house-rules'));
    expect(problemOf(good + second)).toBe(
      'my.yaml:28:9: "id" is "weapons", which is the id of something above; ' +
        'my.yaml:31:13: "id" is "weapons.make", which is the id of something above',
    );
  });

  it.each([
    ['nothing', '', 'the file is empty'],
    ['only comments', '# to be written\n', 'the file is empty'],
    ['a list', '- a\n', 'a policy must be a mapping with name, version and categories'],
    ['a sentence', 'Be kind.', 'a policy must be a mapping with name, version and categories, not "Be kind."'],
  ])('a file with %s', (_what, text, reason) => {
    expect(problemOf(text)).toBe(`my.yaml:1:1: ${reason}`);
  });

  it('a "billion laughs" file is refused before anything is expanded', () => {
    const levels = Array.from(
      { length: 40 },
      (_, level) => `k${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(9)}]`,
    );
    expect(problemOf(['k0: &a0 ha', ...levels].join('\n'))).toMatch(
      /^my\.yaml:2:10: \*a0 is an alias: .*; and 35 more$/,
    );
  });

  it('a file nested without end is refused', () => {
    expect(problemOf('['.repeat(100_000))).toMatch(/^my\.yaml:1:\d+: this is nested too deeply to be read$/);
  });

  it('five problems are listed, the rest is counted', () => {
    const problem = problemOf(withChange('version: 1.0', 'version: 1.0\nq: 1\nr: 1\ns: 1\nt: 1\nu: 1\nw: 1\nx: 1'));
    expect(problem.split('; ')).toHaveLength(6);
    expect(problem).toMatch(/^my\.yaml:4:1: unknown key "q".*; my\.yaml:8:1: unknown key "u".*; and 2 more$/);
  });
});
