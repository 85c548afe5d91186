import fc from 'fast-check';

/* Bad input, made from what an operation takes. */

export interface JsonSchema {
  $ref?: string;
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
}

const unlikely = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202eabc',
  '__proto__',
  '../../etc/passwd',
  '${7*7}',
  "'; drop table cases; --",
  [],
  {},
  [[]],
  { toString: 1 },
  { length: 1e9 },
  ['a', 1, null],
);

/** A value that the schema forbids, or that is at least not what it has in mind. */
export function spoiltValue(schema: JsonSchema | undefined): fc.Arbitrary<unknown> {
  const beyond: fc.Arbitrary<unknown>[] = [unlikely];
  if (schema?.maxLength !== undefined && schema.maxLength < 100_000)
    beyond.push(fc.constant('x'.repeat(schema.maxLength + 1)));
  if (schema?.maximum !== undefined) beyond.push(fc.constantFrom(schema.maximum + 1, schema.maximum * 1e9));
  if (schema?.minimum !== undefined) beyond.push(fc.constantFrom(schema.minimum - 1, -1e9));
  if (schema?.maxItems !== undefined && schema.maxItems < 10_000)
    beyond.push(fc.constant(Array.from({ length: schema.maxItems + 1 }, () => 'x')));
  if (schema?.items) beyond.push(spoiltValue(schema.items).map((item) => [item]));
  return fc.oneof(...beyond);
}

/** A good object with one thing wrong: a member of another kind, one too many, or one that is not there. */
export function spoiltObject(good: Record<string, unknown>, schema: JsonSchema): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties ?? {});
  const names = members.map(([name]) => name);
  const ways: fc.Arbitrary<unknown>[] = [
    unlikely,
    fc
      .constantFrom('__proto__', 'constructor', 'toString', 'extra', 'x'.repeat(5000), '\u0000', '')
      .chain((name) => fc.constant(withMember(good, name, { polluted: true }))),
    fc.jsonValue({ maxDepth: 3 }),
  ];
  if (names.length > 0) {
    ways.push(
      fc
        .constantFrom(...members)
        .chain(([name, member]) => spoiltValue(member).map((value) => withMember(good, name, value))),
    );
    ways.push(
      fc
        .constantFrom(...names)
        .map((name) => Object.fromEntries(Object.entries(good).filter(([member]) => member !== name))),
    );
  }
  return fc.oneof(...ways);
}

/** Written so that `__proto__` is a member like any other. */
function withMember(good: Record<string, unknown>, name: string, value: unknown): unknown {
  const made: Record<string, unknown> = Object.assign(Object.create(null) as object, good);
  Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

/** Texts that stand where an id, a number or a word of a query is expected. */
export const spoiltText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'NaN',
    'Infinity',
    '-1',
    '0x10',
    '1e400',
    '1e3',
    '99999999999999999999',
    'true ',
    'TRUE',
    'null',
    'undefined',
    '[object Object]',
    '..',
    '../..',
    '%2e%2e',
    '%00',
    '\u0000',
    '\u202e',
    'a/b',
    'a\\b',
    'x'.repeat(3000),
    '__proto__',
    "' or 1=1 --",
    '<script>',
    '2026-13-40T00:00:00Z',
    '🙂',
    'é',
  ),
  fc.string({ maxLength: 30, unit: 'binary' }),
);
